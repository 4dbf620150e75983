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

/** Rollups of the hours that are being written, as they were written last. */
const freshMax = 512;

export interface ScanRollups {
  readonly table: ByteTable;
  /** Saves decoding the same rows for every transaction; only believed where the table still holds the very bytes. */
  readonly fresh: Map<string, { readonly bytes: Buffer; readonly rollup: Rollup }>;
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
  return { table: environment.openTable('scan-rollups'), fresh: new Map() };
}

/** Counts scans, in the transaction that adds them. Each row that they change is written once. */
export function countScans(rollups: ScanRollups, scans: readonly CountedScan[]): void {
  const changed = new Map<string, Changed>();
  const rollupOf = (hour: number, scope: Buffer): Rollup => {
    const key = rowKey(hour, scope);
    const name = key.toString('latin1');
    const known = changed.get(name);
    if (known) return known.rollup;
    const rollup = loadRollup(rollups, hour, key, name);
    changed.set(name, { key, rollup });
    return rollup;
  };
  for (const { organizationId, organization, facts } of scans) {
    const hour = hourOf(facts.createdAt);
    const { project, application } = addOrganizationScan(rollupOf(hour, organization), facts);
    const ownScopes = [
      project === undefined ? undefined : projectScope(organizationId, project),
      application === undefined ? undefined : applicationScope(organizationId, application),
    ];
    for (const scope of ownScopes) if (scope) addScan(rollupOf(hour, scope), facts);
  }
  if (rollups.fresh.size + changed.size > freshMax) rollups.fresh.clear();
  for (const [name, { key, rollup }] of changed) {
    const bytes = encodeRollup(rollup);
    rollups.table.putSync(key, bytes);
    rollups.fresh.set(name, { bytes, rollup });
  }
}

interface Changed {
  readonly key: Buffer;
  readonly rollup: Rollup;
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

function loadRollup({ table, fresh }: ScanRollups, hour: number, key: Buffer, name: string): Rollup {
  const bytes = table.get(key);
  if (!bytes) return emptyRollup(hour);
  const known = fresh.get(name);
  // Taken out, because it is about to change, and the transaction may yet fail.
  fresh.delete(name);
  return known?.bytes.equals(bytes) ? known.rollup : decodeRollup(hour, bytes);
}

function rowKey(hour: number, scope: Buffer): Buffer {
  const key = Buffer.allocUnsafe(hourBytes + scope.length);
  key.writeUInt32BE(hour / hourMs, 0);
  scope.copy(key, hourBytes);
  return key;
}
