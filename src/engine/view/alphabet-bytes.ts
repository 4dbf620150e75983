import { base32Values, base64Values } from './alphabets.js';
import { addByte, emptyBytes, isAsciiText, isPlausibleText, isWide, type ReadBytes } from './bytes.js';

/** Letters that stand for some bits each. */
export interface Alphabet {
  /** Value of each ASCII unit, or −1. */
  readonly values: Int8Array;
  readonly bits: number;
}

export const base64: Alphabet = { values: base64Values, bits: 6 };
export const base32: Alphabet = { values: base32Values, bits: 5 };

/** Bits after unreadable units are not text any more: a run that begins badly is given up after this many bytes. */
const probeBytes = 32;
/** Letters of base64 by which `startsAsAscii` judges. */
const startLetters = 8;

/**
 * What the letters of a part of a text say, where that is plausible text; units that are no letters are passed over.
 * `backwards`: from the last to the first.
 */
export function readLetters(
  text: string,
  start: number,
  end: number,
  alphabet: Alphabet,
  backwards = false,
): ReadBytes | undefined {
  const bytes = readBytes(text, start, end, alphabet, backwards);
  const narrow = isWide(bytes.bytes) ? everySecond(bytes) : bytes;
  return isPlausibleText(narrow.bytes) ? narrow : undefined;
}

function readBytes(text: string, start: number, end: number, { values, bits }: Alphabet, backwards: boolean) {
  const read = emptyBytes();
  let held = 0;
  let heldBits = 0;
  let first = start;
  for (let step = start; step < end; step++) {
    const i = backwards ? start + end - 1 - step : step;
    const value = values[text.charCodeAt(i) & 0x7f];
    if (value < 0) continue;
    if (heldBits === 0) first = i;
    held = ((held << bits) | value) & 0xffff;
    heldBits += bits;
    if (heldBits < 8) continue;
    heldBits -= 8;
    addByte(read, (held >> heldBits) & 0xff, Math.min(first, i), Math.max(first, i) + 1);
    first = i;
    if (read.bytes.length === probeBytes && isHopeless(read.bytes)) break;
  }
  return read;
}

/**
 * True if the first letters of base64 between `from` and `to` (below `from`: backwards, `from` and not `to` being one of them)
 * are ASCII text. Mostly the first two tell.
 */
export function startsAsAscii(text: string, from: number, to: number): boolean {
  const step = to < from ? -1 : 1;
  let held = 0;
  let heldBits = 0;
  for (let i = from, letters = 0; i !== to && letters < startLetters; i += step) {
    const value = base64Values[text.charCodeAt(i) & 0x7f];
    if (value < 0) continue;
    letters++;
    held = ((held << 6) | value) & 0xffff;
    heldBits += 6;
    if (heldBits < 8) continue;
    heldBits -= 8;
    if (!isAsciiText((held >> heldBits) & 0xff)) return false;
  }
  return true;
}

/** Most of the first bytes are neither text nor half of UTF-16 text. */
function isHopeless(bytes: readonly number[]): boolean {
  return !isPlausibleText(isWide(bytes) ? bytes.filter((_, place) => place % 2 === 0) : bytes);
}

function everySecond({ bytes, starts, ends }: ReadBytes): ReadBytes {
  const even = (_: number, place: number) => place % 2 === 0;
  return { bytes: bytes.filter(even), starts: starts.filter(even), ends: ends.filter(even) };
}
