import type { PolicyCode } from './policy.js';
import type { Severity } from './severity.js';

/** What a rule's author wrote about it, for people. */
export interface RuleNotes {
  readonly why: string;
  /** What the rule is known not to see. */
  readonly misses: string;
  /** At most `limits.ruleExamplesMax` of each kind. */
  readonly examples: {
    readonly match: readonly string[];
    readonly clean: readonly string[];
    readonly near: readonly string[];
  };
}

/** A rule as people read about it, without its patterns. */
export interface RuleEntry extends RuleNotes {
  readonly id: string;
  readonly policy: PolicyCode;
  readonly label: string;
  readonly title: string;
  readonly severity: Severity;
  /** Above 0, up to 1. */
  readonly score: number;
  readonly references: readonly string[];
  /** Messages that it looks at. */
  readonly roles: readonly string[];
  /** Readings of a text in which it is looked for, besides the text itself. */
  readonly views: readonly string[];
}
