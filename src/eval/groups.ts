import { limits } from '../domain/limits.js';
import { meanOf, type Rate, rateOf } from './interval.js';
import { isWithoutTrigger } from './sample.js';

/** Samples that have something in common, and how many of them were found or flagged. */
export interface Group {
  readonly key: string;
  /** Attacks found, of all. */
  readonly recall: Rate;
  /** Benign samples flagged, of all. */
  readonly false_positives: Rate;
}

interface Counts {
  attacks: number;
  found: number;
  benign: number;
  flagged: number;
}

/** Name of the group that takes the rest once there are `limits.evalGroupsMax` of them. */
export const restKey = '(others)';

/** Counts outcomes by a key. Memory is bounded by `limits.evalGroupsMax` however many keys the data has. */
export class Groups {
  private readonly counts = new Map<string, Counts>();

  add(key: string, isAttack: boolean, isHit: boolean): void {
    const counts = this.countsOf(key);
    if (isAttack) {
      counts.attacks++;
      if (isHit) counts.found++;
    } else {
      counts.benign++;
      if (isHit) counts.flagged++;
    }
  }

  /** Ordered by key. */
  list(): readonly Group[] {
    return [...this.counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { attacks, found, benign, flagged }]) => ({
        key,
        recall: rateOf(found, attacks),
        false_positives: rateOf(flagged, benign),
      }));
  }

  private countsOf(key: string): Counts {
    const known = this.counts.get(key);
    if (known) return known;
    if (this.counts.size >= limits.evalGroupsMax && key !== restKey) return this.countsOf(restKey);
    const counts = { attacks: 0, found: 0, benign: 0, flagged: 0 };
    this.counts.set(key, counts);
    return counts;
  }
}

/** Recall averaged over sources, each counting the same, and how many they were. Sources without triggers are left out. */
export function macroRecall(sources: readonly Group[]): { readonly rate: number; readonly sources: number } {
  const counted = sources.filter(({ key, recall }) => recall.n > 0 && !isWithoutTrigger(key));
  return { rate: meanOf(counted.map(({ recall }) => recall.rate)), sources: counted.length };
}
