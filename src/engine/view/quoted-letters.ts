import { addByte, emptyBytes } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit } from './kinds.js';

/** A dozen characters or more, each in quotes, with commas between: what a list of them looks like in most languages. */
const row = /(["'`])(?:\\?[^\\\r\n]|\\\\)\1(?:\s{0,2},\s{0,2}\1(?:\\?[^\\\r\n]|\\\\)\1){11,}/g;
const character = /(["'`])(\\?)([\s\S])\1/g;

/** Lists of single characters (`["i", "g", "n"]`), which nothing else would mean. Linear. */
export function quotedLetters(text: string): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  for (const { index: start, 0: found } of text.matchAll(row)) {
    const bytes = emptyBytes();
    for (const { index, 0: quoted, 2: backslash, 3: letter } of found.matchAll(character)) {
      const read = backslash !== '' && /[nrt]/.test(letter) ? '\n' : letter;
      for (const byte of Buffer.from(read)) addByte(bytes, byte, start + index, start + index + quoted.length);
    }
    runs.push({ kind: viewBit('spaced'), start, end: start + found.length, bytes });
  }
  return runs;
}
