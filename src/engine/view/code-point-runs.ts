import { addByte, emptyBytes, isPlausibleText } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit } from './kinds.js';

/** Six code points or more: fewer are named where somebody writes about characters. */
const row = /U\+[0-9A-F]{4,6}(?:[ ,;]{0,2}U\+[0-9A-F]{4,6}){5,}/gi;
const codePoint = /U\+([0-9A-F]{4,6})/gi;

/** Text that is written as a list of code points (`U+0069 U+0067`). Linear. */
export function codePointRuns(text: string): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  for (const { index: start, 0: found } of text.matchAll(row)) {
    const bytes = emptyBytes();
    for (const { index, 0: written, 1: digits } of found.matchAll(codePoint)) {
      const point = Math.min(Number.parseInt(digits, 16), 0x10ffff);
      const end = start + index + written.length;
      for (const byte of Buffer.from(String.fromCodePoint(point))) addByte(bytes, byte, start + index, end);
    }
    if (isPlausibleText(bytes.bytes)) runs.push({ kind: viewBit('escape'), start, end: start + found.length, bytes });
  }
  return runs;
}
