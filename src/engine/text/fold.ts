import { unitsInOrder } from './all-units.js';
import { caseFoldingRuns, whiteSpaceUnits } from './casefold.generated.js';

/** The unit that every white space unit folds to. */
export const spaceUnit = 0x20;

/**
 * Folded unit of every UTF-16 unit: Unicode simple case folding over the BMP, white space to one space, all
 * else to itself. 65,536 entries; never written after load.
 *
 * Known limits, each with a test: `İ` (U+0130) has no simple folding and stays itself; `ß` stays itself and
 * `ẞ` folds to it, neither equals `ss`; `K` (U+212A) folds to `k`, `ſ` (U+017F) to `s`; surrogates stay
 * themselves, so cased scripts beyond the BMP (Deseret, Osage, Adlam …) are compared case-sensitively.
 */
export const foldTable: Uint16Array = buildFoldTable();

/**
 * Folds a needle's text the way the automaton folds a haystack: every unit through `foldTable`, every run of
 * white space to one space. Not length-preserving where white space repeats.
 */
export function foldText(text: string): string {
  let folded = '';
  let inSpace = false;
  for (let i = 0; i < text.length; i++) {
    const unit = foldTable[text.charCodeAt(i)];
    const isSpace = unit === spaceUnit;
    if (!(isSpace && inSpace)) folded += String.fromCharCode(unit);
    inSpace = isSpace;
  }
  return folded;
}

export function isSpaceUnit(unit: number): boolean {
  return foldTable[unit] === spaceUnit;
}

/** Units of white space in a text that follow on others. */
export function repeatedSpace(text: string): number {
  let count = 0;
  let before = false;
  for (let i = 0; i < text.length; i++) {
    const now = isSpaceUnit(text.charCodeAt(i));
    if (now && before) count++;
    before = now;
  }
  return count;
}

function buildFoldTable(): Uint16Array {
  const table = unitsInOrder();
  for (const [first, count, stride, difference] of caseFoldingRuns) {
    for (let i = 0; i < count; i++) table[first + i * stride] = first + i * stride + difference;
  }
  for (const unit of whiteSpaceUnits) table[unit] = spaceUnit;
  return table;
}
