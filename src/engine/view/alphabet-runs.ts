import { type Alphabet, base32, base64, readLetters, startsAsAscii } from './alphabet-bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { type ViewKind, viewBit, viewBits } from './kinds.js';
import { longRuns, runClass, shortestRun } from './long-runs.js';

const padding = 0x3d;
/** Of base32; base64 has two. */
const paddingMax = 6;

/** Runs of base64 (either alphabet) and base32, broken into lines or not. */
export function alphabetRuns(text: string, units: Uint16Array): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  const places = longRuns(units, runClass.alphabet, shortestRun.alphabet);
  let joined = 0;
  for (let i = 0; i < places.length; i += 2) {
    if (places[i] < joined) continue;
    joined = endOfLines(text, places[i + 1]);
    addRuns(runs, text, places[i], joined);
  }
  return runs;
}

/** Encoders break lines: the end of the last line that goes on with the alphabet. */
function endOfLines(text: string, at: number): number {
  lineEnd.lastIndex = at;
  return at + (lineEnd.exec(text)?.[0].length ?? 0);
}

const lineEnd = /(?:\r?\n[A-Za-z0-9+/_-]{4,})*/y;

/** Where a run begins, of which the digits of `%22` before it seem to be letters, too. */
export function behindEscape(text: string, start: number): number {
  return text.charCodeAt(start - 1) === 0x25 ? start + 2 : start;
}

function addRuns(runs: DecodedRun[], text: string, start: number, end: number): void {
  const whole = readRun(text, behindEscape(text, start), end);
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
function readRun(text: string, start: number, end: number): DecodedRun | undefined {
  return (
    readAs(text, 'base64', start, end, base64) ??
    (/^[A-Z2-7\r\n]+$/.test(text.slice(start, end)) ? readAs(text, 'base32', start, end, base32) : undefined)
  );
}

function readAs(text: string, kind: ViewKind, start: number, end: number, alphabet: Alphabet): DecodedRun | undefined {
  const bytes = readLetters(text, start, end, alphabet);
  if (bytes === undefined) return undefined;
  const behind = endOfPadding(text, end);
  // Padding is part of the last byte.
  if (behind > end) bytes.ends[bytes.ends.length - 1] = behind;
  return { kind: viewBit(kind), start, end: behind, bytes };
}

function endOfPadding(text: string, end: number): number {
  let at = end;
  while (at - end < paddingMax && text.charCodeAt(at) === padding) at++;
  return at;
}

const backwards = viewBits(['base64', 'reversed']);

/** Runs of base64 of ASCII that are written backwards, padding first. */
export function backwardRuns(text: string, units: Uint16Array): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  const places = longRuns(units, runClass.alphabet, shortestRun.alphabet);
  for (let i = 0; i < places.length; i += 2) {
    const end = places[i + 1];
    let start = places[i];
    if (!startsAsAscii(text, end - 1, start - 1)) continue;
    const bytes = readLetters(text, start, end, base64, true);
    if (bytes === undefined) continue;
    while (text.charCodeAt(start - 1) === padding) start--;
    runs.push({ kind: backwards, start, end, bytes });
  }
  return runs;
}
