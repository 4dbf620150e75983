import { base32Values, base64Values } from './alphabets.js';
import { addByte, eachUnit, emptyBytes, isPlausibleText, isWide, type ReadBytes } from './bytes.js';
import { type ViewKind, viewBit } from './kinds.js';
import { longRuns, runClass, shortestRun, unitsOf } from './long-runs.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';

/**
 * The text with runs of base64 (either alphabet), base32 and bytes written as numbers (hex, binary, decimal) replaced
 * by what they say, where that is text. Undefined where there are none. Linear.
 */
export function runsView(parent: View, budget: ViewBudget): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  for (const run of findRuns(text)) {
    builder.kinds |= run.kind;
    builder.replace(run.start, run.end);
    eachUnit(run.bytes, (unit, start, end) => builder.put(unit, start, end));
  }
  return builder.finish(parent.depth + 1);
}

interface Run {
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly bytes: ReadBytes;
}

/** Runs that say something, in order, without overlap. */
function findRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  const units = unitsOf(text);
  const alphabet = longRuns(units, runClass.alphabet, shortestRun.alphabet);
  let joined = 0;
  for (let i = 0; i < alphabet.length; i += 2) {
    if (alphabet[i] < joined) continue;
    joined = endOfLines(text, alphabet[i + 1]);
    addAlphabetRun(runs, text, alphabet[i], joined);
  }
  const numbers = longRuns(units, runClass.numbers, shortestRun.numbers);
  for (let i = 0; i < numbers.length; i += 2) addNumberRuns(runs, text, numbers[i], numbers[i + 1]);
  runs.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return runs.filter((run) => {
    if (run.start < end) return false;
    end = run.end;
    return true;
  });
}

/** Encoders break lines: the end of the last line that goes on with the alphabet. */
function endOfLines(text: string, at: number): number {
  lineEnd.lastIndex = at;
  return at + (lineEnd.exec(text)?.[0].length ?? 0);
}

const lineEnd = /(?:\r?\n[A-Za-z0-9+/_-]{4,})*/y;

function addAlphabetRun(runs: Run[], text: string, start: number, end: number): void {
  // The digits of `%22` before a run are letters of the alphabet, too.
  const isEscaped = text.charCodeAt(start - 1) === 0x25;
  const whole = readRun(text, isEscaped ? start + 2 : start, end);
  if (whole) {
    runs.push(whole);
    return;
  }
  // `/`, `_` and `-` are letters of the alphabet and also separate words of a path or a name.
  for (const { index, 0: part } of text.slice(start, end).matchAll(/[A-Za-z0-9+]+/g)) {
    if (part.length < shortestRun.alphabet || part.length === end - start) continue;
    const run = readRun(text, start + index, start + index + part.length);
    if (run) runs.push(run);
  }
}

/** Base64, or where that says nothing and only the letters of base32 stand there, base32. */
function readRun(text: string, start: number, end: number): Run | undefined {
  return (
    readAs(text, 'base64', start, end, base64Values, 6) ??
    (/^[A-Z2-7\r\n]+$/.test(text.slice(start, end)) ? readAs(text, 'base32', start, end, base32Values, 5) : undefined)
  );
}

function readAs(
  text: string,
  kind: ViewKind,
  start: number,
  end: number,
  values: Int8Array,
  bits: number,
): Run | undefined {
  const bytes = readAlphabet(text, start, end, values, bits);
  const narrow = isWide(bytes.bytes) ? everySecond(bytes) : bytes;
  return isPlausibleText(narrow.bytes) ? { kind: viewBit(kind), start, end, bytes: narrow } : undefined;
}

/** Bits after unreadable units are not text any more: a run that begins badly is given up after this many bytes. */
const probeBytes = 32;

function readAlphabet(text: string, start: number, end: number, values: Int8Array, bits: number): ReadBytes {
  const read = emptyBytes();
  let held = 0;
  let heldBits = 0;
  let first = start;
  for (let i = start; i < end; i++) {
    const value = values[text.charCodeAt(i) & 0x7f];
    if (value < 0) continue;
    if (heldBits === 0) first = i;
    held = ((held << bits) | value) & 0xffff;
    heldBits += bits;
    if (heldBits < 8) continue;
    heldBits -= 8;
    addByte(read, (held >> heldBits) & 0xff, first, i + 1);
    first = heldBits > 0 ? i : i + 1;
    if (read.bytes.length === probeBytes && isHopeless(read.bytes)) break;
  }
  return read;
}

/** Most of the first bytes are neither text nor half of UTF-16 text. */
function isHopeless(bytes: readonly number[]): boolean {
  return !isPlausibleText(isWide(bytes) ? bytes.filter((_, place) => place % 2 === 0) : bytes.slice(0, -3));
}

function everySecond({ bytes, starts, ends }: ReadBytes): ReadBytes {
  const even = (_: number, place: number) => place % 2 === 0;
  return { bytes: bytes.filter(even), starts: starts.filter(even), ends: ends.filter(even) };
}

interface NumberSystem {
  /** Eight numbers or more of one system with at most two units between them. */
  readonly run: RegExp;
  readonly number: RegExp;
  readonly base: number;
}

const numberSystems: readonly NumberSystem[] = [
  { run: /(?<![0-9])[01]{8}(?:[ ,]{0,2}[01]{8}){3,}(?![0-9])/g, number: /[01]{8}/g, base: 2 },
  {
    run: /(?:0x)?[0-9a-fA-F]{2}(?:[ :,;-]{0,2}(?:0x)?[0-9a-fA-F]{2}){7,}/g,
    number: /(?:0x)?([0-9a-fA-F]{2})/g,
    base: 16,
  },
  { run: /(?<![0-9a-zA-Z])[0-9]{2,3}(?:[ ,;-]{1,2}[0-9]{2,3}){7,}(?![0-9])/g, number: /[0-9]{2,3}/g, base: 10 },
];

function addNumberRuns(runs: Run[], text: string, from: number, to: number): void {
  const part = text.slice(from, to);
  for (const { run, number, base } of numberSystems) {
    for (const { index, 0: found } of part.matchAll(run)) {
      const bytes = emptyBytes();
      for (const written of found.matchAll(number)) {
        const start = from + index + written.index;
        addByte(bytes, Number.parseInt(written[1] ?? written[0], base), start, start + written[0].length);
      }
      const start = from + index;
      if (bytes.bytes.every((byte) => byte <= 0xff) && isPlausibleText(bytes.bytes)) {
        runs.push({ kind: viewBit('hex'), start, end: start + found.length, bytes });
      }
    }
  }
}
