import type { Span } from '../../domain/span.js';
import { occurrences } from '../text/occurrences.js';

/** Rows of values below a row of names. */
export interface Table {
  /** A name for each column; an empty one where it has none. */
  readonly names: readonly string[];
  /** At least one; ascending. */
  readonly rows: readonly Row[];
}

/** As many cells as there are names; without quotes and white space around them. */
export interface Row extends Span {
  readonly cells: readonly Span[];
}

/** How many cells may still be read: a table has one for every other unit of its text, if it is made so. */
export interface CellRoom {
  left: number;
}

/** Units of a name at most, and words. */
export const nameMax = 40;
const nameWordsMax = 6;
/** What a name does not hold: what code is made of, more digits than a few, what ends a sentence. */
const notInNames = /[{}[\]<>=\\]|\d{4}|(?:[!?,;:]|\p{L}{6}\.)(?:\s|$)/u;
const letter = /\p{L}/u;

/** True if a cell reads as the name of a column; an empty one may stand above a column. */
export function isName(text: string): boolean {
  if (text === '') return true;
  // Most that are none have too many words.
  if (text.length > nameMax || occurrences(text, ' ') >= nameWordsMax) return false;
  return letter.test(text) && !notInNames.test(text) && occurrences(text, '(') === occurrences(text, ')');
}

/** Without white space, and what marks a cell in markdown, CSV or SQL. */
export function trimmed(text: string, from: number, to: number): Span {
  let start = from;
  let end = to;
  while (start < end && around[text.charCodeAt(start)] === 1) start++;
  while (end > start && around[text.charCodeAt(end - 1)] === 1) end--;
  return { start, end };
}

/** The name of a table or column without what quotes it in SQL and JSON. */
export function unquoted(name: string): string {
  return name.replace(/^[\s"`[]+|[\s"`\]]+$/g, '');
}

const around: Uint8Array = new Uint8Array(0x80);
for (const sign of ' "\r\n\t*`') around[sign.charCodeAt(0)] = 1;
