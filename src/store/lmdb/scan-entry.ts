import { isPolicyCode } from '../../domain/policy.js';
import { scanIdBytesLength } from '../scan-id.js';
import type { ScanQuery } from '../store.js';
import { writeUuid } from './hex.js';
import {
  appBit,
  flaggedBit,
  noName,
  policyBit,
  read16,
  read32,
  readTime,
  rowAt,
  write16,
  write32,
} from './scan-row.js';
import { rowOffset, type Segment, sameBytes } from './scan-segment.js';

/*
 * What an index keeps of a scan: everything that a query can filter by, so that no record is decoded to count, and where
 * the record is.
 *
 *   0       16              32           38      40         46
 *   | id    | application   | createdAt  | word  | segment  | row      big endian; createdAt and segment have 48 bits
 *
 * word: see scan-row.ts. "Entries" below are those of one buffer, one behind the other, ascending by id.
 */
export const entryBytes = 48;
const appOffset = 16;
const createdAtOffset = 32;
const wordOffset = 38;
const segmentOffset = 40;
const rowNumberOffset = 46;

/** Writes the entry of a segment's row. */
export function writeEntry(entries: Buffer, at: number, segment: Segment, row: number): void {
  const { bytes, number } = segment;
  const from = rowOffset(row);
  for (let i = 0; i < scanIdBytesLength; i++) entries[at + i] = bytes[from + i];
  const app = appBytes(segment, read16(bytes, from + rowAt.application));
  for (let i = 0; i < scanIdBytesLength; i++) entries[at + appOffset + i] = app[i];
  // Time and word follow one another in both.
  for (let i = 0; i < 8; i++) entries[at + createdAtOffset + i] = bytes[from + rowAt.createdAt + i];
  write16(entries, at + segmentOffset, Math.floor(number / 2 ** 32));
  write32(entries, at + segmentOffset + 2, number);
  write16(entries, at + rowNumberOffset, row);
}

const noApp = Buffer.alloc(scanIdBytesLength);

/** The bytes of an application that a segment names; those of a segment are remembered with it. */
function appBytes({ apps, names }: Segment, place: number): Buffer {
  if (place === noName) return noApp;
  apps[place] ??= uuidBytes(names[place]) ?? noApp;
  return apps[place];
}

/** The id of the entry at this offset; a view, not a copy. */
export function entryId(entries: Buffer, at: number): Buffer {
  return entries.subarray(at, at + scanIdBytesLength);
}

/** The id of the last entry. */
export function lastEntryId(entries: Buffer): Buffer {
  return entryId(entries, entries.length - entryBytes);
}

/** Where the record of the entry at this offset is. */
export function entryPointer(entries: Buffer, at: number): { readonly segment: number; readonly row: number } {
  const high = read16(entries, at + segmentOffset);
  return {
    segment: high * 2 ** 32 + read32(entries, at + segmentOffset + 2),
    row: read16(entries, at + rowNumberOffset),
  };
}

/** How many of the entries are of flagged scans. */
export function countFlagged(entries: Buffer): number {
  let count = 0;
  for (let at = wordOffset; at < entries.length; at += entryBytes) if ((entries[at] & 0x80) !== 0) count++;
  return count;
}

/** Offset of the first entry whose id is not below this one; the length where all are. */
export function seekEntry(entries: Buffer, id: Buffer): number {
  let low = 0;
  let high = entries.length / entryBytes;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * entryBytes;
    if (entries.compare(id, 0, scanIdBytesLength, at, at + scanIdBytesLength) < 0) low = middle + 1;
    else high = middle;
  }
  return low * entryBytes;
}

/** Sorts entries by id, in place of what they were. Those that ascend already, as nearly all do, are given back. */
export function sortEntries(entries: Buffer): Buffer {
  return isAscending(entries) ? entries : Buffer.concat(splitEntries(entries).sort(Buffer.compare));
}

/** Entries of two buffers in one. */
export function mergeEntries(one: Buffer, other: Buffer): Buffer {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  return sortEntries(Buffer.concat([one, other]));
}

/** The entries without those that have one of these ids, which ascend, as entries do. */
export function withoutEntries(entries: Buffer, unwanted: Buffer): Buffer {
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < unwanted.length; at += entryBytes) {
    const id = entryId(unwanted, at);
    const found = seekEntry(entries, id);
    if (found === entries.length || entryId(entries, found).compare(id) !== 0) continue;
    if (found > from) kept.push(entries.subarray(from, found));
    from = found + entryBytes;
  }
  if (from === 0) return entries;
  if (from < entries.length) kept.push(entries.subarray(from));
  return Buffer.concat(kept);
}

function splitEntries(entries: Buffer): Buffer[] {
  const split: Buffer[] = [];
  for (let at = 0; at < entries.length; at += entryBytes) split.push(entries.subarray(at, at + entryBytes));
  return split;
}

/** Whether entries are in the order in which they must be. */
export function isAscending(entries: Buffer): boolean {
  for (let at = entryBytes; at < entries.length; at += entryBytes) {
    // By hand: a call to `compare` takes ten times as long.
    let i = 0;
    while (i < scanIdBytesLength && entries[at + i] === entries[at - entryBytes + i]) i++;
    if (i < scanIdBytesLength && entries[at + i] < entries[at - entryBytes + i]) return false;
  }
  return true;
}

/** Tells whether the entry at an offset passes a query's filters. */
export type EntryFilter = (entries: Buffer, at: number) => boolean;

/** The filters of a query other than organization, project and id; undefined when it has none. */
export function entryFilter(query: ScanQuery): EntryFilter | undefined {
  const { flagged, appUuid, detector, from = 0, to = Number.POSITIVE_INFINITY } = query;
  const timed = query.from !== undefined || query.to !== undefined;
  if (flagged === undefined && appUuid === undefined && detector === undefined && !timed) return undefined;
  const app = appUuid === undefined ? undefined : uuidBytes(appUuid);
  // Neither was ever stored: every record was checked.
  if ((appUuid !== undefined && !app) || (detector !== undefined && !isPolicyCode(detector))) return () => false;

  let mask = 0;
  let wanted = 0;
  if (flagged !== undefined) mask |= flaggedBit;
  if (flagged === true) wanted |= flaggedBit;
  if (app) mask |= appBit;
  if (detector !== undefined) mask |= policyBit(detector);
  wanted |= mask & ~flaggedBit;

  return (entries, at) => {
    if ((read16(entries, at + wordOffset) & mask) !== wanted) return false;
    if (app && !sameBytes(entries, at + appOffset, app)) return false;
    if (!timed) return true;
    const createdAt = readTime(entries, at + createdAtOffset);
    return createdAt >= from && createdAt < to;
  };
}

function uuidBytes(uuid: string): Buffer | undefined {
  const bytes = Buffer.alloc(scanIdBytesLength);
  return writeUuid(bytes, 0, uuid) ? bytes : undefined;
}
