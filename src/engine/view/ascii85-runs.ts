import { addByte, emptyBytes, isAsciiText, isPlausibleText, type ReadBytes } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit } from './kinds.js';

/** Fewest signs of a run that nothing marks. */
const bareMin = 30;
const groupSigns = 5;
/** Groups that must be ASCII before a run is read. */
const probeGroups = 2;
const opening = '<~';
const closing = '~>';

/** Ascii85 that is marked (`<~87cURD]~>`). Linear. */
export function markedAscii85(text: string): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  for (let start = text.indexOf(opening); start >= 0; ) {
    const stop = text.indexOf(closing, start);
    if (stop < 0) break;
    const end = stop + closing.length;
    addRun(runs, text, start, end, start + opening.length, stop);
    start = text.indexOf(opening, end);
  }
  return runs;
}

/**
 * Ascii85 without marks or white space in parts of a text (start and end, flat). Of other text it looks at one word in thirty
 * units, and at the first signs of that if it is long.
 */
export function bareAscii85(text: string, parts: readonly number[]): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  let done = 0;
  for (let part = 0; part < parts.length; part += 2) {
    for (let at = Math.max(done, parts[part]); at < parts[part + 1]; at += bareMin) {
      if (at < done || !isSign(text.charCodeAt(at))) continue;
      let start = at;
      while (start > done && isSign(text.charCodeAt(start - 1))) start--;
      done = at + 1;
      while (isSign(text.charCodeAt(done))) done++;
      if (done - start >= bareMin) addRun(runs, text, start, done, start, done);
    }
  }
  return runs;
}

function addRun(runs: DecodedRun[], text: string, start: number, end: number, from: number, to: number): void {
  const bytes = readGroups(text, from, to);
  if (bytes) runs.push({ kind: viewBit('base64'), start, end, bytes });
}

const firstSign = 0x21;
const base = 85;

function isSign(unit: number): boolean {
  return unit >= firstSign && unit < firstSign + base;
}

/** What the signs say, where all of it may be text; white space is passed over. */
function readGroups(text: string, from: number, to: number): ReadBytes | undefined {
  const read = emptyBytes();
  let group: number[] = [];
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= 0x20) continue;
    if (!isSign(unit)) return undefined;
    group.push(i);
    if (group.length < groupSigns) continue;
    if (!addGroup(read, text, group)) return undefined;
    group = [];
  }
  if (group.length > 1 && !addGroup(read, text, group)) return undefined;
  return isPlausibleText(read.bytes) ? read : undefined;
}

/** Each byte is read from the whole group. A group that is not full lacks its last signs, and as many bytes. */
function addGroup(read: ReadBytes, text: string, group: readonly number[]): boolean {
  let value = 0;
  for (let i = 0; i < groupSigns; i++) {
    value = value * base + (i < group.length ? text.charCodeAt(group[i]) - firstSign : base - 1);
  }
  if (value > 0xffffffff) return false;
  const isProbe = read.bytes.length < probeGroups * (groupSigns - 1);
  for (let i = 0; i < group.length - 1; i++) {
    const byte = (value >>> (24 - 8 * i)) & 0xff;
    if (isProbe && !isAsciiText(byte)) return false;
    addByte(read, byte, group[0], group[group.length - 1] + 1);
  }
  return true;
}
