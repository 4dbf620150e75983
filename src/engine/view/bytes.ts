/** Bytes that were read from a text, each with the part of it that it was read from; a growing pair of lists. */
export interface ReadBytes {
  readonly bytes: number[];
  /** Offsets in the parent: of byte i, `starts[i]` to `ends[i]`. */
  readonly starts: number[];
  readonly ends: number[];
}

export function emptyBytes(): ReadBytes {
  return { bytes: [], starts: [], ends: [] };
}

export function addByte(read: ReadBytes, byte: number, start: number, end: number): void {
  read.bytes.push(byte);
  read.starts.push(start);
  read.ends.push(end);
}

/** The bytes from `from` up to `to`. */
export function part({ bytes, starts, ends }: ReadBytes, from: number, to: number): ReadBytes {
  return { bytes: bytes.slice(from, to), starts: starts.slice(from, to), ends: ends.slice(from, to) };
}

/**
 * Gives each UTF-16 unit that the bytes spell in UTF-8 with the part it came from; a byte that is no UTF-8 stands for
 * the Latin-1 character of its number. Linear.
 */
export function eachUnit(read: ReadBytes, give: (unit: number, start: number, end: number) => void): void {
  const { bytes, starts, ends } = read;
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    let point = length === 1 ? bytes[i] : bytes[i] & (0x7f >> length);
    for (let j = 1; j < length; j++) point = (point << 6) | (bytes[i + j] & 0x3f);
    const start = starts[i];
    const end = ends[i + length - 1];
    if (point > 0xffff) {
      give(0xd7c0 + (point >> 10), start, end);
      give(0xdc00 | (point & 0x3ff), start, end);
    } else give(point, start, end);
    i += length;
  }
}

/** Share of the characters that must be text. */
const printableShare = 0.9;
/** Share of the characters that must be letters or space. */
const letterShare = 0.5;
const fewestLetters = 4;
/** So many characters and nothing else are text whatever they are: payloads and tokens have few letters. Of twelve random bytes, by this or by their letters, one in 1,150 is text, of sixteen one in 11,000. */
const fewestCharacters = 8;

/**
 * True if the bytes are text that somebody may have written, rather than a key, a hash or an image. A sequence of UTF-8 that the end
 * cuts off counts as nothing.
 */
export function isPlausibleText(bytes: readonly number[]): boolean {
  let printable = 0;
  let letters = 0;
  let characters = 0;
  let spaces = 0;
  for (let i = 0; i < bytes.length; characters++) {
    const byte = bytes[i];
    const length = sequenceLength(bytes, i);
    if (length === 1 && isCutOff(bytes, i)) break;
    if (length > 1) {
      printable++;
      letters++;
    } else if (isAsciiText(byte)) {
      printable++;
      const lower = byte | 0x20;
      if (lower >= 0x61 && lower <= 0x7a) letters++;
      else if (byte === 0x20) spaces++;
    }
    i += length;
  }
  if (printable === characters && characters >= fewestCharacters) return true;
  return (
    letters >= fewestLetters && printable >= printableShare * characters && letters + spaces >= letterShare * characters
  );
}

/** Most bytes at either end of a run that are taken for what stands beside it. */
const strayMax = 4;

/** From where to where the bytes are text, without a few at either end that are none: all of them where more are none. */
export function textPart(bytes: readonly number[]): readonly [from: number, to: number] {
  let from = -1;
  let to = bytes.length;
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    if (length > 1 || isAsciiText(bytes[i])) {
      if (from < 0) from = i;
      to = i + length;
    }
    i += length;
  }
  return from >= 0 && from <= strayMax && bytes.length - to <= strayMax ? [from, to] : [0, bytes.length];
}

/** A printable byte of ASCII or white space. */
export function isAsciiText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** UTF-16LE of ASCII: every second byte is 0. */
export function isWide(bytes: readonly number[]): boolean {
  return bytes.length >= 8 && bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0 && bytes[7] === 0;
}

/** Whether a sequence of UTF-8 begins at `at` of which the end of the bytes leaves less than it needs. */
function isCutOff(bytes: readonly number[], at: number): boolean {
  const lead = bytes[at];
  if (lead < 0xc2 || lead > 0xf4 || at + lengthOf(lead) <= bytes.length) return false;
  for (let i = at + 1; i < bytes.length; i++) if ((bytes[i] & 0xc0) !== 0x80) return false;
  return true;
}

/** Bytes of a sequence of UTF-8 that begins with `lead`. */
function lengthOf(lead: number): number {
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Length of the well-formed UTF-8 sequence of two bytes or more at `at`; else 1. */
function sequenceLength(bytes: readonly number[], at: number): number {
  const lead = bytes[at];
  if (lead < 0xc2 || lead > 0xf4) return 1;
  const length = lengthOf(lead);
  for (let i = 1; i < length; i++) if ((bytes[at + i] & 0xc0) !== 0x80) return 1;
  const second = bytes[at + 1];
  if (lead === 0xe0 && second < 0xa0) return 1;
  if (lead === 0xed && second > 0x9f) return 1;
  if (lead === 0xf0 && second < 0x90) return 1;
  if (lead === 0xf4 && second > 0x8f) return 1;
  return length;
}
