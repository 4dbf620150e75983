import { limits } from '../domain/limits.js';
import { policyCodes } from '../domain/policy.js';
import type { ScanRecord } from '../domain/scan-record.js';

/**
 * What happened in one hour, in one scope: an organization, one of its projects, or one of its applications. Its size
 * does not depend on the number of scans: of names that are not foreseen a few have counts of their own, the rest share
 * one. Of rules those are the first, of projects and applications the busiest.
 */
export interface Rollup {
  /** Beginning of the hour, in milliseconds since the Unix epoch. */
  readonly start: number;
  scans: number;
  flagged: number;
  /** Scans that had matches of a policy, by its place in `policyCodes`. */
  readonly policies: number[];
  /** Scans by their duration, see `latencyBin`. */
  readonly latency: number[];
  /** Scans in which a rule matched. */
  readonly rules: Map<string, number>;
  /** Of the rules without a count of their own, so that a scan may count several times. */
  otherRules: number;
  /** Of an organization's rollup only, as what follows: the busiest, each of which has a rollup of its own besides, as the others have. */
  readonly projects: Map<string, Tally>;
  readonly otherProjects: Tally;
  readonly applications: Map<string, Tally>;
  readonly otherApplications: Tally;
}

export interface Tally {
  scans: number;
  flagged: number;
}

/** What a rollup counts of a scan. */
export interface ScanFacts {
  readonly createdAt: number;
  readonly flagged: boolean;
  /** Places in `policyCodes`. */
  readonly policies: readonly number[];
  readonly latencyBin: number;
  /** Each once. */
  readonly ruleIds: readonly string[];
  readonly projectId: string | null;
  readonly appUuid: string | null;
}

export const hourMs = 3_600_000;

/** Bins for each doubling of the duration: percentiles are right within a tenth. */
const binsPerOctave = 4;
/** Up to 2 ** 24 µs, 17 seconds, and one for all that is longer. */
export const latencyBins: number = 24 * binsPerOctave + 2;

/** The bin of a duration: bin n holds those above `latencyBound(n − 1)` up to `latencyBound(n)`. */
export function latencyBin(durationUs: number): number {
  if (!(durationUs > 1)) return 0;
  return Math.min(Math.ceil(Math.log2(durationUs) * binsPerOctave), latencyBins - 1);
}

/** Upper bound of a bin, in microseconds; that of the last one is what it would be if more followed. */
export function latencyBound(bin: number): number {
  return 2 ** (bin / binsPerOctave);
}

export function emptyRollup(start: number): Rollup {
  return {
    start,
    scans: 0,
    flagged: 0,
    policies: new Array<number>(policyCodes.length).fill(0),
    latency: new Array<number>(latencyBins).fill(0),
    rules: new Map(),
    otherRules: 0,
    projects: new Map(),
    otherProjects: { scans: 0, flagged: 0 },
    applications: new Map(),
    otherApplications: { scans: 0, flagged: 0 },
  };
}

export function factsOf(record: ScanRecord): ScanFacts {
  const ruleIds = record.matches.length === 0 ? nothing : ruleIdsOf(record.matches);
  return {
    createdAt: record.createdAt,
    flagged: record.flagged,
    policies: record.detectors.map((code) => policyCodes.indexOf(code)),
    latencyBin: latencyBin(record.durationUs),
    ruleIds,
    projectId: record.projectId,
    appUuid: record.appUuid,
  };
}

const nothing: readonly string[] = [];

/** The rules that a scan's matches name, each once. */
export function ruleIdsOf(matches: ScanRecord['matches']): readonly string[] {
  const ids = new Set<string>();
  for (const match of matches) for (const id of match.ruleIds) ids.add(id);
  return [...ids];
}

/** Beginning of the hour that a time is in. */
export function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}

/** Counts a scan in the rollups of its organization, its project and its application, of those that it names. */
export function countScan(
  facts: ScanFacts,
  organization: Rollup,
  project: Rollup | undefined,
  application: Rollup | undefined,
): void {
  addScan(organization, facts);
  const { projects, otherProjects, applications, otherApplications } = organization;
  countNamed(facts, facts.projectId, project, projects, otherProjects, limits.rollupProjectsMax);
  countNamed(facts, facts.appUuid, application, applications, otherApplications, limits.rollupApplicationsMax);
}

function addScan(rollup: Rollup, facts: ScanFacts): void {
  rollup.scans++;
  if (facts.flagged) rollup.flagged++;
  for (const policy of facts.policies) rollup.policies[policy]++;
  rollup.latency[facts.latencyBin]++;
  for (const id of facts.ruleIds) {
    const hits = rollup.rules.get(id);
    if (hits !== undefined) rollup.rules.set(id, hits + 1);
    else if (rollup.rules.size < limits.rollupRulesMax && id.length <= limits.rollupNameUnitsMax)
      rollup.rules.set(id, 1);
    else rollup.otherRules++;
  }
}

/**
 * Counts a scan in the rollup of what it names, and for that name in the organization's. Where all places there are taken, the
 * name gets that of the one with the fewest scans as soon as it has more: so at any time the busiest have them, with all
 * their scans.
 */
function countNamed(
  facts: ScanFacts,
  name: string | null,
  own: Rollup | undefined,
  tallies: Map<string, Tally>,
  other: Tally,
  most: number,
): void {
  if (name === null || !own) return;
  addScan(own, facts);
  const known = tallies.get(name);
  addTally(known ?? other, { scans: 1, flagged: Number(facts.flagged) });
  if (known || name.length > limits.rollupNameUnitsMax) return;
  if (tallies.size >= most) {
    const [least, tally] = smallest(tallies);
    if (own.scans <= tally.scans) return;
    tallies.delete(least);
    addTally(other, tally);
  }
  tallies.set(name, { scans: own.scans, flagged: own.flagged });
  addTally(other, { scans: -own.scans, flagged: -own.flagged });
}

/** The first of those with the fewest scans. */
function smallest(tallies: ReadonlyMap<string, Tally>): readonly [string, Tally] {
  const [first, ...rest] = tallies;
  return rest.reduce((least, each) => (each[1].scans < least[1].scans ? each : least), first);
}

export function addTally(sum: Tally, { scans, flagged }: Tally): void {
  sum.scans += scans;
  sum.flagged += flagged;
}
