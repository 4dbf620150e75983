import type { PolicyCode } from './policy.js';
import type { Severity } from './severity.js';

/** What people see of one or more matches of one policy over the same span. Offsets are UTF-16 units. */
export interface Finding {
  readonly messageId: number;
  readonly start: number;
  readonly end: number;
  readonly policy: PolicyCode;
  /** Labels of the rules that matched here, sorted, without repeats. */
  readonly labels: readonly string[];
  /** Ids of the rules that matched here, sorted, without repeats. */
  readonly ruleIds: readonly string[];
  /** The gravest severity among those rules. */
  readonly severity: Severity;
  /** Kinds of views through which it was found; absent where it stands in the text as sent. */
  readonly via?: readonly string[];
  /** What a learned model gives it, above 0 and below 1; absent where only rules found it. */
  readonly score?: number;
}

/** The outcome of judging one scan under one profile. */
export interface Verdict {
  /** True if at least one enforced policy reached its threshold. */
  readonly flagged: boolean;
  /** Policies (enforced or monitored) that reached their threshold, in order of code. */
  readonly policies: readonly PolicyCode[];
  /** Highest score of each enabled policy that scored above zero, over all messages; from 0 to 1. */
  readonly scores: Readonly<Partial<Record<PolicyCode, number>>>;
  /** Findings of the policies in `policies`, ordered by message, start, end, policy. */
  readonly findings: readonly Finding[];
  /** True if a limit on matches cut findings off. Scores and `flagged` stay true. */
  readonly truncated: boolean;
}
