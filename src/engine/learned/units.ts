import { foldTable } from '../text/fold.js';

/**
 * What a UTF-16 unit is to the tokens of a learned model. `word`: part of a word; `digit`: the same, but a word of digits
 * only stands for any number; `single`: a token of its own, as are the signs that structure a prompt and the letters of
 * scripts that are written without spaces; `joiner`: an apostrophe, passed over inside of a word; `gap`: all else.
 */
export const unitKind = { gap: 0, word: 1, digit: 2, single: 3, joiner: 4 } as const;

/** Bits of an entry of `unitTable` that hold the kind. */
export const kindBits = 3;

const singleSigns = new Set(Array.from('[]{}<>#*|:', (sign) => sign.charCodeAt(0)));
/** Thai, kana, Han and Hangul. */
const unspaced = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

/**
 * For every UTF-16 unit its folded unit, shifted by `kindBits`, and its kind: 65,536 entries. Simple case folding as
 * of the engine; surrogates are gaps.
 */
export const unitTable: Uint32Array = Uint32Array.from({ length: 0x10000 }, (_, unit) => {
  return (foldTable[unit] << kindBits) | kindOf(unit);
});

function kindOf(unit: number): number {
  if (unit >= 0xd800 && unit < 0xe000) return unitKind.gap;
  if (singleSigns.has(unit)) return unitKind.single;
  if (unit === 0x27 || unit === 0x2019) return unitKind.joiner;
  const character = String.fromCharCode(unit);
  if (/\p{Nd}/u.test(character)) return unitKind.digit;
  if (!/[\p{L}\p{M}\p{N}_]/u.test(character)) return unitKind.gap;
  return unspaced.test(character) ? unitKind.single : unitKind.word;
}
