import { isWordUnit } from '../text/word.js';

/** `İ`, of which there is no small letter in the folding that all languages share; and what its word is written with besides. */
export const dottedCapital = 0x130;
const dotless = 'ı';
/** Of Turkish words, beside those of ASCII. Other letters are folded in other ways, and one word is folded in one. */
const capitals = 'İÖÜÇŞĞÂÎÛ';
const wordMax = 64;

/**
 * The word of capitals around a `İ`, small as Turkish has it: `İ` becomes `i`, `I` becomes `ı`. Letters that need
 * it, by their places; none where the word has other letters, as names at the beginning of a sentence have.
 */
export function smallLetters(text: string, at: number): readonly (readonly [place: number, letter: string])[] {
  let start = at;
  while (start > 0 && at - start < wordMax && isWordUnit(text.charCodeAt(start - 1))) start--;
  const letters: [number, string][] = [];
  let end = start;
  for (; end - at < wordMax && isWordUnit(text.charCodeAt(end)); end++) {
    const unit = text.charCodeAt(end);
    if (unit >= 0x80 ? !capitals.includes(text[end] ?? '') : unit >= 0x61) return [];
    if (unit === dottedCapital) letters.push([end, 'i']);
    else if (unit === 0x49) letters.push([end, dotless]);
  }
  return end - start < lettersMin ? [] : letters;
}

const lettersMin = 3;
