import type { PolicyCode } from '../domain/policy.js';
import type { Cluster } from './clusters.js';
import type { Comparison } from './comparison.js';
import type { Group } from './groups.js';
import type { Rate } from './interval.js';
import { type Judged, type Outcome, outcomeOf } from './judged.js';
import type { PolicyResult } from './policy-tally.js';
import type { Preview } from './preview.js';
import type { RuleYield } from './rule-tally.js';
import type { SpanGroup, SpanType } from './spans.js';

/** What is counted of the samples. */
export interface EvalTables {
  readonly totals: {
    readonly recall: Rate;
    readonly macro_recall: { readonly rate: number; readonly sources: number };
    readonly false_positives: Rate;
    readonly precision: Rate;
    /** Without the sources whose labels are in doubt, where some were named. */
    readonly false_positives_undebated?: Rate;
  };
  /** All, or those that alone were judged; the rules likewise. */
  readonly policies: readonly PolicyResult[];
  readonly sources: readonly Group[];
  readonly languages: readonly Group[];
  readonly attack_types: readonly Group[];
  readonly roles: readonly Group[];
  readonly rules: readonly RuleYield[];
  /** Absent where no spans are labelled. */
  readonly spans?: {
    readonly total: SpanGroup;
    readonly sources: readonly SpanGroup[];
    readonly types: readonly SpanType[];
  };
  /** Samples that were judged wrongly, by source and reason, largest cluster first. */
  readonly worst: { readonly misses: readonly Cluster[]; readonly false_positives: readonly Cluster[] };
}

/** A line of labelled data that could not be judged. */
export interface BadLine {
  readonly file: string;
  readonly line: number;
  readonly error: string;
}

/** `result.json`: one evaluation. Shares are 0 to 1, intervals Wilson's at 95 %. */
export interface EvalResult extends EvalTables {
  readonly version: 1;
  readonly data: {
    readonly files: readonly string[];
    readonly samples: number;
    /** Attacks of none of the policies that alone were to be judged; absent where there are none. */
    readonly left_out?: number;
    /** Samples with more matches than are kept, so that values behind those count as missed; absent where there are none. */
    readonly truncated?: number;
    readonly bad_lines: number;
    /** The first of them. */
    readonly errors: readonly BadLine[];
  };
  readonly profile: string;
  /** SHA-256 of the compiled rules. */
  readonly ruleset: string;
  readonly revision: string;
  readonly seconds: number;
  /** Name of the file beside this one that holds every case, where it was written. */
  readonly cases?: string;
  readonly comparison?: Comparison;
}

/** One line of `cases.jsonl`. */
export interface CaseLine {
  readonly id: string;
  readonly source: string;
  readonly outcome: Outcome;
  /** What it is labelled with. */
  readonly labelled: readonly PolicyCode[];
  readonly policies: readonly PolicyCode[];
  readonly scores: Judged['scores'];
  readonly rules: readonly string[];
  /** Of cases that were judged wrongly. */
  readonly preview?: string;
}

export function caseLine(judged: Judged, preview: Preview): CaseLine {
  const { sample, policies, scores, rules } = judged;
  const outcome = outcomeOf(judged);
  const isWrong = outcome === 'missed' || outcome === 'flagged';
  return {
    id: sample.id,
    source: sample.source,
    outcome,
    labelled: sample.policies,
    policies,
    scores,
    rules,
    ...(isWrong ? { preview: preview(judged) } : {}),
  };
}
