import type { Profile } from '../engine/judge/profile.js';
import type { Program } from '../engine/program.js';
import { ClusterTally } from './clusters.js';
import { type Group, Groups, macroRecall } from './groups.js';
import { rateOf } from './interval.js';
import { type Judged, outcomeOf } from './judged.js';
import { PolicyTally } from './policy-tally.js';
import type { Preview } from './preview.js';
import type { EvalTables } from './result.js';
import { RuleTally } from './rule-tally.js';
import { SpanTally } from './spans.js';
import type { Weigher } from './weighed.js';

export interface EvaluationOptions {
  /** Types of labelled spans that count. */
  readonly spanTypes: readonly string[];
  /** Sources whose benign labels are in doubt: reported like others, left out of one of the totals. */
  readonly debatable: readonly string[];
  readonly preview: Preview;
}

/** Takes judged samples one by one and makes the tables of a result. Memory does not grow with the samples. */
export class Evaluation {
  private readonly profile: Profile;
  private readonly debatable: ReadonlySet<string>;
  private readonly sources = new Groups();
  private readonly languages = new Groups();
  private readonly attackTypes = new Groups();
  private readonly roles = new Groups();
  private readonly policies = new PolicyTally();
  private readonly rules: RuleTally;
  private readonly spans: SpanTally;
  private readonly clusters: ClusterTally;
  private readonly counts = { attacks: 0, found: 0, benign: 0, flagged: 0, doubted: 0, doubtedFlagged: 0 };

  constructor(
    program: Program,
    profile: Profile,
    weigher: Weigher,
    { spanTypes, debatable, preview }: EvaluationOptions,
  ) {
    this.profile = profile;
    this.debatable = new Set(debatable);
    this.rules = new RuleTally(program, weigher);
    this.spans = new SpanTally(spanTypes);
    this.clusters = new ClusterTally(program, preview);
  }

  add(judged: Judged): void {
    const { sample } = judged;
    const outcome = outcomeOf(judged);
    const isHit = outcome === 'found' || outcome === 'flagged';
    this.count(judged, isHit);
    this.sources.add(sample.source, sample.isAttack, isHit);
    this.languages.add(sample.lang, sample.isAttack, isHit);
    this.attackTypes.add(sample.isAttack ? sample.attackType : '(benign)', sample.isAttack, isHit);
    this.roles.add(sample.role, sample.isAttack, isHit);
    this.policies.add(judged);
    this.rules.add(judged);
    this.spans.add(judged);
    this.clusters.add(judged);
  }

  tables(): EvalTables {
    const { attacks, found, benign, flagged, doubted, doubtedFlagged } = this.counts;
    const sources = this.sources.list();
    const total = this.spans.total();
    return {
      totals: {
        recall: rateOf(found, attacks),
        macro_recall: macroRecall(sources),
        false_positives: rateOf(flagged, benign),
        precision: rateOf(found, found + flagged),
        ...(this.debatable.size > 0
          ? { false_positives_undebated: rateOf(flagged - doubtedFlagged, benign - doubted) }
          : {}),
      },
      policies: this.policies.list(this.profile),
      sources,
      languages: this.languages.list(),
      attack_types: this.attackTypes.list(),
      roles: this.roles.list(),
      rules: this.rules.list((policy) => this.policies.attacksOf(policy), benign),
      ...(total ? { spans: { total, sources: this.spans.sources(), types: this.spans.typesFound() } } : {}),
      worst: {
        misses: this.clusters.misses(sizeOf(sources, ({ recall }) => recall.n)),
        false_positives: this.clusters.falsePositives(sizeOf(sources, ({ false_positives }) => false_positives.n)),
      },
    };
  }

  /** As of `SpanTally`. */
  uncountedTypes(): readonly string[] {
    return this.spans.uncountedTypes();
  }

  private count({ sample }: Judged, isHit: boolean): void {
    const { counts } = this;
    if (sample.isAttack) {
      counts.attacks++;
      if (isHit) counts.found++;
      return;
    }
    const isDoubted = this.debatable.has(sample.source);
    counts.benign++;
    if (isDoubted) counts.doubted++;
    if (!isHit) return;
    counts.flagged++;
    if (isDoubted) counts.doubtedFlagged++;
  }
}

function sizeOf(groups: readonly Group[], size: (group: Group) => number): (key: string) => number {
  const sizes = new Map(groups.map((group) => [group.key, size(group)]));
  return (key) => sizes.get(key) ?? 0;
}
