import { limits } from '../../domain/limits.js';
import type { FoundMatch } from '../view/match-views.js';

/** What the matches of one policy in one message come to. */
export interface Evidence {
  /** 1 − Π(1 − score) where they say most, to four digits. */
  readonly score: number;
  /**
   * Those that stand where the threshold is reached, ordered by start. What a model is not sure of is left out where rules
   * reach it by themselves.
   */
  readonly convicting: readonly FoundMatch[];
}

/**
 * Weighs the matches of one policy in one message. Those that begin within `limits.evidenceUnits` of each other count
 * together, each rule once (a model's with the score that the model gave, the highest of several), and the place that says
 * most counts: a long document is judged by its worst page, for hints that stand somewhere in every book are no attack.
 * More matches never make the score lower. Cost: n log n and, where a rule comes or goes, the rules of the place.
 *
 * @param scoreOf of each rule by itself
 */
export function weigh(matches: readonly FoundMatch[], scoreOf: (rule: number) => number, threshold: number): Evidence {
  const byStart = matches.toSorted((a, b) => a.start - b.start);
  const place = new Place(scoreOf);
  const convicts = (score: number) => score > 0 && score >= threshold;
  const convicting: FoundMatch[] = [];
  let score = 0;
  let sureScore = 0;
  let first = 0;
  let shown = 0;
  for (const [last, match] of byStart.entries()) {
    for (; match.start - byStart[first].start > limits.evidenceUnits; first++) place.leave(byStart[first]);
    place.enter(match);
    const { sure, all } = place.scores();
    sureScore = Math.max(sureScore, sure);
    score = Math.max(score, all);
    if (!convicts(all)) continue;
    shown = Math.max(shown, first);
    for (; shown <= last; shown++) convicting.push(byStart[shown]);
  }
  if (!convicts(sureScore)) return { score, convicting };
  return { score, convicting: convicting.filter((match) => (match.score ?? 1) >= threshold) };
}

/** Matches that stand together, and what they come to. */
class Place {
  private readonly scoreOf: (rule: number) => number;
  /** Matches of each rule that is sure. */
  private readonly counts = new Map<number, number>();
  /** Matches that a model gave their score: a few in a message. */
  private readonly unsure = new Set<FoundMatch>();
  private known: { readonly sure: number; readonly all: number } | undefined;

  constructor(scoreOf: (rule: number) => number) {
    this.scoreOf = scoreOf;
  }

  enter(match: FoundMatch): void {
    if (match.score !== undefined) this.unsure.add(match);
    else if (this.count(match, 1) > 1) return;
    this.known = undefined;
  }

  leave(match: FoundMatch): void {
    if (match.score !== undefined) this.unsure.delete(match);
    else if (this.count(match, -1) > 0) return;
    else this.counts.delete(match.rule);
    this.known = undefined;
  }

  /** Of the rules alone, and together with what models say. */
  scores(): { readonly sure: number; readonly all: number } {
    this.known ??= this.weigh();
    return this.known;
  }

  private weigh(): { readonly sure: number; readonly all: number } {
    let innocence = 1;
    for (const rule of this.counts.keys()) innocence *= 1 - this.scoreOf(rule);
    const sure = roundScore(1 - innocence);
    const highest = new Map<number, number>();
    for (const { rule, score = 0 } of this.unsure) highest.set(rule, Math.max(score, highest.get(rule) ?? 0));
    for (const score of highest.values()) innocence *= 1 - score;
    return { sure, all: roundScore(1 - innocence) };
  }

  private count({ rule }: FoundMatch, by: 1 | -1): number {
    const count = (this.counts.get(rule) ?? 0) + by;
    this.counts.set(rule, count);
    return count;
  }
}

/** To four digits, so that sums like 1 − 0.7 × 0.8 meet thresholds as their authors reckon them. */
function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
