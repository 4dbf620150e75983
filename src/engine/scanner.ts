import { limits } from '../domain/limits.js';
import { createSearcher, type Engine, type Searcher } from './automaton/searcher.js';
import { startOf } from './automaton/start-of.js';
import { validators } from './detect/validators.js';
import { gateOf, needlesByOutput, type OutputSink, patternOf } from './outputs.js';
import type { Program, ProgramPattern } from './program.js';
import { GateBoard } from './regex/gate-board.js';
import { parsePhrase } from './regex/phrase.js';
import { compilePhraseMatcher } from './regex/phrase-matcher.js';
import { compileRegex, compileRegexSet, type Regex, type RegexSet } from './regex/re2.js';
import { hasWordBorders } from './text/word.js';

/** One match of one rule in one text; offsets in UTF-16 units, half-open. */
export interface Match {
  /** Rule index. */
  readonly rule: number;
  readonly start: number;
  readonly end: number;
}

interface Matches {
  /** Ordered by rule index, then start; matches of one rule do not overlap (leftmost, then longest). */
  readonly list: readonly Match[];
  /** True if a rule had more than `limits.matchesPerRuleMax` matches. */
  readonly truncated: boolean;
}

/** What one thread needs to run a program: its regexes, compiled on first use. Not for use by two threads. */
export interface Scanner {
  readonly program: Program;
  /**
   * All matches in `text` of the rules that are on: `rules[index] === 1` and role bit among the rule's roles.
   * Pure; cost linear in the text.
   */
  match(text: string, role: number, rules: Uint8Array): Matches;
  /**
   * Patterns whose regex would run on `text`, by their place in the program: what gates cost. For tuning rules.
   */
  openPatterns(text: string, role: number, rules: Uint8Array): readonly number[];
  /**
   * Compiles some more regexes, so that no first scan waits for them; false when all are. Some milliseconds a call.
   */
  warm(): boolean;
}

export interface ScannerOptions {
  /** False runs RE2 for every pattern on every whole text: the plain twin of all that is faster. For tests. */
  readonly prefilter?: boolean;
  /** `js` searches without WebAssembly. */
  readonly engine?: Engine;
  /** Looks on while rules are measured; see `rules/cost.ts`. */
  readonly probe?: ScannerProbe;
}

/** Wraps what costs time, so that an instrumented run can count and clock it; without one nothing is wrapped. */
export interface ScannerProbe {
  watchSink(sink: OutputSink): OutputSink;
  watchRegex(pattern: number, regex: Regex): Regex;
}

/** Regexes compiled by one call of `warm`. */
const warmBatch = 16;

export function createScanner(program: Program, options: ScannerOptions = {}): Scanner {
  const regexes: (Regex | undefined)[] = new Array(program.patterns.length);
  const { probe } = options;
  const compile = (index: number): Regex => {
    const pattern = program.patterns[index];
    const regex =
      pattern.phrase === undefined || options.prefilter === false
        ? compileRegex(pattern.source, pattern.ignoreCase, pattern.bordered)
        : compilePhraseMatcher(parsePhrase(pattern.phrase));
    return probe ? probe.watchRegex(index, regex) : regex;
  };
  const regexOf = (index: number): Regex => {
    regexes[index] ??= compile(index);
    return regexes[index];
  };
  let warmed = 0;
  const matchText = options.prefilter === false ? matchPlainly : matchPrefiltered;
  const ungated = program.patterns.flatMap((pattern, index) => (pattern.kind === 'ungated' ? [index] : []));
  const collector = new Collector(program);
  const board = new GateBoard(program.patterns);
  const sink = outputSink(program, board, collector);
  const machinery: Machinery = {
    program,
    searcher: createSearcher(program, options.engine),
    board,
    sink: probe ? probe.watchSink(sink) : sink,
    regexOf,
    ungated,
    ungatedSet: compileRegexSet(ungated.map((index) => program.patterns[index])),
  };
  return {
    program,
    match: (text, role, rules) => {
      collector.begin(text, role, rules);
      matchText(machinery, collector);
      return collector.result();
    },
    openPatterns: (text, role, rules) => {
      collector.begin(text, role, rules);
      watchNeedles(machinery, collector);
      return [...machinery.board.openPatterns];
    },
    warm: () => {
      for (const end = Math.min(warmed + warmBatch, program.patterns.length); warmed < end; warmed++) regexOf(warmed);
      return warmed < program.patterns.length;
    },
  };
}

interface Machinery {
  readonly program: Program;
  readonly searcher: Searcher;
  readonly board: GateBoard;
  readonly sink: OutputSink;
  readonly regexOf: (pattern: number) => Regex;
  readonly ungated: readonly number[];
  readonly ungatedSet: RegexSet;
}

function matchPrefiltered(machinery: Machinery, collector: Collector): void {
  const { program, board, ungated, ungatedSet } = machinery;
  const { text } = collector;
  watchNeedles(machinery, collector);
  for (const index of board.openPatterns) {
    const windows = board.windowsOf(index);
    for (let i = 0; i < windows.length; i += 2) {
      if (runRegex(machinery, collector, index, windows[i], windows[i + 1])) continue;
      runRegex(machinery, collector, index, 0, text.length);
      break;
    }
  }
  if (ungated.length === 0) return;
  for (const place of ungatedSet.matching(text)) {
    const index = ungated[place];
    if (collector.wants(program.patterns[index])) runRegex(machinery, collector, index, 0, text.length);
  }
}

/** One search for all needles. */
function watchNeedles({ searcher, board, sink }: Machinery, { text }: Collector): void {
  board.begin(text);
  searcher.search(text, sink);
}

/** Exact spellings are matches, the other outputs are shown to the board. */
function outputSink({ patterns, needles, outputs }: Program, board: GateBoard, collector: Collector): OutputSink {
  const needleOf = needlesByOutput(outputs);
  return (output, end) => {
    const index = patternOf(outputs, output);
    const pattern = patterns[index];
    if (!collector.wants(pattern)) return;
    if (pattern.kind !== 'exact') board.see(index, gateOf(outputs, output), end);
    else collector.addBordered(pattern, startOf(collector.text, end, needles[needleOf[output]]), end);
  };
}

function matchPlainly(machinery: Machinery, collector: Collector): void {
  machinery.program.patterns.forEach((pattern, index) => {
    if (collector.wants(pattern)) runRegex(machinery, collector, index, 0, collector.text.length);
  });
}

/**
 * False where a match stands at the edge of a window: a border or an end of the text may have been seen there that is
 * none. Then only the whole text tells.
 */
function runRegex(machinery: Machinery, collector: Collector, index: number, from: number, to: number): boolean {
  const pattern = machinery.program.patterns[index];
  const length = collector.text.length;
  const haystack = from === 0 && to === length ? collector.text : collector.text.slice(from, to);
  let isCertain = true;
  machinery.regexOf(index).each(haystack, (start, end, wholeStart, wholeEnd) => {
    isCertain = !(from > 0 && wholeStart === 0) && !(to < length && wholeEnd === haystack.length);
    return isCertain && collector.addChecked(pattern, from + start, from + end);
  });
  return isCertain;
}

/** Gathers the matches of one text after the other, rule by rule, and stops taking them where a rule has enough. */
class Collector {
  text = '';
  private readonly program: Program;
  private role = 0;
  private rules: Uint8Array = new Uint8Array(0);
  private readonly byRule = new Map<number, Match[]>();
  private truncated = false;

  constructor(program: Program) {
    this.program = program;
  }

  /** Forgets the text before. */
  begin(text: string, role: number, rules: Uint8Array): void {
    this.text = text;
    this.role = role;
    this.rules = rules;
    if (this.byRule.size > 0) this.byRule.clear();
    this.truncated = false;
  }

  wants(pattern: ProgramPattern): boolean {
    return this.rules[pattern.rule] === 1 && (this.program.rules[pattern.rule].roles & this.role) !== 0;
  }

  addBordered(pattern: ProgramPattern, start: number, end: number): void {
    if (!pattern.bordered || hasWordBorders(this.text, start, end)) this.add(pattern.rule, start, end);
  }

  /** Adds a regex's hit if its validators pass; false when the rule takes no more. */
  addChecked(pattern: ProgramPattern, start: number, end: number): boolean {
    return this.isValid(pattern, start, end) ? this.add(pattern.rule, start, end) : true;
  }

  private add(rule: number, start: number, end: number): boolean {
    const list = this.byRule.get(rule);
    if (!list) {
      this.byRule.set(rule, [{ rule, start, end }]);
      return true;
    }
    // Twice the limit, because overlapping spellings of one place are dropped only in the end.
    if (list.length >= 2 * limits.matchesPerRuleMax) {
      this.truncated = true;
      return false;
    }
    list.push({ rule, start, end });
    return true;
  }

  private isValid(pattern: ProgramPattern, start: number, end: number): boolean {
    if (pattern.validate.length === 0 && pattern.unless.length === 0) return true;
    const hit = this.text.slice(start, end);
    if (!pattern.validate.every((name) => validators.get(name)?.(hit) ?? false)) return false;
    const lower = hit.toLowerCase();
    return !pattern.unless.some((dummy) => lower.includes(dummy));
  }

  result(): Matches {
    if (this.byRule.size === 0) return noMatches;
    const list: Match[] = [];
    for (const rule of [...this.byRule.keys()].sort((a, b) => a - b)) {
      const kept = leftmostLongest(this.byRule.get(rule) ?? []);
      if (kept.length > limits.matchesPerRuleMax) this.truncated = true;
      list.push(...kept.slice(0, limits.matchesPerRuleMax));
    }
    return { list, truncated: this.truncated };
  }
}

const noMatches: Matches = { list: [], truncated: false };

/** Of overlapping matches the leftmost stays, of those with one start the longest. */
function leftmostLongest(matches: Match[]): Match[] {
  matches.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Match[] = [];
  let end = -1;
  for (const match of matches) {
    if (match.start < end) continue;
    kept.push(match);
    end = match.end;
  }
  return kept;
}
