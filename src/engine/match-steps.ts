import { createSearcher, type Engine, type Searcher } from './automaton/searcher.js';
import { startOf } from './automaton/start-of.js';
import { Collector, type HitTaker } from './collector.js';
import { gateOf, lengthOf, type OutputSink, patternOf } from './outputs.js';
import type { Program } from './program.js';
import { GateBoard } from './regex/gate-board.js';
import { parsePhrase, regexSourceOf } from './regex/phrase.js';
import { compilePhraseMatcher } from './regex/phrase-matcher.js';
import { compileRegex, compileRegexSet, type Regex, type RegexSet } from './regex/re2.js';

/** The steps of a scan, which one thread takes one after the other and the threads of a sharded scan share out. */

/** What one thread needs to run a program: its searcher, and its regexes, compiled on first use. */
export interface Machinery {
  readonly program: Program;
  readonly searcher: Searcher;
  readonly regexOf: (pattern: number) => Regex;
  /** Places of the patterns without a gate; their set says which of them occur in a text. */
  readonly ungated: readonly number[];
  readonly ungatedSet: RegexSet;
}

/** What is known of the text that is being scanned; of one text after the other. */
export interface Desk {
  readonly collector: Collector;
  readonly board: GateBoard;
  /** Puts a needle's output where it belongs: a match to the collector, all else to the board. */
  readonly sink: OutputSink;
}

/** Wraps what costs time, so that an instrumented run can count and clock it; without one nothing is wrapped. */
export interface ScannerProbe {
  watchSink(sink: OutputSink): OutputSink;
  watchRegex(pattern: number, regex: Regex): Regex;
}

/** `isPlain`: RE2 for phrases, too. */
export function createMachinery(
  program: Program,
  engine: Engine | undefined,
  isPlain: boolean,
  probe?: ScannerProbe,
): Machinery {
  const regexes: (Regex | undefined)[] = new Array(program.patterns.length);
  const ungated = program.patterns.flatMap((pattern, index) => (pattern.kind === 'ungated' ? [index] : []));
  const compile = (index: number): Regex => {
    const pattern = program.patterns[index];
    const regex =
      pattern.phrase === undefined || isPlain
        ? compileRegex(regexSourceOf(pattern), pattern.ignoreCase)
        : compilePhraseMatcher(parsePhrase(pattern.phrase));
    return probe ? probe.watchRegex(index, regex) : regex;
  };
  return {
    program,
    searcher: createSearcher(program, engine),
    regexOf: (index) => {
      regexes[index] ??= compile(index);
      return regexes[index];
    },
    ungated,
    ungatedSet: compileRegexSet(
      ungated.map((index) => {
        const pattern = program.patterns[index];
        return { source: regexSourceOf(pattern), ignoreCase: pattern.ignoreCase };
      }),
    ),
  };
}

export function createDesk({ program, searcher }: Machinery, probe?: ScannerProbe): Desk {
  const collector = new Collector(program);
  const board = new GateBoard(program.patterns, searcher.repeatedSpace);
  const sink = outputSink(program, board, collector);
  return { collector, board, sink: probe ? probe.watchSink(sink) : sink };
}

/** Clears a desk for a text. */
export function beginText({ collector, board }: Desk, text: string, role: number, rules: Uint8Array): void {
  collector.begin(text, role, rules);
  board.begin(text);
}

/** Exact spellings are matches, the other outputs are shown to the board. */
function outputSink({ patterns, outputs }: Program, board: GateBoard, collector: Collector): OutputSink {
  return (output, end) => {
    const index = patternOf(outputs, output);
    const pattern = patterns[index];
    if (!collector.wants(pattern)) return;
    if (pattern.kind !== 'exact') board.see(index, gateOf(outputs, output), end);
    else collector.addBordered(pattern, startOf(collector.text, end, lengthOf(outputs, output)), end);
  };
}

/**
 * Runs a pattern in some of its windows, from the pair at `from` up to `to`. False where the windows did not tell and the
 * whole text was asked instead.
 */
export function runInWindows(
  machinery: Machinery,
  taker: HitTaker,
  index: number,
  windows: readonly number[],
  from: number,
  to: number,
): boolean {
  for (let i = from; i < to; i += 2) {
    if (runRegex(machinery, taker, index, windows[i], windows[i + 1])) continue;
    runRegex(machinery, taker, index, 0, taker.text.length);
    return false;
  }
  return true;
}

/** Runs every wanted pattern on whole texts, one pattern after the other, because the processor's caches hold few of the regexes. */
export function runPlainly(machinery: Machinery, collectors: readonly Collector[]): void {
  machinery.program.patterns.forEach((pattern, index) => {
    for (const collector of collectors) {
      if (collector.wants(pattern)) runRegex(machinery, collector, index, 0, collector.text.length);
    }
  });
}

/** Runs the patterns without a gate that occur in the text and are wanted. */
export function runUngated(machinery: Machinery, collector: Collector, taker: HitTaker): void {
  const { program, ungated, ungatedSet } = machinery;
  if (ungated.length === 0) return;
  for (const place of ungatedSet.matching(taker.text)) {
    const index = ungated[place];
    if (collector.wants(program.patterns[index])) runRegex(machinery, taker, index, 0, taker.text.length);
  }
}

/**
 * False where a match stands at the edge of a window: a border or an end of the text may have been seen there that is
 * none. Then only the whole text tells.
 */
function runRegex(machinery: Machinery, taker: HitTaker, index: number, from: number, to: number): boolean {
  const { text } = taker;
  let isCertain = true;
  machinery.regexOf(index).each(text, from, to, (start, end, wholeStart, wholeEnd) => {
    isCertain = !(from > 0 && wholeStart === from) && !(to < text.length && wholeEnd === to);
    return isCertain && taker.takeHit(index, start, end);
  });
  return isCertain;
}
