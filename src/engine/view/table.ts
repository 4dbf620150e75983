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
  return readsAsName(text) && occurrences(text, '(') === occurrences(text, ')');
}

/** What a unit of ASCII is to a name. */
const sign = { other: 0, letter: 1, digit: 2, space: 3, stop: 4, dot: 5, never: 6 } as const;
const signs: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const text = String.fromCharCode(unit);
  if (/[A-Za-z]/.test(text)) return sign.letter;
  if (/\d/.test(text)) return sign.digit;
  if (/\s/.test(text)) return sign.space;
  if (/[!?,;:]/.test(text)) return sign.stop;
  if (text === '.') return sign.dot;
  return /[{}[\]<>=\\]/.test(text) ? sign.never : sign.other;
});

/** Has a letter, and nothing that names do not hold. ASCII is read unit by unit, in a quarter of the time. */
export function readsAsName(text: string): boolean {
  let hasLetter = false;
  let letters = 0;
  let digits = 0;
  // The unit before ends a sentence if nothing or white space stands behind it.
  let mayEnd = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return readsAsNamePlainly(text);
    const now = signs[unit];
    if (now === sign.never || (mayEnd && now === sign.space)) return false;
    mayEnd = now === sign.stop || (now === sign.dot && letters >= 6);
    letters = now === sign.letter ? letters + 1 : 0;
    digits = now === sign.digit ? digits + 1 : 0;
    if (digits === 4) return false;
    if (letters > 0) hasLetter = true;
  }
  return hasLetter && !mayEnd;
}

/** The plain twin. */
export function readsAsNamePlainly(text: string): boolean {
  return letter.test(text) && !notInNames.test(text);
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
