import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { factsOf } from '../rollup.js';
import { scanIdBytes } from '../scan-id.js';
import { StoreError } from '../store.js';
import type { ByteTable, Environment } from './environment.js';
import { decodeRow, encodeRow } from './rows.js';
import { encodeEntry } from './scan-entry.js';
import { insertEntries, openScanIndex, removeEntries, type ScanIndex } from './scan-index.js';
import { type CountedScan, countScans, openScanRollups, type ScanRollups } from './scan-rollups.js';
import { organizationScope, projectScope } from './scan-scope.js';

/** The tables of the scan log. A record, its entries in the index and its counts are always written in one transaction. */
export interface ScanTables {
  /** The 16 bytes of the id to the record as JSON. */
  readonly records: ByteTable;
  /** By organization, and by organization and project. */
  readonly index: ScanIndex;
  readonly rollups: ScanRollups;
  /** The 16 bytes of the id to the text that is kept, as JSON; of few scans. */
  readonly texts: ByteTable;
}

/** Opens or creates the tables. */
export function openScanTables(environment: Environment): ScanTables {
  return {
    records: environment.openTable('scans'),
    index: openScanIndex(environment),
    rollups: openScanRollups(environment),
    texts: environment.openTable('scan-texts'),
  };
}

/** A record in the form in which it is stored. */
export interface EncodedScan extends CountedScan {
  readonly id: Buffer;
  readonly value: Buffer;
  readonly entry: Buffer;
  readonly text: Buffer | undefined;
  readonly project: Buffer | undefined;
}

/** Throws `StoreError` for a record that cannot be stored. */
export function encodeScan(record: ScanRecord, text?: StoredText): EncodedScan {
  const id = scanIdBytes(record.id);
  if (!id) throw new StoreError('A scan id must be scan_ and 32 lowercase hex digits.');
  const { organizationId, projectId } = record;
  const organization = organizationScope(organizationId);
  const project = projectId === null ? undefined : projectScope(organizationId, projectId);
  if (!organization || (projectId !== null && !project)) {
    throw new StoreError('The organization or the project of a scan has too long a name.');
  }
  const entry = encodeEntry(record, id);
  return {
    id,
    value: encodeRow(text ? { ...record, storedText: text.form } : record),
    entry,
    text: text && encodeRow(text),
    organizationId,
    organization,
    project,
    facts: factsOf(record),
  };
}

/** Adds scans, in a transaction; gives those that it left out because their id is stored already. */
export function insertScans(
  { records, index, rollups, texts }: ScanTables,
  scans: readonly EncodedScan[],
): ReadonlySet<EncodedScan> {
  const refused = new Set<EncodedScan>();
  for (const scan of scans) {
    // False for an id that is there. LMDB's types leave the result out, and looking first would be a second search.
    const isNew: unknown = records.putSync(scan.id, scan.value, { noOverwrite: true });
    if (isNew === false) refused.add(scan);
    else if (scan.text) texts.putSync(scan.id, scan.text);
  }
  const added = refused.size === 0 ? scans : scans.filter((scan) => !refused.has(scan));
  for (const { scope, entries } of groupByScope(added)) insertEntries(index, scope, entries);
  countScans(rollups, added);
  return refused;
}

/** Removes the scans with these ids, in a transaction; gives the number of those that were there. */
export function removeScans({ records, index, texts }: ScanTables, ids: readonly Buffer[]): number {
  const removed: EncodedScan[] = [];
  for (const id of ids) {
    const value = records.get(id);
    if (!value) continue;
    const record = decodeRow<ScanRecord>(value);
    removed.push(encodeScan(record));
    records.removeSync(id);
    if (record.storedText !== undefined) texts.removeSync(id);
  }
  for (const { scope, entries } of groupByScope(removed)) removeEntries(index, scope, entries);
  return removed.length;
}

/** What a transaction changes in one scope; the entries ascend by id. */
interface ScopeChange {
  readonly scope: Buffer;
  readonly entries: Buffer[];
}

function groupByScope(scans: readonly EncodedScan[]): Iterable<ScopeChange> {
  const changes = new Map<string, ScopeChange>();
  const add = (scope: Buffer, entry: Buffer) => {
    const name = scope.toString('latin1');
    const change = changes.get(name);
    if (change) change.entries.push(entry);
    else changes.set(name, { scope, entries: [entry] });
  };
  for (const { organization, project, entry } of scans) {
    add(organization, entry);
    if (project) add(project, entry);
  }
  for (const { entries } of changes.values()) entries.sort(Buffer.compare);
  return changes.values();
}
