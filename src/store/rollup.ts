import { limits } from '../domain/limits.js';
import { policyCodes } from '../domain/policy.js';
import type { ScanRecord } from '../domain/scan-record.js';

/**
 * What happened in one hour, in one scope: an organization, one of its projects, or one of its applications. Its size
 * does not depend on the number of scans: of names that are not foreseen the first few have counts of their own, the
 * rest share one.
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
  /** Of an organization's rollup only, as what follows. */
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
  const ruleIds = record.matches.length === 0 ? nothing : ruleIdsOf(record);
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

function ruleIdsOf({ matches }: ScanRecord): readonly string[] {
  const ids = new Set<string>();
  for (const match of matches) for (const id of match.ruleIds) ids.add(id);
  return [...ids];
}

/** Beginning of the hour that a time is in. */
export function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}

/** Counts a scan in the rollup of a project or an application. */
export function addScan(rollup: Rollup, facts: ScanFacts): void {
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
 * Counts a scan in the rollup of its organization. Tells which of its project and application have counts of their own
 * there: only those have rollups of their own.
 */
export function addOrganizationScan(
  rollup: Rollup,
  facts: ScanFacts,
): { readonly project: string | undefined; readonly application: string | undefined } {
  addScan(rollup, facts);
  const { projectId, appUuid, flagged } = facts;
  return {
    project: addName(rollup.projects, rollup.otherProjects, projectId, limits.rollupProjectsMax, flagged),
    application: addName(rollup.applications, rollup.otherApplications, appUuid, limits.rollupApplicationsMax, flagged),
  };
}

function addName(
  tallies: Map<string, Tally>,
  other: Tally,
  name: string | null,
  most: number,
  flagged: boolean,
): string | undefined {
  if (name === null) return undefined;
  let tally = tallies.get(name);
  if (!tally && tallies.size < most && name.length <= limits.rollupNameUnitsMax) {
    tally = { scans: 0, flagged: 0 };
    tallies.set(name, tally);
  }
  const counted = tally ?? other;
  counted.scans++;
  if (flagged) counted.flagged++;
  return tally ? name : undefined;
}
