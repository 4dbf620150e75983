import { limits } from '../domain/limits.js';
import { type PolicyCode, policyCodes } from '../domain/policy.js';
import { addTally, hourMs, latencyBins, latencyBound, type Rollup, type Tally } from '../store/rollup.js';

/** What an overview is asked for. Times are full hours (full days in UTC for `day`), in milliseconds since the epoch. */
export interface OverviewQuery {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly step: OverviewStep;
  /** Not beside an application. */
  readonly projectId?: string;
  readonly appUuid?: string;
}

export const overviewSteps = ['hour', 'day'] as const;
export type OverviewStep = (typeof overviewSteps)[number];

/** Length of a step in milliseconds. */
export const stepMs: Readonly<Record<OverviewStep, number>> = { hour: hourMs, day: 24 * hourMs };

/** What happened in a range of time. */
export interface Overview {
  /** One for each step of the range, oldest first. */
  readonly buckets: readonly (Counts & { readonly start: number })[];
  readonly totals: Counts;
  /** Those with the most scans; empty where the overview is of a project or an application itself. */
  readonly projects: Ranking<Tally>;
  readonly applications: Ranking<Tally>;
  readonly rules: Ranking<{ readonly hits: number }>;
  /** Durations of scans in microseconds, right within a tenth; undefined where there was no scan. */
  readonly latencyUs: { readonly p50: number; readonly p95: number; readonly p99: number } | undefined;
}

interface Counts {
  readonly scans: number;
  readonly flagged: number;
  /** Scans with matches of a policy, where there were any. */
  readonly policies: Readonly<Partial<Record<PolicyCode, number>>>;
}

interface Ranking<T> {
  readonly top: readonly (T & { readonly id: string })[];
  /** All others together. */
  readonly other: T;
}

/** Sums up the rollups of a range. */
export function overviewOf(rollups: readonly Rollup[], { from, to, step }: OverviewQuery): Overview {
  const buckets = Array.from({ length: Math.max(0, Math.ceil((to - from) / stepMs[step])) }, () => new Sum());
  const total = new Sum();
  const latency = new Array<number>(latencyBins).fill(0);
  const rules = new Map<string, number>();
  const projects = new TallySum();
  const applications = new TallySum();
  let otherRules = 0;
  for (const rollup of rollups) {
    buckets[Math.floor((rollup.start - from) / stepMs[step])]?.add(rollup);
    total.add(rollup);
    for (let bin = 0; bin < latencyBins; bin++) latency[bin] += rollup.latency[bin];
    for (const [id, hits] of rollup.rules) rules.set(id, (rules.get(id) ?? 0) + hits);
    otherRules += rollup.otherRules;
    projects.add(rollup.projects, rollup.otherProjects);
    applications.add(rollup.applications, rollup.otherApplications);
  }
  const ranked = [...rules].sort(([one, a], [other, b]) => b - a || compare(one, other));
  const shown = ranked.slice(0, limits.overviewNamesMax);
  const rest = ranked.slice(limits.overviewNamesMax).reduce((sum, [, hits]) => sum + hits, otherRules);
  return {
    buckets: buckets.map((bucket, place) => ({ start: from + place * stepMs[step], ...bucket.counts() })),
    totals: total.counts(),
    projects: projects.ranking(),
    applications: applications.ranking(),
    rules: { top: shown.map(([id, hits]) => ({ id, hits })), other: { hits: rest } },
    latencyUs: percentilesOf(latency, total.scans),
  };
}

/** Hits of each rule in a range. */
export function hitsOf(rollups: readonly Rollup[]): ReadonlyMap<string, number> {
  const hits = new Map<string, number>();
  for (const { rules } of rollups) for (const [id, count] of rules) hits.set(id, (hits.get(id) ?? 0) + count);
  return hits;
}

class Sum {
  scans = 0;
  private flagged = 0;
  private readonly policies = new Array<number>(policyCodes.length).fill(0);

  add(rollup: Rollup): void {
    this.scans += rollup.scans;
    this.flagged += rollup.flagged;
    for (let policy = 0; policy < this.policies.length; policy++) this.policies[policy] += rollup.policies[policy];
  }

  counts(): Counts {
    const named = policyCodes.flatMap((code, place) =>
      this.policies[place] > 0 ? [[code, this.policies[place]]] : [],
    );
    return { scans: this.scans, flagged: this.flagged, policies: Object.fromEntries(named) };
  }
}

class TallySum {
  private readonly named = new Map<string, Tally>();
  private readonly other: Tally = { scans: 0, flagged: 0 };

  add(named: ReadonlyMap<string, Tally>, other: Tally): void {
    for (const [name, tally] of named) {
      const sum = this.named.get(name);
      if (sum) addTally(sum, tally);
      else this.named.set(name, { ...tally });
    }
    addTally(this.other, other);
  }

  ranking(): Ranking<Tally> {
    const ranked = [...this.named].sort(([one, a], [other, b]) => b.scans - a.scans || compare(one, other));
    const other = { ...this.other };
    for (const [, tally] of ranked.slice(limits.overviewNamesMax)) addTally(other, tally);
    return { top: ranked.slice(0, limits.overviewNamesMax).map(([id, tally]) => ({ id, ...tally })), other };
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function percentilesOf(latency: readonly number[], scans: number): Overview['latencyUs'] {
  if (scans === 0) return undefined;
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentileOf(latency, share * scans));
  return { p50, p95, p99 };
}

/** The duration that as many scans did not exceed; within a bin, durations are taken to be spread evenly over its octave. */
function percentileOf(latency: readonly number[], rank: number): number {
  let below = 0;
  for (let bin = 0; bin < latency.length; bin++) {
    const count = latency[bin];
    if (count > 0 && below + count >= rank) {
      return Math.round(latencyBound(bin - 1 + (rank - below) / count) * 10) / 10;
    }
    below += count;
  }
  return latencyBound(latency.length - 1);
}
