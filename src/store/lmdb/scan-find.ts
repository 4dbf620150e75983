import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { decodeCursor, encodeCursor } from '../scan-cursor.js';
import { scanIdBytes } from '../scan-id.js';
import { type ScanPage, type ScanQuery, StoreError } from '../store.js';
import type { ByteTable } from './environment.js';
import { decodeRow } from './rows.js';
import { type EntryFilter, encodeEntry, entryBytes, entryFilter, entryId } from './scan-entry.js';
import { countEntries, entriesDown, type ScanIndex } from './scan-index.js';
import { organizationScope, projectScope } from './scan-scope.js';
import type { ScanTables } from './scan-tables.js';

/**
 * Answers a query, see `ScanLog.find`. Without a filter other than organization, project and `flagged` the total is
 * read from a count; any other filter counts in a walk over the newest `walkMax` entries of its scope at most.
 * The page itself costs its records, and the entries that are passed over on the way to them.
 */
export function findScans(tables: ScanTables, query: ScanQuery, walkMax: number): ScanPage {
  if (query.scanId !== undefined) return findOne(tables.records, query, query.scanId);
  const { organizationId, projectId } = query;
  const scope = projectId === undefined ? organizationScope(organizationId) : projectScope(organizationId, projectId);
  if (!scope) return { records: [], total: 0 };
  const walk: Walk = {
    index: tables.index,
    scope,
    filter: entryFilter(query),
    after: query.cursor === undefined ? undefined : decodeCursor(query, query.cursor),
    skip: query.cursor === undefined ? (query.offset ?? 0) : 0,
    limit: query.limit,
    walkMax,
  };
  const total = countMatches(walk, query);
  if (walk.limit < 1 || (!walk.filter && walk.skip >= total)) return { records: [], total };
  const { ids, goOnAfter } = collect(walk);
  const records = ids.map((id) => loadRecord(tables.records, id));
  return goOnAfter ? { records, total, next: encodeCursor(query, goOnAfter) } : { records, total };
}

/** The text that is kept beside a record of this organization. */
export function findText(
  { records, texts }: ScanTables,
  organizationId: string,
  scanId: string,
): StoredText | undefined {
  const id = scanIdBytes(scanId);
  const value = id && records.get(id);
  if (!id || !value) return undefined;
  const record = decodeRow<ScanRecord>(value);
  if (record.organizationId !== organizationId || record.storedText === undefined) return undefined;
  const text = texts.get(id);
  return text && decodeRow<StoredText>(text);
}

interface Walk {
  readonly index: ScanIndex;
  readonly scope: Buffer;
  readonly filter: EntryFilter | undefined;
  /** Only entries below this id. */
  readonly after: Buffer | undefined;
  readonly skip: number;
  readonly limit: number;
  readonly walkMax: number;
}

function findOne(records: ByteTable, query: ScanQuery, scanId: string): ScanPage {
  const after = query.cursor === undefined ? undefined : decodeCursor(query, query.cursor);
  const id = scanIdBytes(scanId);
  const value = id && records.get(id);
  if (!value) return { records: [], total: 0 };
  const record = decodeRow<ScanRecord>(value);
  const filter = entryFilter(query);
  if (
    record.organizationId !== query.organizationId ||
    (query.projectId !== undefined && record.projectId !== query.projectId) ||
    (filter && !filter(encodeEntry(record, id), 0))
  ) {
    return { records: [], total: 0 };
  }
  const isOnPage = query.limit > 0 && (after ? id.compare(after) < 0 : !query.offset);
  return { records: isOnPage ? [record] : [], total: 1 };
}

function countMatches(walk: Walk, query: ScanQuery): number {
  const { filter, walkMax } = walk;
  const { total, flagged } = countEntries(walk.index, walk.scope);
  if (!filter) return total;
  const { appUuid, detector, from, to } = query;
  if ([appUuid, detector, from, to].every((value) => value === undefined)) {
    return query.flagged ? flagged : total - flagged;
  }
  let matches = 0;
  let examined = 0;
  for (const block of entriesDown(walk.index, walk.scope)) {
    for (let at = 0; at < block.length; at += entryBytes) if (filter(block, at)) matches++;
    examined += block.length / entryBytes;
    if (examined >= walkMax) break;
  }
  return matches;
}

/** The ids of a page, and the id to go on after when there may be more behind it. */
function collect(walk: Walk): { ids: readonly Buffer[]; goOnAfter?: Buffer } {
  const { filter, after, skip, limit, walkMax } = walk;
  const ids: Buffer[] = [];
  let skipped = 0;
  let examined = 0;
  let lowest: Buffer | undefined;
  for (const block of entriesDown(walk.index, walk.scope, after)) {
    if (lowest && examined >= walkMax) return { ids, goOnAfter: lowest };
    lowest = entryId(block, 0);
    const entries = block.length / entryBytes;
    if (!filter && skipped + entries <= skip) {
      skipped += entries;
      continue;
    }
    examined += entries;
    for (let at = block.length - entryBytes; at >= 0; at -= entryBytes) {
      if (filter && !filter(block, at)) continue;
      const id = entryId(block, at);
      if (after && id.compare(after) >= 0) continue;
      if (skipped < skip) skipped++;
      else if (ids.length < limit) ids.push(id);
      else return { ids, goOnAfter: ids[ids.length - 1] };
    }
  }
  return { ids };
}

function loadRecord(records: ByteTable, id: Buffer): ScanRecord {
  const value = records.get(id);
  if (!value) throw new StoreError('The store lacks a scan that its index names.');
  return decodeRow<ScanRecord>(value);
}
