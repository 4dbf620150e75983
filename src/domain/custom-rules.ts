import type { PolicyCode } from './policy.js';
import type { Severity } from './severity.js';

/**
 * An organization's own rules as they are written: the form of a rule pack, with a policy for each rule, and less of it
 * required. The same shape on the wire, in a file and in the store.
 */
export interface CustomRules {
  readonly rules: readonly CustomRule[];
  readonly allow: readonly AllowedPhrase[];
}

export interface CustomRule {
  /** `ORG-` and four digits; given by the service where it is left out, and kept from then on. */
  readonly id?: string;
  readonly policy: PolicyCode;
  /** Names the detector `<policy>:<label>`. */
  readonly label?: string;
  readonly title?: string;
  readonly severity?: Severity;
  /** Above 0, up to 1. */
  readonly score?: number;
  /** Messages that the rule looks at; all when left out. */
  readonly roles?: readonly CustomRole[];
  readonly patterns: readonly CustomPattern[];
  readonly why?: string;
  readonly misses?: string;
  readonly references?: readonly string[];
  /** Run whenever the rules are checked. */
  readonly examples?: CustomExamples;
}

/** What a custom rule has where it does not say. It convicts alone in every shipped profile, as whoever writes down a phrase expects. */
export const customRuleDefaults = { label: 'custom', title: 'Custom rule', severity: 'high', score: 0.9 } as const;

export const customRoles = ['system', 'user', 'assistant', 'tool'] as const;
type CustomRole = (typeof customRoles)[number];

/** A phrase or a regex, never both; the other keys go with a regex only. */
export interface CustomPattern {
  readonly phrase?: string;
  readonly regex?: string;
  readonly ignore_case?: boolean;
  readonly validate?: readonly string[];
  readonly unless?: readonly string[];
}

interface CustomExamples {
  readonly match?: readonly string[];
  readonly clean?: readonly string[];
  readonly near?: readonly string[];
}

/** Matches within this phrase do not count, where they are of one of the named policies or rules. */
export interface AllowedPhrase {
  readonly phrase: string;
  readonly policies?: readonly PolicyCode[];
  /** Ids of shipped rules or of the organization's own. */
  readonly rules?: readonly string[];
  readonly why?: string;
  /** Who answers for it. */
  readonly owner?: string;
  /** RFC 3339; from then on it allows nothing any more. */
  readonly expires_at?: string;
}

/** An organization's rules as the store keeps them. */
export interface StoredCustomRules extends CustomRules {
  readonly organizationId: string;
  /** Hash of the rules and the allow-list: 32 hex digits. */
  readonly version: string;
  /** Highest number of an id that was ever given, so that none is given twice. Ids that were named far beyond it do not count. */
  readonly lastNumber: number;
  /** Milliseconds since the Unix epoch. */
  readonly updatedAt: number;
  /** User who saved them over the API; absent where it was done on the command line. */
  readonly updatedBy?: string;
  /** Counts the changes of this organization's rules, removals too; absent in rules that were saved before changes were counted. */
  readonly revision?: number;
}

/** One of the states that an organization's rules were in. A removal is a state without rules, with an empty version. */
export type CustomRulesRevision = StoredCustomRules & { readonly revision: number };

/** Something that is wrong with an organization's rules, or worth knowing about them. */
export interface CustomDiagnostic {
  /** Code of `rules check`: `E…` keeps the rules from being saved, `W…` does not. */
  readonly code: string;
  /** JSON pointer (RFC 6901) to what it is about, e.g. `/rules/0/patterns/2/regex`. */
  readonly pointer: string;
  /** Character of that text, from 0, in UTF-16 units; 0 where it is about the whole. */
  readonly character: number;
  readonly message: string;
}

/** What checking an organization's rules gives. */
export interface CustomRulesReport {
  /** Errors first; the first `limits.problemErrorsMax`. */
  readonly diagnostics: readonly CustomDiagnostic[];
  readonly patterns: number;
  readonly needles: number;
  /** Examples that were run; none where the rules do not compile. */
  readonly examples: number;
  /** Size of the compiled program. */
  readonly programBytes: number;
}

/** Number that an id of a custom rule ends in. */
export function customRuleNumber(id: string): number {
  return Number(id.slice(customRulePrefix.length));
}

/** The id of a custom rule: a namespace of its own, because ids of shipped rules begin with their policy. */
export function customRuleId(number: number): string {
  return `${customRulePrefix}${String(number).padStart(4, '0')}`;
}

const customRulePrefix = 'ORG-';
