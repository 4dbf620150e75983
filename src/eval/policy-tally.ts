import { type PolicyCode, type PolicyMode, policyCodes } from '../domain/policy.js';
import type { Profile } from '../engine/judge/profile.js';
import { type Group, Groups, macroRecall } from './groups.js';
import { type Rate, rateOf } from './interval.js';
import { isFlaggedAs, type Judged } from './judged.js';

/** One threshold of a policy and what it would do. */
interface CurvePoint {
  readonly threshold: number;
  /** Attacks labelled with the policy whose score reaches it. */
  readonly found: number;
  /** Benign samples whose score reaches it. */
  readonly flagged: number;
}

/** How one policy does. */
export interface PolicyResult {
  readonly policy: PolicyCode;
  readonly mode: PolicyMode;
  readonly threshold: number;
  /** Attacks labelled with it that are flagged as it, of all. */
  readonly recall: Rate;
  /** Recall averaged over sources; those without triggers are left out. */
  readonly macro_recall: { readonly rate: number; readonly sources: number };
  /** Benign samples flagged as it, of all. */
  readonly false_positives: Rate;
  /** Of its attacks and the benign samples flagged as it, the attacks. Depends on how many there are of each. */
  readonly precision: Rate;
  /** Attacks of other policies flagged as it. */
  readonly elsewhere: number;
  readonly sources: readonly Group[];
  /** Every threshold that makes a difference, falling: the operating curve. */
  readonly curve: readonly CurvePoint[];
}

interface Counts {
  attacks: number;
  found: number;
  flagged: number;
  elsewhere: number;
  readonly sources: Groups;
  /** Attacks and benign samples by score. Scores have four digits, so there are at most 10,001 of them. */
  readonly byScore: Map<number, { attacks: number; benign: number }>;
}

/** Counts by policy. */
export class PolicyTally {
  private readonly counts: ReadonlyMap<PolicyCode, Counts>;
  private benign = 0;

  constructor() {
    const fresh = (): Counts => ({
      attacks: 0,
      found: 0,
      flagged: 0,
      elsewhere: 0,
      sources: new Groups(),
      byScore: new Map(),
    });
    this.counts = new Map(policyCodes.map((code) => [code, fresh()]));
  }

  add(judged: Judged): void {
    const { sample, scores } = judged;
    if (!sample.isAttack) this.benign++;
    for (const [code, counts] of this.counts) {
      const isHit = isFlaggedAs(judged, code);
      const isOwn = sample.policies.includes(code);
      if (isOwn) {
        counts.attacks++;
        counts.sources.add(sample.source, true, isHit);
      }
      if (isHit) {
        if (isOwn) counts.found++;
        else if (sample.isAttack) counts.elsewhere++;
        else counts.flagged++;
      }
      const score = scores[code] ?? 0;
      if (score > 0 && (isOwn || !sample.isAttack)) addScore(counts, score, sample.isAttack);
    }
  }

  attacksOf(policy: PolicyCode): number {
    return this.counts.get(policy)?.attacks ?? 0;
  }

  list(profile: Profile): readonly PolicyResult[] {
    return [...this.counts].map(([policy, counts], index) => {
      const sources = counts.sources.list();
      return {
        policy,
        ...profile.settings[index],
        recall: rateOf(counts.found, counts.attacks),
        macro_recall: macroRecall(sources),
        false_positives: rateOf(counts.flagged, this.benign),
        precision: rateOf(counts.found, counts.found + counts.flagged),
        elsewhere: counts.elsewhere,
        sources,
        curve: curveOf(counts),
      };
    });
  }
}

function addScore({ byScore }: Counts, score: number, isAttack: boolean): void {
  const at = byScore.get(score) ?? { attacks: 0, benign: 0 };
  if (isAttack) at.attacks++;
  else at.benign++;
  byScore.set(score, at);
}

function curveOf({ byScore }: Counts): readonly CurvePoint[] {
  let found = 0;
  let flagged = 0;
  return [...byScore]
    .sort(([a], [b]) => b - a)
    .map(([threshold, { attacks, benign }]) => {
      found += attacks;
      flagged += benign;
      return { threshold, found, flagged };
    });
}
