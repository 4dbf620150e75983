import { hexDigit } from './alphabets.js';
import { addByte, emptyBytes, isPlausibleText, part, textPart } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit, viewBits } from './kinds.js';
import { longRuns, runClass, shortestRun } from './long-runs.js';

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
  // Before decimal: a row of it without an 8 or 9 is hardly text.
  { run: /(?<![0-9a-zA-Z])[0-7]{2,4}(?:[ ,;-]{1,2}[0-7]{2,4}){7,}(?![0-9])/g, number: /[0-7]{2,4}/g, base: 8 },
  { run: /(?<![0-9a-zA-Z])[0-9]{2,3}(?:[ ,;-]{1,2}[0-9]{2,3}){7,}(?![0-9])/g, number: /[0-9]{2,3}/g, base: 10 },
];

/** Bytes written as numbers, one behind the other: binary, octal, decimal and hex, the last also backwards. */
export function numberRuns(text: string, units: Uint16Array): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  const places = longRuns(units, runClass.numbers, shortestRun.numbers);
  for (let i = 0; i < places.length; i += 2) {
    const digits = text.slice(places[i], places[i + 1]);
    for (const system of numberSystems) {
      for (const { index, 0: found } of digits.matchAll(system.run)) {
        const run =
          readRun(found, places[i] + index, system) ??
          (system.base === 16 ? readBackwards(found, places[i] + index) : undefined);
        if (run) runs.push(run);
      }
    }
  }
  return runs;
}

function readRun(found: string, start: number, { number, base }: NumberSystem): DecodedRun | undefined {
  // Nearly all runs in hex are none that code for text: where each byte stands is asked of the others alone.
  if (base === 16 && !isText(bytesOfHex(found))) return undefined;
  const read = emptyBytes();
  for (const { index, 0: written, 1: digits } of found.matchAll(number)) {
    addByte(read, Number.parseInt(digits ?? written, base), start + index, start + index + written.length);
  }
  // Rows of prices between 101 and 177 are capitals and small letters in octal.
  if (base === 8 && !read.bytes.some((byte) => byte === 0x20 || byte >= 0x80)) return undefined;
  if (!isText(read.bytes)) return undefined;
  const [from, to] = textPart(read.bytes);
  const bytes = part(read, from, to);
  return { kind: viewBit('hex'), start: bytes.starts[0], end: bytes.ends[to - from - 1], bytes };
}

/** Bytes of a run of `numberSystems` in hex. */
function bytesOfHex(found: string): readonly number[] {
  const bytes: number[] = [];
  for (let i = 0; i < found.length; ) {
    const isMarked = found.startsWith('0x', i) && byteAt(found, i + 2, i + 3) >= 0;
    const at = isMarked ? i + 2 : i;
    const byte = byteAt(found, at, at + 1);
    if (byte >= 0) bytes.push(byte);
    i = byte >= 0 ? at + 2 : i + 1;
  }
  return bytes;
}

/** What two digits in hex stand for; below 0 where one of them is none. */
function byteAt(text: string, high: number, low: number): number {
  return (hexDigit(text.charCodeAt(high)) << 4) | hexDigit(text.charCodeAt(low));
}

/** Hex without separators from its last digit to its first. */
function readBackwards(found: string, start: number): DecodedRun | undefined {
  if (!/^[0-9a-f]+$/i.test(found)) return undefined;
  const read: number[] = [];
  for (let i = found.length - 2; i >= 0; i -= 2) read.push(byteAt(found, i + 1, i));
  if (!isText(read)) return undefined;
  const bytes = emptyBytes();
  for (let i = found.length - 2; i >= 0; i -= 2) addByte(bytes, byteAt(found, i + 1, i), start + i, start + i + 2);
  return { kind: viewBits(['hex', 'reversed']), start, end: start + found.length, bytes };
}

/** The words before and behind a run may end and begin with digits: `code 69 67 be careful`. */
function isText(bytes: readonly number[]): boolean {
  return bytes.every((byte) => byte <= 0xff) && isPlausibleText(bytes.slice(...textPart(bytes)));
}
