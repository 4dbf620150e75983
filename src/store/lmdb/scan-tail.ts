import { scanIdBytesLength } from '../scan-id.js';
import { StoreError } from '../store.js';
import { entryBytes, entryId, mergeEntries, seekEntry, sortEntries, writeEntry } from './scan-entry.js';
import { noName, read16, rowAt, rowBytes } from './scan-row.js';
import { openSegment, placeOf, rowOf, type Segment, segmentHeaderBytes } from './scan-segment.js';
import { loadState, type ScanState, type ScanTables, segmentKey, segmentNumber } from './scan-tables.js';
import type { Tail } from './tail-cache.js';

/** Scopes whose entries are remembered. */
const rememberedScopes = 32;

/**
 * Reads what is new of the tail; never in a transaction that may fail, which would leave here what nobody has. Its
 * segments are valid for the state that is given back.
 */
export function syncTail(tables: ScanTables): ScanState {
  const { tail } = tables;
  const state = loadState(tables);
  if (state.revision !== tail.revision)
    Object.assign(tail, { revision: state.revision, last: state.indexed, segments: [] });
  else if (state.last === tail.last) return state;
  tail.entries.clear();
  const start = segmentKey(Math.max(tail.last, state.indexed) + 1);
  for (const { key, value } of tables.segments.getRange({ start, end: segmentKey(state.last + 1) })) {
    tail.segments.push(openSegment(segmentNumber(key), value));
  }
  // Only what is indexed is ever removed.
  if (tail.segments.length !== state.last - state.indexed) {
    tail.revision = -1;
    throw new StoreError('The store lacks scans that its state names.');
  }
  tail.last = state.last;
  return state;
}

/** The entries of the tail's scans of an organization, or of one of its projects. */
export function tailEntries({ segments, entries }: Tail, organizationId: string, projectId?: string): Buffer {
  const name = JSON.stringify([organizationId, projectId]);
  let found = entries.get(name);
  if (!found) {
    found = sortEntries(Buffer.concat(segments.map((segment) => entriesOf(segment, organizationId, projectId))));
    if (entries.size >= rememberedScopes) entries.clear();
    entries.set(name, found);
  }
  return found;
}

/** Where the scan with this id is, if it is in the tail. */
export function findInTail(
  { segments }: Tail,
  id: Buffer,
): { readonly segment: Segment; readonly row: number } | undefined {
  for (const segment of segments) {
    const row = rowOf(segment, id);
    if (row >= 0) return { segment, row };
  }
  return undefined;
}

/** What `indexed` gives, blocks from newest to oldest, with the entries of the tail in their places. */
export function* withTail(tail: Buffer, indexed: Iterable<Buffer>, chunkEntries: number): Generator<Buffer> {
  let rest = tail;
  for (const block of indexed) {
    const at = rest.length === 0 ? 0 : seekEntry(rest, entryId(block, block.length - entryBytes));
    yield* chunksDown(rest.subarray(at), chunkEntries);
    rest = rest.subarray(0, at);
    const within = rest.length === 0 ? 0 : seekEntry(rest, entryId(block, 0));
    yield within === rest.length ? block : mergeEntries(block, rest.subarray(within));
    rest = rest.subarray(0, within);
  }
  yield* chunksDown(rest, chunkEntries);
}

/** So that walks, which are counted by blocks, end where they should. */
function* chunksDown(entries: Buffer, chunkEntries: number): Generator<Buffer> {
  const size = chunkEntries * entryBytes;
  for (let end = entries.length; end > 0; end -= size) yield entries.subarray(Math.max(0, end - size), end);
}

function entriesOf(segment: Segment, organizationId: string, projectId: string | undefined): Buffer {
  const { bytes, rows } = segment;
  const organization = placeOf(segment, organizationId);
  const project = projectId === undefined ? noName : placeOf(segment, projectId);
  if (organization < 0 || project < 0) return Buffer.alloc(0);
  const entries = Buffer.allocUnsafe(rows * entryBytes);
  let end = 0;
  for (let row = 0, at = segmentHeaderBytes; row < rows; row++, at += rowBytes) {
    if (read16(bytes, at + rowAt.organization) !== organization) continue;
    if (projectId !== undefined && read16(bytes, at + rowAt.project) !== project) continue;
    writeEntry(entries, end, segment, row);
    end += entryBytes;
  }
  return entries.subarray(0, end);
}

/** Bytes of the highest id of the tail; undefined where it is empty. */
export function highestInTail({ segments }: Tail): Buffer | undefined {
  let highest: Buffer | undefined;
  for (const { bytes, rows } of segments) {
    for (let row = 0, at = segmentHeaderBytes; row < rows; row++, at += rowBytes) {
      if (highest && bytes.compare(highest, 0, scanIdBytesLength, at, at + scanIdBytesLength) <= 0) continue;
      highest = bytes.subarray(at, at + scanIdBytesLength);
    }
  }
  return highest;
}
