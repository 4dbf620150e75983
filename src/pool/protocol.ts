import type { CustomRules, CustomRulesReport } from '../domain/custom-rules.js';
import type { Verdict } from '../domain/finding.js';
import type { Message } from '../domain/message.js';
import type { Engine } from '../engine/automaton/searcher.js';
import type { Profile } from '../engine/judge/profile.js';
import type { RecallParts } from '../engine/judge/recall.js';
import type { OverlayParts } from '../engine/overlay.js';
import type { SharedText } from '../engine/shard/shared-text.js';
import type { RulesError } from '../rules/rules-error.js';

/** Everything that crosses a thread boundary is in this file. */

/** Given to a worker when it starts. The program's bytes are shared, the rest is copied. */
export interface WorkerData {
  /** Of generation 0. */
  readonly program: WebAssembly.Memory;
  readonly engine: Engine;
  /** What is known to be clean. */
  readonly recall?: RecallParts | undefined;
}

/** A program that was published after the first one; a worker opens each of them once. */
export interface PublishedProgram {
  /** Counts up from 1. */
  readonly generation: number;
  readonly memory: WebAssembly.Memory;
}

/** What a worker is asked for. */
export type PoolTask = ScanTask | HelpTask;

/** One or more scans under one profile; they are judged one by one. */
export interface ScanTask {
  readonly kind: 'scan';
  /** What to scan with; the first program where it is left out. */
  readonly program?: PublishedProgram;
  /** Goes with each task, because organizations change theirs at any time: a kilobyte beside texts of 32 and more. */
  readonly profile: Profile;
  readonly scans: readonly (readonly Message[])[];
  /** Texts of the first scan that other threads help with, by the number of their message, whose content is empty. */
  readonly shared?: readonly NumberedText[];
  /** Rules of the caller's organization; a worker opens each of them once. */
  readonly overlay?: OverlayParts;
  /** See `Recall.over`; without it everything is scanned. */
  readonly scope?: string;
  /** One shared cell; not 0 once nobody waits for the answer. A task that finds it so when its turn comes is not done. */
  readonly cancelled?: Int32Array;
}

/** Help with the large texts of a scan that another worker leads. What is found is told in the texts' shared memory. */
export interface HelpTask {
  readonly kind: 'help';
  readonly program?: PublishedProgram;
  readonly profile: Profile;
  readonly shared: readonly NumberedText[];
}

/** A large message. */
export interface NumberedText {
  readonly messageId: number;
  readonly role: string;
  readonly text: SharedText;
}

/**
 * One verdict for each scan of the task, in order (none when it was cancelled before it began, nor for help), and the
 * time from start to end in the worker.
 */
export interface PoolAnswer {
  readonly verdicts: readonly Verdict[];
  readonly scanUs: number;
  /** Messages that were known to be clean. */
  readonly recalled: number;
}

/** Given to the thread that compiles rules when it starts. */
export interface CompilerData {
  /** Where the shipped rules are written. */
  readonly rulesFolder: string;
  /** For rules of organizations. */
  readonly cache: CompilerCache | undefined;
  /** For the shipped rules. */
  readonly shippedCache?: CompilerCache | undefined;
}

/** Where compiled rules are kept between runs. */
export interface CompilerCache {
  readonly folder: string;
  /** Names the build of the compiler, see `openProgramCache`. */
  readonly compilerId: string;
}

/**
 * `check` compiles and reports; `open` takes what was compiled before from the cache; `load` compiles the shipped rules.
 */
export type CompileTask =
  | {
      readonly kind: 'check' | 'open';
      readonly rules: CustomRules;
      /** Ids that an allow-list may name beside an organization's own. */
      readonly shippedIds: readonly string[];
    }
  | { readonly kind: 'load' };

/** What `load` comes to: rules that are fit to scan with, or why there are none. */
export type LoadedRules =
  | { readonly program: WebAssembly.Memory; readonly profiles: readonly Profile[] }
  | { readonly refused: Pick<RulesError, 'message' | 'diagnostics'> };

export interface CompileAnswer {
  /** Of `load`. */
  readonly loaded?: LoadedRules;
  /** Absent for `open`. */
  readonly report?: CustomRulesReport;
  /** Absent where the rules do not compile. */
  readonly program?: WebAssembly.Memory;
}
