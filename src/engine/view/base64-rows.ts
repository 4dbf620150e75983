import { base64, readLetters, startsAsAscii } from './alphabet-bytes.js';
import { base64Values } from './alphabets.js';
import { addByte, emptyBytes, isAsciiText, isPlausibleText, type ReadBytes } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit } from './kinds.js';
import { isOfRun, runClass, shortestRun } from './long-runs.js';

const kind = viewBit('base64');
/** Most units of white space between two pieces. */
const gapMax = 3;
/** Places in a group of four letters at which a piece may begin: so many pieces are tried as the first one. */
const firstPieces = 4;
/** Fewest words, and letters of them, that are read where each was encoded by itself. */
const wordsMin = 4;
const wordLettersMin = 12;
/** Words for each piece between them that is none. */
const wordsForOther = 4;
const padding = 0x3d;

/**
 * Base64 that white space has broken up, in parts of a text (start and end, flat) and as far as it goes on behind them: pieces of
 * one length, the last one excepted (spaces after every four letters, short lines, letters that stand apart), and words
 * that were encoded each by itself. Linear; in prose it looks at the length of each word and at its first letter.
 */
export function base64Rows(text: string, parts: readonly number[]): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  const pieces = new EqualPieces(text, runs);
  const words = new EncodedWords(text, runs);
  // Here, a constant of a module is looked up each time that it is read.
  const table = classes;
  let at = 0;
  for (let part = 0; part < parts.length; part += 2) {
    at = Math.max(at, parts[part]);
    while (at > 0 && isLetter(text, at) && isLetter(text, at - 1)) at--;
    while (at < text.length && (at < parts[part + 1] || pieces.isOpen() || words.isOpen())) {
      const gap = at;
      let together = 0;
      for (let of = table[text.charCodeAt(at)]; of !== letter && at < text.length; of = table[text.charCodeAt(++at)]) {
        together |= of;
      }
      if (together !== space || at - gap > gapMax) {
        pieces.close();
        words.close();
      }
      const start = at;
      while (table[text.charCodeAt(at)] === letter) at++;
      if (at === start) break;
      pieces.add(start, at);
      words.add(start, at);
    }
    pieces.close();
    words.close();
  }
  return runs;
}

const [letter, space, other] = [1, 2, 4];
/** A letter of the alphabet or its padding, white space, or neither. */
const classes: Uint8Array = new Uint8Array(0x10000).fill(other).fill(space, 0, 0x20 + 1);
for (let unit = 0; unit < 0x80; unit++) {
  if (unit === padding || isOfRun(unit, runClass.alphabet)) classes[unit] = letter;
}

function isLetter(text: string, at: number): boolean {
  return classes[text.charCodeAt(at)] === letter;
}

/** Pieces of one length, one behind the other. */
class EqualPieces {
  private readonly text: string;
  private readonly runs: DecodedRun[];
  private start = 0;
  private end = 0;
  private length = 0;
  private count = 0;

  constructor(text: string, runs: DecodedRun[]) {
    this.text = text;
    this.runs = runs;
  }

  isOpen(): boolean {
    return this.count > firstPieces;
  }

  add(start: number, end: number): void {
    if (end - start !== this.length) {
      // The last piece is what was left over.
      if (end - start < this.length && this.count > 1) this.end = end;
      this.close();
      this.start = start;
      this.length = end - start;
    }
    this.end = end;
    this.count++;
  }

  close(): void {
    if (this.count > 1 && this.count * this.length >= shortestRun.alphabet) this.read();
    this.count = 0;
    this.length = 0;
  }

  /** The first pieces may be words before the row, or the row may have begun before them. */
  private read(): void {
    const { text, end } = this;
    for (let start = this.start, tries = 0; tries < firstPieces && start < end; tries++) {
      const bytes = startsAsAscii(text, start, end) ? readLetters(text, start, end, base64) : undefined;
      if (bytes) {
        this.runs.push({ kind, start, end, bytes });
        return;
      }
      start += this.length;
      while (start < end && !isLetter(text, start)) start++;
    }
  }
}

/** Words in base64, and few other pieces between them. */
class EncodedWords {
  private readonly text: string;
  private readonly runs: DecodedRun[];
  private start = 0;
  private end = 0;
  private words = 0;
  private others = 0;
  private bytes: ReadBytes = emptyBytes();

  constructor(text: string, runs: DecodedRun[]) {
    this.text = text;
    this.runs = runs;
  }

  isOpen(): boolean {
    return this.words > 0;
  }

  add(start: number, end: number): void {
    const bytes = this.readWord(start, end);
    if (bytes === undefined) {
      if (this.words > 0 && ++this.others * wordsForOther > this.words) this.close();
      return;
    }
    if (this.words === 0) this.start = start;
    // What stands between, white space and pieces that are no words, is read as it is.
    else for (let i = this.end; i < start; i++) addByte(this.bytes, this.text.charCodeAt(i), i, i + 1);
    bytes.bytes.forEach((byte, i) => {
      addByte(this.bytes, byte, bytes.starts[i], bytes.ends[i]);
    });
    this.words++;
    this.end = end;
  }

  close(): void {
    const { start, end, words, bytes } = this;
    if (words === 0) return;
    if (words >= wordsMin && bytes.bytes.length >= wordLettersMin && isPlausibleText(bytes.bytes)) {
      this.runs.push({ kind, start, end, bytes });
    }
    this.words = 0;
    this.others = 0;
    this.bytes = emptyBytes();
  }

  /** The word that a piece encodes by itself, all of it ASCII; what an encoder would not write so is none. */
  private readWord(start: number, end: number): ReadBytes | undefined {
    const { text } = this;
    // Mostly the first letter tells: that of a byte below 128 is one of these.
    const first = base64Values[text.charCodeAt(start)];
    if (first < 8 || first > 31) return undefined;
    let stop = end;
    while (stop > start && text.charCodeAt(stop - 1) === padding) stop--;
    const rest = (stop - start) % 4;
    if (stop - start < 2 || rest === 1 || (stop < end && (end - start) % 4 !== 0)) return undefined;
    // The bits that are left over behind the last byte.
    const unused = rest === 2 ? 15 : rest === 3 ? 3 : 0;
    if ((base64Values[text.charCodeAt(stop - 1)] & unused) !== 0) return undefined;
    return readAscii(text, start, stop);
  }
}

function readAscii(text: string, start: number, end: number): ReadBytes | undefined {
  const read = emptyBytes();
  for (let at = start; at + 1 < end; at += 4) {
    let held = 0;
    for (let i = at; i < at + 4; i++) held = (held << 6) | (i < end ? base64Values[text.charCodeAt(i)] : 0);
    for (let i = 0; i < Math.min(3, end - at - 1); i++) {
      const byte = (held >> (16 - 8 * i)) & 0xff;
      if (!isAsciiText(byte)) return undefined;
      addByte(read, byte, at + i, at + i + 2);
    }
  }
  return read;
}
