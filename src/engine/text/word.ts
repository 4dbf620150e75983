import { letterUnits, markUnits } from './all-units.js';

/*
 * Word borders for phrases. A letter, digit, mark or underscore of a spaced script carries a border; scripts that are
 * written without spaces (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar) do not, so that a phrase may stand inside a
 * run of them. One table for the units of the BMP; beyond it the code point is asked.
 */

/** Letters, digits, marks and the underscore, as the inside of a character class, for JavaScript's regexes and for RE2. */
export const wordCharacters: string = '\\p{L}\\p{N}\\p{M}_';

const wordPattern = new RegExp(`^[${wordCharacters}]$`, 'u');

/**
 * Scripts that are written without spaces, or (Hangul) whose words run together with particles, as the inside of a
 * character class: the same text for JavaScript's regexes and for RE2.
 */
export const unspacedScripts: string = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** A character of such a script. */
export const unspacedPattern: RegExp = new RegExp(`[${unspacedScripts}]`, 'u');

/** 1 for every unit that is part of a word of a spaced script; 65,536 entries. Surrogates are none. Never written after load. */
export const wordUnits: Uint8Array = letterUnits.slice();
wordUnits['_'.charCodeAt(0)] = 1;
markUnits(wordUnits, new RegExp(`[${unspacedScripts}]+`, 'gu'), 0);

/** True if the unit is part of a word of a spaced script. Surrogates are none: see `isWordBefore`, `isWordAt`. */
export function isWordUnit(unit: number): boolean {
  return wordUnits[unit] === 1;
}

/** True if the code point that ends before `offset` is part of a word of a spaced script. */
export function isWordBefore(text: string, offset: number): boolean {
  if (offset <= 0) return false;
  const unit = text.charCodeAt(offset - 1);
  if (unit < 0xdc00 || unit > 0xdfff || offset < 2) return wordUnits[unit] === 1;
  const point = text.codePointAt(offset - 2) as number;
  return point > 0xffff && isBordered(String.fromCodePoint(point));
}

/** True if the code point at `offset` is part of a word of a spaced script. */
export function isWordAt(text: string, offset: number): boolean {
  if (offset >= text.length) return false;
  const unit = text.charCodeAt(offset);
  if (unit < 0xd800 || unit > 0xdbff) return wordUnits[unit] === 1;
  const point = text.codePointAt(offset) as number;
  return point > 0xffff && isBordered(String.fromCodePoint(point));
}

/** True if `[start, end)` of `text` neither begins nor ends in the middle of a word. */
export function hasWordBorders(text: string, start: number, end: number): boolean {
  if (isWordAt(text, start) && isWordBefore(text, start)) return false;
  return !(isWordBefore(text, end) && isWordAt(text, end));
}

function isBordered(character: string): boolean {
  return wordPattern.test(character) && !unspacedPattern.test(character);
}
