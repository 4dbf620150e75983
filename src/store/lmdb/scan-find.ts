import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { decodeCursor, encodeCursor } from '../scan-cursor.js';
import { createdAtSkewMs, lowestIdAt, scanIdBytes } from '../scan-id.js';
import type { ScanPage, ScanQuery } from '../store.js';
import { decodeRow } from './rows.js';
import { blockEntriesMax } from './scan-blocks.js';
import {
  countFlagged,
  type EntryFilter,
  entryBytes,
  entryFilter,
  entryId,
  entryPointer,
  lastEntryId,
  seekEntry,
  writeEntry,
} from './scan-entry.js';
import { countEntries, entriesDown, findEntry, type ScanIndex } from './scan-index.js';
import { organizationScope, organizationScopes, projectScope } from './scan-scope.js';
import { organizationOf, readRecord, type Segment, storedFormOf } from './scan-segment.js';
import { loadSegment, type ScanTables, textKey } from './scan-tables.js';
import { findInTail, highestInTail, syncTail, tailEntries, withTail } from './scan-tail.js';

/**
 * Answers a query, see `ScanLog.find`. Without a filter other than organization, project and `flagged` the total is
 * read from a count; any other filter counts in a walk over the newest `walkMax` entries of its scope at most.
 * The page itself costs its records, and the entries that are passed over on the way to them.
 */
export function findScans(tables: ScanTables, query: ScanQuery, walkMax: number): ScanPage {
  syncTail(tables);
  if (query.scanId !== undefined) return findOne(tables, query, query.scanId);
  const { organizationId, projectId } = query;
  const scope = projectId === undefined ? organizationScope(organizationId) : projectScope(organizationId, projectId);
  if (!scope) return { records: [], total: 0 };
  const walk: Walk = {
    index: tables.index,
    scope,
    tail: tailEntries(tables.tail, organizationId, projectId),
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
  const { found, goOnAfter, matches } = collect(walk, known === undefined && !walk.after);
  const total = known ?? matches ?? countMatches(walk);
  const records = loadRecords(tables, found);
  return goOnAfter ? { records, total, next: encodeCursor(query, goOnAfter) } : { records, total };
}

/** The text that is kept beside a record of this organization. */
export function findText(tables: ScanTables, organizationId: string, scanId: string): StoredText | undefined {
  syncTail(tables);
  const found = locate(tables, organizationId, scanId);
  if (!found || storedFormOf(found.segment, found.row) === undefined) return undefined;
  const text = tables.texts.get(textKey(found.segment.number, found.row));
  return text && decodeRow<StoredText>(text);
}

/** Whether a scan with this id is stored: in the tail, or as one of the organization's. */
export function isStored(tables: ScanTables, organizationId: string, id: Buffer): boolean {
  syncTail(tables);
  if (findInTail(tables.tail, id)) return true;
  const scope = organizationScope(organizationId);
  return scope !== undefined && findEntry(tables.index, scope, id) !== undefined;
}

/** The highest id of all scans; undefined where there are none. */
export function highestId(tables: ScanTables): Buffer | undefined {
  syncTail(tables);
  let highest = highestInTail(tables.tail);
  for (const key of tables.index.heads.getKeys(organizationScopes)) {
    const [newest] = entriesDown(tables.index, key);
    const id = newest && lastEntryId(newest);
    if (id && (!highest || id.compare(highest) > 0)) highest = id;
  }
  return highest;
}

interface Located {
  readonly segment: Segment;
  readonly row: number;
}

/** Where the scan of an organization with this id is. */
function locate(tables: ScanTables, organizationId: string, scanId: string): Located | undefined {
  const id = scanIdBytes(scanId);
  const scope = organizationScope(organizationId);
  if (!id || !scope) return undefined;
  const recent = findInTail(tables.tail, id);
  if (recent) return organizationOf(recent.segment, recent.row) === organizationId ? recent : undefined;
  const entry = findEntry(tables.index, scope, id);
  if (!entry) return undefined;
  const { segment, row } = entryPointer(entry, 0);
  return { segment: loadSegment(tables, segment), row };
}

interface Walk {
  readonly index: ScanIndex;
  readonly scope: Buffer;
  /** Entries of the scope that the index lacks. */
  readonly tail: Buffer;
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

function findOne(tables: ScanTables, query: ScanQuery, scanId: string): ScanPage {
  const after = query.cursor === undefined ? undefined : decodeCursor(query, query.cursor);
  const found = locate(tables, query.organizationId, scanId);
  if (!found) return { records: [], total: 0 };
  const { segment, row } = found;
  const record = readRecord(segment, row);
  const entry = Buffer.alloc(entryBytes);
  writeEntry(entry, 0, segment, row);
  const filter = entryFilter(query);
  if ((query.projectId !== undefined && record.projectId !== query.projectId) || (filter && !filter(entry, 0))) {
    return { records: [], total: 0 };
  }
  const isOnPage = query.limit > 0 && (after ? entryId(entry, 0).compare(after) < 0 : !query.offset);
  return { records: isOnPage ? [record] : [], total: 1 };
}

/** The total where it can be told without a walk. */
function knownTotal(walk: Walk, query: ScanQuery): number | undefined {
  const indexed = countEntries(walk.index, walk.scope);
  const total = indexed.total + walk.tail.length / entryBytes;
  if (!walk.filter) return total;
  const { appUuid, detector, from, to } = query;
  if ([appUuid, detector, from, to].some((value) => value !== undefined)) return undefined;
  const flagged = indexed.flagged + countFlagged(walk.tail);
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
function* blocksOf({ index, scope, tail, leastId }: Walk, below: Buffer | undefined): Generator<Buffer> {
  const wanted = below ? tail.subarray(0, seekEntry(tail, below)) : tail;
  for (const block of withTail(wanted, entriesDown(index, scope, below), blockEntriesMax)) {
    // The entries of a block ascend, so its last one tells that this block and all behind it are too old.
    if (leastId && lastEntryId(block).compare(leastId) < 0) return;
    yield block;
  }
}

interface Collected {
  /** Entries, newest first. */
  readonly found: readonly Buffer[];
  /** The id to go on after when there may be more behind it. */
  readonly goOnAfter?: Buffer;
  /** With `countAll`: how many entries pass the filter, on all pages. */
  readonly matches?: number;
}

/** The entries of a page. With `countAll` the walk goes on behind the page, which costs less than a second one. */
function collect(walk: Walk, countAll: boolean): Collected {
  const { filter, after, skip, limit, walkMax } = walk;
  const found: Buffer[] = [];
  let matches = 0;
  let examined = 0;
  let lowest: Buffer | undefined;
  let goOnAfter: Buffer | undefined;
  const collected = (): Collected => ({
    found,
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
      if (found.length < limit) {
        found.push(block.subarray(at, at + entryBytes));
        continue;
      }
      goOnAfter = lastFound(found);
      if (!countAll) return collected();
    }
  }
  return collected();
}

function lastFound(found: readonly Buffer[]): Buffer | undefined {
  const last = found.at(-1);
  return last && entryId(last, 0);
}

function loadRecords(tables: ScanTables, entries: readonly Buffer[]): ScanRecord[] {
  const segments = new Map(tables.tail.segments.map((segment) => [segment.number, segment]));
  return entries.map((entry) => {
    const { segment: number, row } = entryPointer(entry, 0);
    const segment = segments.get(number) ?? loadSegment(tables, number);
    segments.set(number, segment);
    return readRecord(segment, row);
  });
}

/** The lower one of two ids, either of which may be left open. */
function lower(one: Buffer | undefined, other: Buffer | undefined): Buffer | undefined {
  if (!one || !other) return one ?? other;
  return one.compare(other) < 0 ? one : other;
}
