import { addOrganizationScan, addScan, emptyRollup, hourMs, hourOf, type Rollup, type ScanFacts } from '../rollup.js';
import type { RollupQuery } from '../store.js';
import type { ByteTable, Environment } from './environment.js';
import { decodeRollup, encodeRollup } from './rollup-entry.js';
import { applicationScope, organizationScope, projectScope } from './scan-scope.js';

/*
 *   key: hour since the Unix epoch, u32 big endian | scope        value: see rollup-entry.ts
 *
 * The hour comes first: rows that are written together lie together, and what is too old is one range.
 */
const hourBytes = 4;

/** Rows that are remembered; then all are forgotten and read again. */
const remembered = 1_024;

export interface ScanRollups {
  readonly table: ByteTable;
  /** Rows as this process wrote them last, by hour and organization, so that they need not be decoded for each transaction. */
  readonly known: Map<number, Map<string, OrganizationRows>>;
  knownRows: number;
  /** Counts the transactions. */
  transaction: number;
}

interface Row {
  readonly key: Buffer;
  rollup: Rollup;
  /** What the rollup was written as; undefined while it is not. Only believed where the table holds the very bytes. */
  bytes: Buffer | undefined;
  /** The one that looked at the table last. */
  transaction: number;
}

interface OrganizationRows {
  readonly own: Row;
  readonly projects: Map<string, Row>;
  readonly applications: Map<string, Row>;
}

/** A scan that is to be counted. */
export interface CountedScan {
  readonly organizationId: string;
  /** Key of its organization's scope. */
  readonly organization: Buffer;
  readonly facts: ScanFacts;
}

/** Opens or creates the table. */
export function openScanRollups(environment: Environment): ScanRollups {
  return { table: environment.openTable('scan-rollups'), known: new Map(), knownRows: 0, transaction: 0 };
}

/** Counts scans, in the transaction that adds them. Each row that they change is read and written once. */
export function countScans(rollups: ScanRollups, scans: readonly CountedScan[]): void {
  const changed: Row[] = [];
  if (rollups.knownRows > remembered) {
    rollups.known.clear();
    rollups.knownRows = 0;
  }
  rollups.transaction++;
  for (const scan of scans) {
    const { organizationId, facts } = scan;
    const hour = hourOf(facts.createdAt);
    const rows = organizationRows(rollups, hour, scan);
    const { project, application } = addOrganizationScan(current(rollups, rows.own, hour, changed), facts);
    if (project !== undefined) {
      const row = named(rollups, rows.projects, hour, project, () => projectScope(organizationId, project));
      if (row) addScan(current(rollups, row, hour, changed), facts);
    }
    if (application !== undefined) {
      const row = named(rollups, rows.applications, hour, application, () =>
        applicationScope(organizationId, application),
      );
      if (row) addScan(current(rollups, row, hour, changed), facts);
    }
  }
  for (const row of changed) {
    row.bytes = encodeRollup(row.rollup);
    rollups.table.putSync(row.key, row.bytes);
  }
}

function organizationRows(rollups: ScanRollups, hour: number, scan: CountedScan): OrganizationRows {
  let byOrganization = rollups.known.get(hour);
  if (!byOrganization) {
    byOrganization = new Map();
    rollups.known.set(hour, byOrganization);
  }
  let rows = byOrganization.get(scan.organizationId);
  if (!rows) {
    rows = { own: newRow(rollups, hour, scan.organization), projects: new Map(), applications: new Map() };
    byOrganization.set(scan.organizationId, rows);
  }
  return rows;
}

function named(
  rollups: ScanRollups,
  rows: Map<string, Row>,
  hour: number,
  name: string,
  scopeOfName: () => Buffer | undefined,
): Row | undefined {
  const known = rows.get(name);
  if (known) return known;
  const scope = scopeOfName();
  if (!scope) return undefined;
  const row = newRow(rollups, hour, scope);
  rows.set(name, row);
  return row;
}

function newRow(rollups: ScanRollups, hour: number, scope: Buffer): Row {
  rollups.knownRows++;
  return { key: rowKey(hour, scope), rollup: emptyRollup(hour), bytes: undefined, transaction: 0 };
}

/** The row's rollup as the table has it with what this transaction added. */
function current({ table, transaction }: ScanRollups, row: Row, hour: number, changed: Row[]): Rollup {
  if (row.transaction === transaction) return row.rollup;
  row.transaction = transaction;
  changed.push(row);
  const bytes = table.get(row.key);
  const isKnown = bytes !== undefined && row.bytes?.equals(bytes);
  if (!isKnown) row.rollup = bytes ? decodeRollup(hour, bytes) : emptyRollup(hour);
  // It is about to change, and the transaction may yet fail.
  row.bytes = undefined;
  return row.rollup;
}

/** The rollups of a scope whose hours begin in the range, oldest first; hours without scans have none. */
export function findRollups({ table }: ScanRollups, query: RollupQuery): readonly Rollup[] {
  const { organizationId, projectId, appUuid } = query;
  const scope = scopeOf(organizationId, projectId, appUuid);
  if (!scope) return [];
  const found: Rollup[] = [];
  const from = Math.max(0, Math.ceil(query.from / hourMs) * hourMs);
  for (let hour = from; hour < query.to; hour += hourMs) {
    const bytes = table.get(rowKey(hour, scope));
    if (bytes) found.push(decodeRollup(hour, bytes));
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
