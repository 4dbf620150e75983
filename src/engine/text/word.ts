/**
 * Word borders for phrases. A letter or digit of a spaced script carries a border; scripts that are written
 * without spaces (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar) do not, so that a phrase may stand inside a run
 * of them. One bit a code unit, computed once from the engine's Unicode tables; surrogates count as no word.
 */
const wordPattern = /^[\p{L}\p{N}\p{M}_]$/u;

/** A character of a script that is written without spaces, or (Hangul) whose words run together with particles. */
export const unspacedPattern: RegExp =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const bordered: Uint8Array = Uint8Array.from({ length: 0x10000 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return wordPattern.test(character) && !unspacedPattern.test(character) ? 1 : 0;
});

/** True if the unit is part of a word of a spaced script. */
export function isWordUnit(unit: number): boolean {
  return bordered[unit] === 1;
}

/** True if `[start, end)` of `text` neither begins nor ends in the middle of a word. */
export function hasWordBorders(text: string, start: number, end: number): boolean {
  if (start > 0 && isWordUnit(text.charCodeAt(start)) && isWordUnit(text.charCodeAt(start - 1))) return false;
  return !(end < text.length && isWordUnit(text.charCodeAt(end - 1)) && isWordUnit(text.charCodeAt(end)));
}
