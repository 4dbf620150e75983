import type { Engine } from './automaton/searcher.js';
import type { Matches } from './collector.js';
import {
  beginText,
  createDesk,
  createMachinery,
  type Desk,
  type Machinery,
  runInWindows,
  runPlainly,
  runUngated,
  type ScannerProbe,
} from './match-steps.js';
import type { Program } from './program.js';

/** What one thread needs to scan with a program. Not for use by two threads. */
export interface Scanner {
  readonly program: Program;
  /** What a thread's part of a sharded scan works with, too. */
  readonly machinery: Machinery;
  /**
   * All matches in `text` of the rules that are on: `rules[index] === 1` and role bit among the rule's roles.
   * Pure; cost linear in the text.
   */
  match(text: string, role: number, rules: Uint8Array): Matches;
  /**
   * Patterns whose regex would run on `text`, by their place in the program: what gates cost. For tuning rules.
   */
  openPatterns(text: string, role: number, rules: Uint8Array): readonly number[];
}

export interface ScannerOptions {
  /** False runs RE2 for every pattern on every whole text: the plain twin of all that is faster. For tests. */
  readonly prefilter?: boolean;
  /** `js` searches without WebAssembly. */
  readonly engine?: Engine;
  /** Looks on while rules are measured; see `rules/cost.ts`. */
  readonly probe?: ScannerProbe;
}

export function createScanner(program: Program, options: ScannerOptions = {}): Scanner {
  const isPlain = options.prefilter === false;
  const machinery = createMachinery(program, options.engine, isPlain, options.probe);
  const desk = createDesk(machinery, options.probe);
  const matchText = isPlain ? matchPlainly : matchPrefiltered;
  return {
    program,
    machinery,
    match: (text, role, rules) => {
      beginText(desk, text, role, rules);
      matchText(machinery, desk);
      return desk.collector.result();
    },
    openPatterns: (text, role, rules) => {
      beginText(desk, text, role, rules);
      machinery.searcher.search(text, role, desk.sink);
      return [...desk.board.openPatterns];
    },
  };
}

function matchPrefiltered(machinery: Machinery, { collector, board, sink }: Desk): void {
  machinery.searcher.search(collector.text, collector.role, sink);
  for (const index of board.openPatterns) {
    const windows = board.windowsOf(index);
    runInWindows(machinery, collector, index, windows, 0, windows.length);
  }
  runUngated(machinery, collector, collector);
}

function matchPlainly(machinery: Machinery, { collector }: Desk): void {
  runPlainly(machinery, [collector]);
}
