import type { Message } from '../domain/message.js';
import type { Profile } from '../engine/judge/profile.js';
import { needlesByOutput, type OutputSink, patternOf } from '../engine/outputs.js';
import { type Program, roleClasses, roleClassOf } from '../engine/program.js';
import type { Regex } from '../engine/regex/re2.js';
import { createScanner, type Scanner, type ScannerProbe } from '../engine/scanner.js';
import { matchViews } from '../engine/view/match-views.js';

/** What one pattern did, views included. */
export interface PatternCost {
  /** Place among its rule's patterns, from 1. */
  readonly pattern: number;
  readonly kind: 'exact' | 'gated' | 'ungated';
  /** Needles of its gates that came by. */
  readonly sightings: number;
  /** Messages in which its regex ran. */
  readonly openings: number;
  /** Runs of the regex, one for each window. */
  readonly runs: number;
  /** Text that those runs read, in UTF-16 units. */
  readonly run_units: number;
  /** Hits of the regex before its validators. */
  readonly hits: number;
  /** Time in the regex and, by their mean, in the sightings. */
  readonly us: number;
  /** The needle that came by most often, and how often. */
  readonly top_needle?: { readonly text: string; readonly sightings: number };
  /** Needles of its gates. */
  readonly needles: number;
}

/** What one rule did. */
export interface RuleCost {
  readonly id: string;
  readonly sightings: number;
  readonly openings: number;
  readonly runs: number;
  /** What was found in the end, after validators and without overlaps. */
  readonly matches: number;
  readonly us_per_kb: number;
  /** Of the whole time. */
  readonly share: number;
  readonly patterns: readonly PatternCost[];
  /** What its author could change, dearest first. */
  readonly hints: readonly string[];
}

export interface CostReport {
  readonly messages: number;
  /** Of UTF-8. */
  readonly bytes: number;
  /** Matching with all that belongs to it, not watched. */
  readonly us_per_kb: number;
  /** Of the whole time: in regexes and sightings of rules; the rest is the walk over the text and its views. */
  readonly rules_share: number;
  /** Dearest first. */
  readonly rules: readonly RuleCost[];
}

/** Every text is matched so often each way, and the quickest round counts: the others were disturbed. */
const rounds = 3;

/**
 * Measures what each rule costs on messages. Times are of this machine at this moment; compare shares. The watched run
 * is apart from the one whose time is given, and the price of looking at the clock is taken off.
 */
export function measureRules(program: Program, profile: Profile, messages: readonly Message[]): CostReport {
  const plain = createScanner(program);
  const watch = new Watch(program);
  const watched = createScanner(program, { probe: watch });
  for (const scanner of [plain, watched]) while (scanner.warm());
  const found = matchesByRule(watched, profile, messages, watch);
  const usOfRegexes = quickestOf(rounds, () => {
    watch.clear();
    matchesByRule(watched, profile, messages, watch);
    return watch.snapshot();
  });
  const [usInAll] = quickestOf(rounds, () => [timeOf(() => matchAll(plain, profile, messages))]);
  const usOfSighting = costOfSighting(plain, watched, watch, profile, messages);
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const perKb = 1_024 / Math.max(1, bytes);
  const patternsOf = groupByRule(program);
  const costs = program.rules.map(({ id }, rule): RuleCost => {
    const patterns = patternsOf[rule].map((index, place) =>
      watch.costOf(index, place + 1, usOfRegexes[index], usOfSighting),
    );
    const us = sum(patterns, (pattern) => pattern.us);
    return {
      id,
      sightings: sum(patterns, (pattern) => pattern.sightings),
      openings: sum(patterns, (pattern) => pattern.openings),
      runs: sum(patterns, (pattern) => pattern.runs),
      matches: found[rule],
      us_per_kb: us * perKb,
      share: us / Math.max(usInAll, 1e-9),
      patterns,
      hints: hintsFor(program, patternsOf[rule], patterns, messages.length, bytes, found[rule]),
    };
  });
  return {
    messages: messages.length,
    bytes,
    us_per_kb: usInAll * perKb,
    rules_share: sum(costs, ({ share }) => share),
    rules: costs.sort((a, b) => b.us_per_kb - a.us_per_kb || (a.id < b.id ? -1 : 1)),
  };
}

/** Counts and clocks what a scanner does, by pattern. */
class Watch implements ScannerProbe {
  /** Message under way. */
  message = 0;
  private readonly program: Program;
  private readonly needleOf: Int32Array;
  private readonly byOutput: Uint32Array;
  private readonly openings: Uint32Array;
  private readonly lastMessage: Int32Array;
  private readonly runs: Uint32Array;
  private readonly units: Float64Array;
  private readonly hits: Uint32Array;
  private readonly us: Float64Array;
  private readonly clockUs = clockCost();

  constructor(program: Program) {
    const count = program.patterns.length;
    this.program = program;
    this.needleOf = needlesByOutput(program.outputs);
    this.byOutput = new Uint32Array(this.needleOf.length);
    this.openings = new Uint32Array(count);
    this.lastMessage = new Int32Array(count).fill(-1);
    this.runs = new Uint32Array(count);
    this.units = new Float64Array(count);
    this.hits = new Uint32Array(count);
    this.us = new Float64Array(count);
  }

  clear(): void {
    for (const counts of [this.byOutput, this.openings, this.runs, this.units, this.hits, this.us]) counts.fill(0);
    this.lastMessage.fill(-1);
  }

  watchSink(sink: OutputSink): OutputSink {
    return (output, end) => {
      this.byOutput[output]++;
      sink(output, end);
    };
  }

  watchRegex(pattern: number, regex: Regex): Regex {
    return {
      matchesEmpty: () => regex.matchesEmpty(),
      each: (text, found) => {
        if (this.lastMessage[pattern] !== this.message) this.openings[pattern]++;
        this.lastMessage[pattern] = this.message;
        this.runs[pattern]++;
        this.units[pattern] += text.length;
        const began = performance.now();
        regex.each(text, (start, end, wholeStart, wholeEnd) => {
          this.hits[pattern]++;
          return found(start, end, wholeStart, wholeEnd);
        });
        this.us[pattern] += Math.max(0, (performance.now() - began) * 1_000 - this.clockUs);
      },
    };
  }

  /** Microseconds in regexes since `clear`, by pattern. */
  snapshot(): readonly number[] {
    return [...this.us];
  }

  sightings(): number {
    return this.byOutput.reduce((total, count) => total + count, 0);
  }

  costOf(index: number, place: number, usOfRegex: number, usOfSighting: number): PatternCost {
    let sightings = 0;
    let top = -1;
    const needles = new Set<number>();
    // The outputs of digit runs have no needle of their own.
    const ofRuns = this.program.outputs.starts[this.program.needles.length];
    for (let output = 0; output < this.byOutput.length; output++) {
      if (patternOf(this.program.outputs, output) !== index) continue;
      if (output < ofRuns) needles.add(this.needleOf[output]);
      sightings += this.byOutput[output];
      if (this.byOutput[output] > (this.byOutput[top] ?? 0)) top = output;
    }
    const text = this.program.needles[this.needleOf[top] ?? -1] ?? '';
    return {
      pattern: place,
      kind: this.program.patterns[index].kind,
      sightings,
      openings: this.openings[index],
      runs: this.runs[index],
      run_units: this.units[index],
      hits: this.hits[index],
      us: usOfRegex + sightings * usOfSighting,
      needles: needles.size,
      ...(top < 0 ? {} : { top_needle: { text: top >= ofRuns ? 'a digit' : text, sightings: this.byOutput[top] } }),
    };
  }
}

/** Matches of each rule. */
function matchesByRule(scanner: Scanner, profile: Profile, messages: readonly Message[], watch: Watch): Uint32Array {
  const matches = new Uint32Array(scanner.program.rules.length);
  messages.forEach(({ role, content }, index) => {
    watch.message = index;
    for (const { rule } of matchViews(scanner, content, bitOf(role), profile.rules).list) matches[rule]++;
  });
  return matches;
}

function matchAll(scanner: Scanner, profile: Profile, messages: readonly Message[]): void {
  for (const { role, content } of messages) matchViews(scanner, content, bitOf(role), profile.rules);
}

/** What it costs, in the mean, to note one needle: a search that notes them beside one in which every rule is off. */
function costOfSighting(
  plain: Scanner,
  watched: Scanner,
  watch: Watch,
  profile: Profile,
  messages: readonly Message[],
): number {
  const noRule = new Uint8Array(profile.rules.length);
  const search = (scanner: Scanner, rules: Uint8Array) => () => {
    for (const { role, content } of messages) scanner.openPatterns(content, bitOf(role), rules);
  };
  const [noting] = quickestOf(rounds, () => [timeOf(search(plain, profile.rules))]);
  const [passing] = quickestOf(rounds, () => [timeOf(search(plain, noRule))]);
  const before = watch.sightings();
  search(watched, profile.rules)();
  const seen = watch.sightings() - before;
  // They are taken back, so that counts stay those of one whole run.
  watch.clear();
  matchesByRule(watched, profile, messages, watch);
  return seen === 0 ? 0 : Math.max(0, noting - passing) / seen;
}

/** A gate that opens on more than this share of messages, or a needle seen more often a KB, is worth a hint. */
const openingsShareMax = 0.01;
const sightingsPerKbMax = 0.5;

function hintsFor(
  { patterns: compiled }: Program,
  indices: readonly number[],
  patterns: readonly PatternCost[],
  messages: number,
  bytes: number,
  matches: number,
): readonly string[] {
  const dearest = indices
    .map((index, place) => ({ index, cost: patterns[place] }))
    .sort((a, b) => b.cost.us - a.cost.us);
  return dearest.flatMap(({ index, cost }) => {
    const hints: string[] = [];
    const { windowUnits } = compiled[index];
    const needle = cost.top_needle ? `, most often by "${cost.top_needle.text}"` : '';
    const share = cost.openings / Math.max(1, messages);
    const isWasteful = cost.openings > 20 && cost.openings > 10 * Math.max(1, cost.hits);
    if (cost.kind === 'ungated') hints.push('requires no literal, so it runs on every message: add one');
    else if (cost.kind === 'gated' && windowUnits === 0)
      hints.push('has no bounded length, so it reads whole messages: bound its repetitions');
    if (cost.kind === 'gated' && share > openingsShareMax && isWasteful)
      hints.push(
        `its gate opens on ${(share * 100).toFixed(1)} % of messages${needle}, for ${cost.hits} hits: require a rarer literal`,
      );
    else if (cost.kind === 'gated' && (cost.top_needle?.sightings ?? 0) > (sightingsPerKbMax * bytes) / 1_024)
      hints.push(`"${cost.top_needle?.text}" is common: seen ${cost.top_needle?.sightings} times`);
    if (cost.hits >= 20 && cost.hits > 20 * Math.max(1, matches))
      hints.push(`validators drop nearly all of its ${cost.hits} hits: let the pattern say more`);
    return hints.map((hint) => `pattern ${cost.pattern} ${hint}`);
  });
}

function bitOf(role: string): number {
  return roleClasses[roleClassOf(role)];
}

function groupByRule({ rules, patterns }: Program): readonly (readonly number[])[] {
  const groups: number[][] = rules.map(() => []);
  patterns.forEach(({ rule }, index) => {
    groups[rule].push(index);
  });
  return groups;
}

/** The measurement with the smallest sum. */
function quickestOf(times: number, measure: () => readonly number[]): readonly number[] {
  const measured = Array.from({ length: times }, measure);
  const total = (values: readonly number[]) => sum(values, (value) => value);
  return measured.reduce((best, each) => (total(each) < total(best) ? each : best));
}

/** Microseconds of processor time: on a shared machine the clock on the wall counts the work of others. */
function timeOf(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

/** Microseconds between two looks at the clock: the median of many. */
function clockCost(): number {
  const gaps = Array.from({ length: 1_001 }, () => {
    const began = performance.now();
    return (performance.now() - began) * 1_000;
  });
  return gaps.sort((a, b) => a - b)[500];
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
