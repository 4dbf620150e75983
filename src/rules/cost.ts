import type { Message } from '../domain/message.js';
import { roleClassOf } from '../domain/role.js';
import type { Profile } from '../engine/judge/profile.js';
import { type Program, roleClasses, sharersOf } from '../engine/program.js';
import { createScanner, type Scanner } from '../engine/scanner.js';
import { matchViews } from '../engine/view/match-views.js';
import { hintsFor } from './cost-hints.js';
import { CostWatch, type PatternCost } from './cost-watch.js';
import { type Pass, passesOver } from './passes.js';

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
  /** The rule whose patterns it shares, and with which their whole cost is told; absent where it has its own. */
  readonly patterns_of?: string;
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

/** Passes over all messages: one for what is found, `rounds` of each of four ways, and two for what a sighting costs. */
const passes = 1 + 4 * rounds + 2;

/**
 * Measures what each rule costs on messages. Times are of this machine at this moment; compare shares. The watched run
 * is apart from the one whose time is given, and the price of looking at the clock is taken off. It takes seconds to minutes,
 * in which signals and timers have their turn after each piece of work, and `step` is told how much of it is done.
 */
export async function measureRules(
  program: Program,
  profile: Profile,
  messages: readonly Message[],
  step: (done: number, all: number) => void = () => {},
): Promise<CostReport> {
  const pass = passesOver(messages, passes, step);
  const plain = createScanner(program);
  const watch = new CostWatch(program);
  const watched = createScanner(program, { probe: watch });
  const found = await matchesByRule(pass, watched, profile, watch);
  const usOfRegexes = await quickestOf(rounds, async () => {
    watch.clear();
    await matchesByRule(pass, watched, profile, watch);
    return watch.snapshot();
  });
  const [usInAll] = await quickestOf(rounds, async () => [await pass(matching(plain, profile))]);
  const usOfSighting = await costOfSighting(pass, plain, watched, watch, profile);
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const perKb = 1_024 / Math.max(1, bytes);
  const groups = groupByRule(program);
  const sharers = sharersOf(program.rules);
  const costs = program.rules.map(({ id, patternsOf }, rule): RuleCost => {
    const patterns = groups[rule].map((index, place) =>
      watch.costOf(index, place + 1, usOfRegexes[index], usOfSighting),
    );
    const us = sum(patterns, (pattern) => pattern.us);
    // What the patterns brought: to the rule itself nothing where only another that shares them is asked.
    const matches = Math.max(...[rule, ...(sharers[rule] ?? [])].map((each) => found[each]));
    return {
      id,
      sightings: sum(patterns, (pattern) => pattern.sightings),
      openings: sum(patterns, (pattern) => pattern.openings),
      runs: sum(patterns, (pattern) => pattern.runs),
      matches: found[rule],
      us_per_kb: us * perKb,
      share: us / Math.max(usInAll, 1e-9),
      ...(patternsOf === undefined ? {} : { patterns_of: program.rules[patternsOf].id }),
      patterns,
      hints: hintsFor(program, groups[rule], patterns, messages.length, bytes, matches),
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

/** Matches of each rule. */
async function matchesByRule(pass: Pass, scanner: Scanner, profile: Profile, watch: CostWatch): Promise<Uint32Array> {
  const matches = new Uint32Array(scanner.program.rules.length);
  await pass(({ role, content }, index) => {
    watch.message = index;
    for (const { rule } of matchViews(scanner, content, bitOf(role), profile.rules).list) matches[rule]++;
  });
  return matches;
}

function matching(scanner: Scanner, profile: Profile) {
  return ({ role, content }: Message): void => {
    matchViews(scanner, content, bitOf(role), profile.rules);
  };
}

/** What it costs, in the mean, to note one needle: a search that notes them beside one in which every rule is off. */
async function costOfSighting(
  pass: Pass,
  plain: Scanner,
  watched: Scanner,
  watch: CostWatch,
  profile: Profile,
): Promise<number> {
  const noRule = new Uint8Array(profile.rules.length);
  const searching =
    (scanner: Scanner, rules: Uint8Array) =>
    ({ role, content }: Message): void => {
      scanner.openPatterns(content, bitOf(role), rules);
    };
  const [noting] = await quickestOf(rounds, async () => [await pass(searching(plain, profile.rules))]);
  const [passing] = await quickestOf(rounds, async () => [await pass(searching(plain, noRule))]);
  const before = watch.sightings();
  await pass(searching(watched, profile.rules));
  const seen = watch.sightings() - before;
  // They are taken back, so that counts stay those of one whole run.
  watch.clear();
  await matchesByRule(pass, watched, profile, watch);
  return seen === 0 ? 0 : Math.max(0, noting - passing) / seen;
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
async function quickestOf(times: number, measure: () => Promise<readonly number[]>): Promise<readonly number[]> {
  const total = (values: readonly number[]) => sum(values, (value) => value);
  let best = await measure();
  for (let round = 1; round < times; round++) {
    const measured = await measure();
    if (total(measured) < total(best)) best = measured;
  }
  return best;
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
