import type { PolicyCode } from '../domain/policy.js';
import type { RoleClass } from '../domain/role.js';
import type { RuleNotes } from '../domain/rule-entry.js';
import type { Severity } from '../domain/severity.js';
import type { Automaton } from './automaton/automaton.js';
import type { Model } from './learned/model.js';
import type { Outputs } from './outputs.js';

/**
 * A compiled ruleset: immutable, and apart from `rules`, `patterns` and the other small lists a view over one shared
 * memory that all threads read. `encodeProgram` makes one, `decodeProgram` opens one.
 */
export interface Program {
  /** Shared; the program lies at its start, behind it the scratch of the threads. */
  readonly memory: WebAssembly.Memory;
  /** Bytes of the memory that are the program. */
  readonly bytesLength: number;
  /** SHA-256 (hex) of the rules it was compiled from. */
  readonly hash: string;
  readonly rules: readonly ProgramRule[];
  readonly patterns: readonly ProgramPattern[];
  /** Every `<policy>:<label>`, ordered by policy, then label. */
  readonly detectors: readonly Detector[];
  /** Folded text of every needle; its place is its number in the automata. */
  readonly needles: readonly string[];
  /** Up to three: needles of ASCII, those of them that no user's message is searched for, and all others. */
  readonly automata: readonly Automaton[];
  /** What each needle is for. */
  readonly outputs: Outputs;
  /** What was learned from examples, beside the rules; their tables are views over the memory. */
  readonly models: readonly ProgramModel[];
  /** `unitTable` of the models' tokens, once for all threads; empty where there is no model. */
  readonly units: Uint32Array;
  /** What their phrases are made of. */
  readonly words: PhraseWords;
  /** What people read about each rule; parsed each time, in a millisecond. None where none were given. */
  readonly notes: readonly RuleNotes[];
  /** The program's bytes; outputs name their flanks by address in them. */
  readonly bytes: Uint8Array;
}

/** English words, in small letters, by which readings of disguised text are told from others; `view/phrase-words.ts` gathers them. */
export interface PhraseWords {
  /** Common ones and those of all phrases, without misspelt ones. */
  readonly vocabulary: readonly string[];
  /** Those of the vocabulary that misspelling may hide, the most frequent ones first. */
  readonly meant: readonly string[];
  /** How those are told by damaged spellings of them; `view/speller.ts` makes and reads it. */
  readonly spellings: Int32Array;
}

export interface ProgramModel {
  /** Of its file, without the extension. */
  readonly name: string;
  readonly model: Model;
}

export interface Detector {
  readonly policy: PolicyCode;
  readonly label: string;
}

/** The detectors of rules: every `<policy>:<label>` once, ordered by policy, then label. */
export function detectorsOf(rules: readonly ProgramRule[]): readonly Detector[] {
  const byId = new Map<string, Detector>();
  for (const { policy, label } of rules) byId.set(`${policy}:${label}`, { policy, label });
  return [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, detector]) => detector);
}

/** Kinds of texts that rules spare. */
export const spared = ['documentation', 'manuals'] as const;
export type Spared = (typeof spared)[number];

/** A rule's place in `Program.rules` is its rule index: what profile masks are over. */
export interface ProgramRule {
  readonly id: string;
  readonly policy: PolicyCode;
  readonly label: string;
  readonly title: string;
  readonly severity: Severity;
  /** Above 0, up to 1. */
  readonly score: number;
  /** Bit set of `RoleClass`. */
  readonly roles: number;
  /** Bit set of `viewKinds`: readings of a text in which the rule is looked for, besides the text itself. */
  readonly views: number;
  /** Texts in which some of what it finds is no match; see `judge/documentation.ts` and `judge/manual.ts`. */
  readonly spares: readonly Spared[];
  /** By role class, of a rule that a model speaks for: what the model says less surely in such messages is no match. */
  readonly least?: Readonly<Partial<Record<RoleClass, number>>>;
  readonly references: readonly string[];
  /** Index of the rule whose patterns are this one's as well; absent where a rule has its own. That one has its own. */
  readonly patternsOf?: number;
}

/** By rule: the other rules that share its patterns, ascending; undefined for nearly all. */
export function sharersOf(rules: readonly ProgramRule[]): readonly (readonly number[] | undefined)[] {
  const sharers = rules.map((): number[] | undefined => undefined);
  rules.forEach(({ patternsOf }, rule) => {
    if (patternsOf === undefined) return;
    const known = sharers[patternsOf];
    if (known) known.push(rule);
    else sharers[patternsOf] = [rule];
  });
  return sharers;
}

/** True if a rule, by its index, is on in a mask and looks at messages of a role. */
export function isAsked({ rules }: Program, rule: number, role: number, mask: Uint8Array): boolean {
  return mask[rule] === 1 && (rules[rule].roles & role) !== 0;
}

/** What code finds, instead of a pattern. */
export const detections = [
  'hidden-text',
  'learned',
  'learned-payloads',
  'learned-tools',
  'learned-agents',
  'learned-deeds',
  'learned-leaks',
  'repetition',
  'token-salad',
  'unread-views',
] as const;
export type Detection = (typeof detections)[number];

/** Collapsed units on either side of a place. */
export interface Reach {
  readonly before: number;
  readonly after: number;
}

export interface ProgramPattern {
  /** Index of the rule that it belongs to; those with that rule as their `patternsOf` match by it, too. */
  readonly rule: number;
  /**
   * `exact`: the needles are all spellings, a needle with word borders is a match; `gated`: the regex runs where a
   * needle of each gate was seen; `ungated`: the regex runs on every message that passes the shared set.
   */
  readonly kind: 'exact' | 'gated' | 'ungated';
  /** RE2 source, Unicode mode; empty where there is a `phrase`, of which `regexSourceOf` makes it. */
  readonly source: string;
  readonly ignoreCase: boolean;
  /** The phrase as written, where the pattern is one of a spaced script: matched by `compilePhraseMatcher`. */
  readonly phrase?: string | undefined;
  /** True where a match must begin and end at word borders (`hasWordBorders`). */
  readonly bordered: boolean;
  /** Sets of needles of which one of each stands in every match. One set for `exact`, none for `ungated`. */
  readonly gateCount: number;
  /** Collapsed units that a match spans at the most; 0 = unbounded, run on the whole text. */
  readonly windowUnits: number;
  /** Where it is bounded, how far it reaches at the most before and after the end of the last gate's needle. */
  readonly reach: Reach;
  /** Names of validators that the hit must pass, all of them. */
  readonly validate: readonly string[];
  /** Lowercase texts that make the hit a known dummy. */
  readonly unless: readonly string[];
  /** Lowercase texts that make a hit none where one of them stands shortly before it on its line. */
  readonly unlessBefore?: readonly string[] | undefined;
  /** Lowercase words that make a hit none where one of them stands directly before it, but for signs and white space. */
  readonly unlessAfter?: readonly string[] | undefined;
  /** The pattern is no text but what the code of this name finds; then its gate is empty and its source matches nothing. */
  readonly detect?: Detection | undefined;
}

/** Role classes as bits, so that a rule names several. */
export const roleClasses = { system: 1, user: 2, assistant: 4, tool: 8 } as const satisfies Record<RoleClass, number>;
export const allRoles = 15;

/** The `least` of a rule in messages of a role, one of `roleClasses`; 0 where it has none. */
export function leastOf({ least = {} }: Pick<ProgramRule, 'least'>, role: number): number {
  const known = Object.entries(least).find(([name]) => roleClasses[name as RoleClass] === role);
  return known?.[1] ?? 0;
}
