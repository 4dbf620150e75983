import { countScan, emptyRollup, hourMs, hourOf, type Rollup } from '../rollup.js';
import type { RollupQuery } from '../store.js';
import type { ByteTable, Environment } from './environment.js';
import { decodeRollup, encodeRollup } from './rollup-entry.js';
import { applicationScope, organizationScope, projectScope } from './scan-scope.js';
import { factsOfRow, organizationOf, type Segment } from './scan-segment.js';

/*
 *   key: hour since the Unix epoch, u32 big endian | scope        value: see rollup-entry.ts
 *
 * The hour comes first: rows that are written together lie together, and what is too old is one range.
 */
const hourBytes = 4;

/** Rows that are remembered; beyond it those that are written are forgotten and read again. */
const remembered = 1_024;

/**
 * The table holds what the index covers (scan-indexing.ts). What came since is counted here, on top of it, in the rows that
 * it changes; nothing is counted before somebody asks or the index follows.
 */
export interface ScanRollups {
  readonly table: ByteTable;
  /** The state of the log that `known` goes with. */
  revision: number;
  /** The last segment that is counted in `known`. */
  counted: number;
  /** By hour and organization. */
  readonly known: Map<number, Map<string, OrganizationRows>>;
  knownRows: number;
  changed: Row[];
}

interface Row {
  readonly key: Buffer;
  /** Undefined until it is asked for. */
  rollup: Rollup | undefined;
  /** Holds more than the table does. */
  isChanged: boolean;
}

interface OrganizationRows {
  readonly own: Row;
  readonly projects: Map<string, Row>;
  readonly applications: Map<string, Row>;
}

/** A row in bytes, as it goes into the table. */
interface EncodedRow {
  readonly key: Buffer;
  readonly bytes: Buffer;
}

/** Opens or creates the table. */
export function openScanRollups(environment: Environment): ScanRollups {
  return {
    table: environment.openTable('scan-rollups'),
    revision: -1,
    counted: 0,
    known: new Map(),
    knownRows: 0,
    changed: [],
  };
}

/**
 * Counts the first segments of the tail, on top of the table as it is at this revision; gives the rows that are then other
 * than the table's.
 */
export function countSegments(
  rollups: ScanRollups,
  revision: number,
  segments: readonly Segment[],
): readonly EncodedRow[] {
  countTail(rollups, revision, segments);
  return rollups.changed.flatMap(({ key, rollup }) => (rollup ? [{ key, bytes: encodeRollup(rollup) }] : []));
}

/** Writes rows, in a transaction. */
export function putRollups({ table }: ScanRollups, rows: readonly EncodedRow[]): void {
  for (const { key, bytes } of rows) table.putSync(key, bytes);
}

/** To be called once rows that count up to this segment are committed, which made this revision. */
export function rollupsWritten(rollups: ScanRollups, segment: number, revision: number): void {
  rollups.revision = revision;
  // Where somebody counted more meanwhile, the rows stay marked.
  if (rollups.counted === segment) {
    for (const row of rollups.changed) row.isChanged = false;
    rollups.changed = [];
  }
  if (rollups.knownRows > remembered) forget(rollups, -1);
}

function forget(rollups: ScanRollups, revision: number): void {
  rollups.known.clear();
  rollups.changed = [];
  rollups.knownRows = 0;
  rollups.counted = 0;
  rollups.revision = revision;
}

function countTail(rollups: ScanRollups, revision: number, segments: readonly Segment[]): void {
  const last = segments.at(-1)?.number ?? 0;
  if (rollups.revision !== revision || rollups.counted > last) forget(rollups, revision);
  const recent: Recent = { hour: -1, organizationId: '', rows: undefined };
  for (const segment of segments) {
    if (segment.number <= rollups.counted || segment.isCounted) continue;
    for (let row = 0; row < segment.rows; row++) countRow(rollups, segment, row, recent);
  }
  rollups.counted = Math.max(rollups.counted, last);
}

/** Rows of the record before: those of the next one are nearly always of the same organization and hour. */
interface Recent {
  hour: number;
  organizationId: string;
  rows: OrganizationRows | undefined;
}

function countRow(rollups: ScanRollups, segment: Segment, row: number, recent: Recent): void {
  const facts = factsOfRow(segment, row);
  const organizationId = organizationOf(segment, row);
  const hour = hourOf(facts.createdAt);
  if (recent.hour !== hour || recent.organizationId !== organizationId) {
    Object.assign(recent, { hour, organizationId, rows: organizationRows(rollups, hour, organizationId) });
  }
  const { rows } = recent;
  if (!rows) return;
  const named = (name: string | null, known: Map<string, Row>, scopeOf: typeof projectScope): Rollup | undefined => {
    if (name === null) return undefined;
    const own = known.get(name) ?? newNamed(rollups, known, hour, name, scopeOf(organizationId, name));
    return own && current(rollups, own, hour);
  };
  countScan(
    facts,
    current(rollups, rows.own, hour),
    named(facts.projectId, rows.projects, projectScope),
    named(facts.appUuid, rows.applications, applicationScope),
  );
}

function organizationRows(rollups: ScanRollups, hour: number, organizationId: string): OrganizationRows | undefined {
  let byOrganization = rollups.known.get(hour);
  if (!byOrganization) {
    byOrganization = new Map();
    rollups.known.set(hour, byOrganization);
  }
  let rows = byOrganization.get(organizationId);
  if (!rows) {
    const scope = organizationScope(organizationId);
    if (!scope) return undefined;
    rows = { own: newRow(rollups, hour, scope), projects: new Map(), applications: new Map() };
    byOrganization.set(organizationId, rows);
  }
  return rows;
}

function newNamed(
  rollups: ScanRollups,
  rows: Map<string, Row>,
  hour: number,
  name: string,
  scope: Buffer | undefined,
): Row | undefined {
  if (!scope) return undefined;
  const row = newRow(rollups, hour, scope);
  rows.set(name, row);
  return row;
}

function newRow(rollups: ScanRollups, hour: number, scope: Buffer): Row {
  rollups.knownRows++;
  return { key: rowKey(hour, scope), rollup: undefined, isChanged: false };
}

/** The row's rollup, which is about to change. */
function current(rollups: ScanRollups, row: Row, hour: number): Rollup {
  if (!row.isChanged) {
    row.isChanged = true;
    rollups.changed.push(row);
  }
  row.rollup ??= loadRollup(rollups, row.key, hour) ?? emptyRollup(hour);
  return row.rollup;
}

function loadRollup({ table }: ScanRollups, key: Buffer, hour: number): Rollup | undefined {
  const bytes = table.get(key);
  return bytes && decodeRollup(hour, bytes);
}

/**
 * The rollups of a scope whose hours begin in the range, oldest first; hours without scans have none. The tail is counted
 * first, as far as it is not.
 */
export function findRollups(
  rollups: ScanRollups,
  revision: number,
  tail: readonly Segment[],
  query: RollupQuery,
): readonly Rollup[] {
  const { organizationId, projectId, appUuid } = query;
  const scope = scopeOf(organizationId, projectId, appUuid);
  if (!scope) return [];
  countTail(rollups, revision, tail);
  const found: Rollup[] = [];
  const from = Math.max(0, Math.ceil(query.from / hourMs) * hourMs);
  for (let hour = from; hour < query.to; hour += hourMs) {
    const row = knownRow(rollups.known.get(hour)?.get(organizationId), projectId, appUuid);
    // A copy: this one goes on counting.
    const rollup = row?.rollup
      ? decodeRollup(hour, encodeRollup(row.rollup))
      : loadRollup(rollups, rowKey(hour, scope), hour);
    if (rollup) found.push(rollup);
  }
  return found;
}

/** Keys of the first `max` rows of hours that were over before a time. */
export function findOldRollups({ table }: ScanRollups, before: number, max: number): readonly Buffer[] {
  const end = Buffer.alloc(hourBytes);
  end.writeUInt32BE(Math.min(Math.max(0, Math.floor(before / hourMs)), 0xffffffff));
  return [...table.getKeys({ start: Buffer.alloc(hourBytes), end, limit: max })];
}

/** Removes rows, in a transaction. */
export function removeRollups({ table }: ScanRollups, keys: readonly Buffer[]): void {
  for (const key of keys) table.removeSync(key);
}

function knownRow(rows: OrganizationRows | undefined, projectId?: string, appUuid?: string): Row | undefined {
  if (projectId !== undefined) return rows?.projects.get(projectId);
  return appUuid === undefined ? rows?.own : rows?.applications.get(appUuid);
}

function scopeOf(organizationId: string, projectId?: string, appUuid?: string): Buffer | undefined {
  if (projectId !== undefined) return projectScope(organizationId, projectId);
  return appUuid === undefined ? organizationScope(organizationId) : applicationScope(organizationId, appUuid);
}

function rowKey(hour: number, scope: Buffer): Buffer {
  const key = Buffer.allocUnsafe(hourBytes + scope.length);
  key.writeUInt32BE(hour / hourMs, 0);
  scope.copy(key, hourBytes);
  return key;
}
