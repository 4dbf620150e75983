import type { PolicyCode } from '../domain/policy.js';

/** What became of a case since the baseline; `policies`: the outcome stayed, but it is flagged as other policies. */
export type ChangeKind = 'newly_found' | 'newly_lost' | 'newly_flagged' | 'newly_clean' | 'policies';

/** A case whose verdict is not what it was. */
export interface CaseChange {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly source: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A group whose numbers are not what they were. */
export interface GroupChange {
  readonly table: 'policy' | 'source' | 'rule';
  readonly key: string;
  /** Found attacks and flagged benign samples. */
  readonly found: readonly [before: number, after: number];
  readonly flagged: readonly [before: number, after: number];
}

export interface Comparison {
  readonly ruleset: string;
  /** False where the baseline has no cases beside it: then only groups are compared. */
  readonly by_case: boolean;
  /** What both judged, where one judged other policies, too: nothing else is compared. */
  readonly policies?: readonly PolicyCode[];
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** Cases that only one of the two has. */
  readonly only_here: number;
  readonly only_in_baseline: number;
  /** The first of each kind. */
  readonly changes: readonly CaseChange[];
  readonly groups: readonly GroupChange[];
}
