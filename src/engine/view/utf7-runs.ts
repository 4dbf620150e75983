import { base64Values } from './alphabets.js';
import { addByte, emptyBytes, type ReadBytes } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit } from './kinds.js';

/** ASCII in UTF-16 has a zero first, so that the first letter of its base64 is an A. */
const shifted = /\+A[A-Za-z0-9+/]+-?/g;
/** Fewest characters of a text in UTF-7 that need not have been encoded; fewer are chance. */
const charactersMin = 6;

/** Words of ASCII that UTF-7 would not have had to encode (`+AGkAZw-`). Linear. */
export function utf7Runs(text: string): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  let characters = 0;
  for (const { index: start, 0: found } of text.matchAll(shifted)) {
    const end = start + found.length;
    const bytes = readAscii(text, start, end);
    if (bytes === undefined) continue;
    runs.push({ kind: viewBit('base64'), start, end, bytes });
    characters += bytes.bytes.length;
  }
  return characters < charactersMin ? [] : runs;
}

/** The characters between `+` and `-`, which belong to the first and the last of them. */
function readAscii(text: string, start: number, end: number): ReadBytes | undefined {
  const read = emptyBytes();
  let held = 0;
  let heldBits = 0;
  let first = start;
  for (let i = start + 1; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x2d) break;
    held = ((held << 6) | base64Values[unit]) & 0x3fffff;
    heldBits += 6;
    if (heldBits < 16) continue;
    heldBits -= 16;
    const character = (held >> heldBits) & 0xffff;
    if (character < 0x20 || character > 0x7e) return undefined;
    addByte(read, character, first, i + 1);
    first = i;
  }
  const last = read.bytes.length - 1;
  if (last < 0 || heldBits >= 6) return undefined;
  read.ends[last] = end;
  return read;
}
