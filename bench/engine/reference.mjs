import { foldText } from '../../dist/engine/text/fold.js';

/**
 * What an engine claims to count. `every`: each occurrence of each needle, overlapping ones too, upper and lower
 * case alike; `every-ascii`: the same with only A to Z and a to z alike; `leftmost`: occurrences from left to right
 * without overlap, at one place the needle that stands first in the list; `distinct`: needles that occur, per text;
 * `verdict`: findings of a full scan; `own`: something else, shown and compared with nothing.
 * @typedef {'every' | 'every-ascii' | 'leftmost' | 'distinct' | 'verdict' | 'own'} Claim
 */

/** Units that the index of needles is keyed by; no needle is shorter. */
export const needleUnitsMin = 5;
const keyUnits = 4;

/**
 * A naive search, independent of every engine.
 * @param {readonly string[]} needles folded
 */
export function createReference(needles) {
  const byKey = new Map();
  needles.forEach((needle, number) => {
    const key = needle.slice(0, keyUnits);
    const list = byKey.get(key) ?? [];
    list.push({ needle, number });
    byKey.set(key, list);
  });
  const occurrences = (text) => {
    const found = [];
    for (let start = 0; start + keyUnits <= text.length; start++) {
      for (const { needle, number } of byKey.get(text.slice(start, start + keyUnits)) ?? []) {
        if (text.startsWith(needle, start)) found.push({ number, start, end: start + needle.length });
      }
    }
    return found;
  };
  /** Gives for a corpus and a number of its first texts the count of each claim. */
  return ({ texts }) => {
    const totals = [{ every: 0, 'every-ascii': 0, leftmost: 0, distinct: 0 }];
    for (const text of texts) {
      const found = occurrences(foldText(text));
      const before = totals[totals.length - 1];
      totals.push({
        every: before.every + found.length,
        'every-ascii': before['every-ascii'] + occurrences(lowerAscii(text)).length,
        leftmost: before.leftmost + countLeftmost(found),
        distinct: before.distinct + new Set(found.map(({ number }) => number)).size,
      });
    }
    return (upTo) => totals[upTo];
  };
}

function lowerAscii(text) {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** `found` is ordered by start and, within it, by number. */
function countLeftmost(found) {
  let count = 0;
  let end = 0;
  for (const occurrence of found) {
    if (occurrence.start < end) continue;
    count++;
    end = occurrence.end;
  }
  return count;
}
