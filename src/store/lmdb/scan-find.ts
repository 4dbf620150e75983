import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { decodeCursor, encodeCursor } from '../scan-cursor.js';
import { createdAtSkewMs, lowestIdAt, scanIdBytes } from '../scan-id.js';
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
    below: query.to === undefined ? undefined : lowestIdAt(query.to + createdAtSkewMs),
    leastId: query.from === undefined ? undefined : lowestIdAt(query.from - createdAtSkewMs),
    after: query.cursor === undefined ? undefined : decodeCursor(query, query.cursor),
    skip: query.cursor === undefined ? (query.offset ?? 0) : 0,
    limit: query.limit,
    walkMax,
  };
  const known = knownTotal(walk, query);
  if (known !== undefined && (walk.limit < 1 || (!walk.filter && walk.skip >= known))) {
    return { records: [], total: known };
  }
  if (walk.limit < 1) return { records: [], total: countMatches(walk) };
  const { ids, goOnAfter, matches } = collect(walk, known === undefined && !walk.after);
  const total = known ?? matches ?? countMatches(walk);
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
  /** All entries that pass the filter are below this id, and none is below the other. */
  readonly below: Buffer | undefined;
  readonly leastId: Buffer | undefined;
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

/** The total where it can be told without a walk. */
function knownTotal(walk: Walk, query: ScanQuery): number | undefined {
  const { total, flagged } = countEntries(walk.index, walk.scope);
  if (!walk.filter) return total;
  const { appUuid, detector, from, to } = query;
  if ([appUuid, detector, from, to].some((value) => value !== undefined)) return undefined;
  return query.flagged ? flagged : total - flagged;
}

function countMatches(walk: Walk): number {
  const { filter, walkMax } = walk;
  let matches = 0;
  let examined = 0;
  for (const block of blocksOf(walk, walk.below)) {
    for (let at = 0; at < block.length; at += entryBytes) if (!filter || filter(block, at)) matches++;
    examined += block.length / entryBytes;
    if (examined >= walkMax) break;
  }
  return matches;
}

/** The blocks below an id that can hold entries which pass the filter, newest first. */
function* blocksOf({ index, scope, leastId }: Walk, below: Buffer | undefined): Generator<Buffer> {
  for (const block of entriesDown(index, scope, below)) {
    // The entries of a block ascend, so its last one tells that this block and all behind it are too old.
    if (
      leastId &&
      block.compare(leastId, 0, leastId.length, block.length - entryBytes, block.length - entryBytes + leastId.length) <
        0
    )
      return;
    yield block;
  }
}

interface Collected {
  readonly ids: readonly Buffer[];
  /** The id to go on after when there may be more behind it. */
  readonly goOnAfter?: Buffer;
  /** With `countAll`: how many entries pass the filter, on all pages. */
  readonly matches?: number;
}

/** The ids of a page. With `countAll` the walk goes on behind the page, which costs less than a second one. */
function collect(walk: Walk, countAll: boolean): Collected {
  const { filter, after, skip, limit, walkMax } = walk;
  const ids: Buffer[] = [];
  let matches = 0;
  let examined = 0;
  let lowest: Buffer | undefined;
  let goOnAfter: Buffer | undefined;
  const collected = (): Collected => ({
    ids,
    ...(goOnAfter ? { goOnAfter } : {}),
    ...(countAll ? { matches } : {}),
  });
  for (const block of blocksOf(walk, lower(after, walk.below))) {
    if (lowest && examined >= walkMax) {
      goOnAfter ??= lowest;
      return collected();
    }
    lowest = entryId(block, 0);
    const entries = block.length / entryBytes;
    if (!filter && matches + entries <= skip) {
      matches += entries;
      continue;
    }
    examined += entries;
    for (let at = block.length - entryBytes; at >= 0; at -= entryBytes) {
      if (filter && !filter(block, at)) continue;
      if (after && entryId(block, at).compare(after) >= 0) continue;
      matches++;
      if (matches <= skip || goOnAfter) continue;
      if (ids.length < limit) {
        ids.push(entryId(block, at));
        continue;
      }
      goOnAfter = ids.at(-1);
      if (!countAll) return collected();
    }
  }
  return collected();
}

function loadRecord(records: ByteTable, id: Buffer): ScanRecord {
  const value = records.get(id);
  if (!value) throw new StoreError('The store lacks a scan that its index names.');
  return decodeRow<ScanRecord>(value);
}

/** The lower one of two ids, either of which may be left open. */
function lower(one: Buffer | undefined, other: Buffer | undefined): Buffer | undefined {
  if (!one || !other) return one ?? other;
  return one.compare(other) < 0 ? one : other;
}
