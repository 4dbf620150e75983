import { addByte, emptyBytes, isPlausibleText, type ReadBytes } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit } from './kinds.js';

const header = /^begin [0-7]{3,4} [^\r\n]*\r?\n/gm;
const line = /([!-`])([ -`]+)\r?(?:\n|$)/y;
const trailer = /(?:[ `]?\r?\n)?end\b/y;

/** Files in uuencode, header and all, where they are text. Linear. */
export function uuencodedRuns(text: string): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  let done = 0;
  for (const { index: start, 0: found } of text.matchAll(header)) {
    if (start < done) continue;
    const bytes = emptyBytes();
    let end = start + found.length;
    for (let next: number | undefined = end; next !== undefined; ) {
      end = next;
      next = readLine(text, end, bytes);
    }
    trailer.lastIndex = end;
    end += trailer.exec(text)?.[0].length ?? 0;
    done = end;
    if (isPlausibleText(bytes.bytes)) runs.push({ kind: viewBit('base64'), start, end, bytes });
  }
  return runs;
}

/** Adds the bytes of the line at `at`; gives where the next one begins, or undefined where this is no line of bytes. */
function readLine(text: string, at: number, bytes: ReadBytes): number | undefined {
  line.lastIndex = at;
  const found = line.exec(text);
  if (found === null) return undefined;
  const length = valueAt(text, at);
  const letters = at + 1;
  // Spaces at the end are zeros and may have been lost.
  if (length === 0 || found[2].length > Math.ceil(length / 3) * 4 + 1) return undefined;
  for (let i = 0; i < length; i++) {
    const place = letters + Math.floor(i / 3) * 4 + (i % 3);
    const [high, low] = [valueAt(text, place), valueAt(text, place + 1)];
    const shift = 2 * (i % 3) + 2;
    addByte(bytes, ((high << shift) | (low >> (6 - shift))) & 0xff, place, place + 2);
  }
  return at + found[0].length;
}

function valueAt(text: string, at: number): number {
  return (text.charCodeAt(at) - 0x20) & 0x3f;
}
