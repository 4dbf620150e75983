import type { TrainingSample } from './lesson-book.js';
import { seededRandom } from './random.js';

/**
 * Fold of each sample: attacks by family, so that what is judged is of a family that was not learned; benign samples
 * one by one, because thresholds set on families of benign texts came out far too strict (`docs/learned.md`), but for
 * ordinary ones: files of one package resemble one another, so their packages go whole. Families are shared out so that folds
 * hold like numbers of attacks.
 */
export function assignFolds(samples: readonly TrainingSample[], foldsMax: number, seed: number): Int32Array {
  const sizes = new Map<string, number>();
  for (const { isAttack, family } of samples) if (isAttack) sizes.set(family, (sizes.get(family) ?? 0) + 1);
  const count = Math.max(2, Math.min(foldsMax, sizes.size));
  const loads = new Array<number>(count).fill(0);
  const foldOf = new Map<string, number>();
  for (const [family, size] of [...sizes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))) {
    const fold = loads.indexOf(Math.min(...loads));
    loads[fold] += size;
    foldOf.set(family, fold);
  }
  const random = seededRandom(seed);
  const foldOfSource = new Map<string, number>();
  return Int32Array.from(samples, ({ isAttack, isOrdinary, family, source }) => {
    if (isAttack) return foldOf.get(family) ?? 0;
    const fold = (isOrdinary ? foldOfSource.get(source) : undefined) ?? Math.floor(random() * count);
    if (isOrdinary) foldOfSource.set(source, fold);
    return fold;
  });
}
