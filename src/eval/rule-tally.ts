import type { PolicyCode } from '../domain/policy.js';
import type { Program } from '../engine/program.js';
import { type Rate, rateOf } from './interval.js';
import type { Judged } from './judged.js';
import type { Weigher } from './weighed.js';

/** What one rule brings, in samples. It is counted where it hit, whether or not its policy reached the threshold. */
export interface RuleYield {
  readonly id: string;
  readonly policy: PolicyCode;
  readonly label: string;
  readonly score: number;
  /** Attacks labelled with its policy that it hit, of all. */
  readonly recall: Rate;
  /** Benign samples that it hit, of all. */
  readonly false_positives: Rate;
  /** Of attacks of its policy and benign samples that it hit, the attacks. */
  readonly precision: Rate;
  /** Attacks of other policies that it hit. */
  readonly elsewhere: number;
  /** Attacks of its policy that would not reach the threshold without it: what removing it would lose. */
  readonly decisive_attacks: number;
  /** Benign samples that would not reach the threshold without it: what removing it would spare. */
  readonly decisive_benign: number;
}

/** Counts by rule. Memory: some numbers for each rule of the program. */
export class RuleTally {
  private readonly program: Program;
  private readonly weigher: Weigher;
  private readonly counts: { attacks: number; elsewhere: number; benign: number; kept: number; spared: number }[];

  constructor(program: Program, weigher: Weigher) {
    this.program = program;
    this.weigher = weigher;
    this.counts = program.rules.map(() => ({ attacks: 0, elsewhere: 0, benign: 0, kept: 0, spared: 0 }));
  }

  add({ sample, rules, policies, all }: Judged): void {
    for (const place of rules.flatMap((id) => this.weigher.placeOf(id) ?? [])) {
      const counts = this.counts[place];
      const { policy } = this.program.rules[place];
      const isDecisive = policies.includes(policy) && !this.weigher.weigh(all, policy, place).isReached;
      if (!sample.isAttack) {
        counts.benign++;
        if (isDecisive) counts.spared++;
      } else if (sample.policies.includes(policy)) {
        counts.attacks++;
        if (isDecisive) counts.kept++;
      } else counts.elsewhere++;
    }
  }

  /** In the program's order. `attacksOf` and `benign` are what the shares are of. */
  list(attacksOf: (policy: PolicyCode) => number, benign: number): readonly RuleYield[] {
    return this.program.rules.map(({ id, policy, label, score }, place) => {
      const counts = this.counts[place];
      return {
        id,
        policy,
        label,
        score,
        recall: rateOf(counts.attacks, attacksOf(policy)),
        false_positives: rateOf(counts.benign, benign),
        precision: rateOf(counts.attacks, counts.attacks + counts.benign),
        elsewhere: counts.elsewhere,
        decisive_attacks: counts.kept,
        decisive_benign: counts.spared,
      };
    });
  }
}
