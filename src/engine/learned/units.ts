import { foldTable } from '../text/fold.js';

/**
 * What a UTF-16 unit is to the tokens of a learned model. `word`: part of a word; `digit`: the same, but a word of digits
 * only stands for any number; `single`: a token of its own, as are the signs that structure a prompt and the letters of
 * scripts that are written without spaces; `joiner`: an apostrophe, passed over inside of a word; `gap`: all else. Bits
 * for the kernel, the highest for what runs of units are made of.
 */
export const unitKind = { gap: 0, word: 0x81, digit: 0x82, single: 0x40, joiner: 0x88 } as const;

/** Bits of an entry of the unit table below the folded unit: the kind. */
export const kindBits = 16;

/**
 * For every UTF-16 unit its folded unit, shifted by `kindBits`, and its kind: 65,536 entries. Simple case folding as
 * of the engine; surrogates are gaps. Made where it is first asked for, in a few milliseconds: most processes open a
 * program that holds it.
 */
export function unitTable(): Uint32Array {
  table ??= buildTable();
  return table;
}

import { allUnits } from '../text/all-units.js';

let table: Uint32Array | undefined;

const wordRuns = /[\p{L}\p{M}\p{N}_]+/gu;
const digitRuns = /\p{Nd}+/gu;
const singleSigns = /[[\]{}<>#*|:]+/g;
/** Thai, kana, Han and Hangul. */
const unspacedRuns = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+/g;
const joiners = /['\u2019]/g;

function buildTable(): Uint32Array {
  const built = new Uint32Array(foldTable).map((folded) => folded << kindBits);
  const mark = (runs: RegExp, kindOf: (before: number) => number): void => {
    for (const { index, 0: run } of allUnits.matchAll(runs)) {
      for (let unit = index; unit < index + run.length; unit++) {
        const before = built[unit] & 0xffff;
        built[unit] += kindOf(before) - before;
      }
    }
  };
  mark(wordRuns, () => unitKind.word);
  mark(unspacedRuns, (before) => (before === unitKind.word ? unitKind.single : unitKind.gap));
  mark(digitRuns, () => unitKind.digit);
  mark(singleSigns, () => unitKind.single);
  mark(joiners, () => unitKind.joiner);
  return built;
}
