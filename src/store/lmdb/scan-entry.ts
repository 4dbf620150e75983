import { isPolicyCode, type PolicyCode, policyCodes } from '../../domain/policy.js';
import type { ScanRecord } from '../../domain/scan-record.js';
import { scanIdBytesLength } from '../scan-id.js';
import { type ScanQuery, StoreError } from '../store.js';

/*
 * What an index keeps of a scan: everything that a query can filter by, so that no record is decoded to count.
 *
 *   0       16              32           38      40
 *   | id    | application   | createdAt  | word  |      big endian; createdAt has 48 bits
 *
 * word: bit 15 flagged, bit 14 has an application, bit n the policy at position n of `policyCodes`
 */
export const entryBytes = 40;
const appOffset = 16;
const createdAtOffset = 32;
const createdAtBytes = 6;
const wordOffset = 38;
const flaggedBit = 1 << 15;
const appBit = 1 << 14;
const createdAtMax = 2 ** 48 - 1;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The entry of a record whose id has these bytes. Throws `StoreError` for values that do not fit. */
export function encodeEntry(record: ScanRecord, id: Buffer): Buffer {
  if (!Number.isInteger(record.createdAt) || record.createdAt < 0 || record.createdAt > createdAtMax) {
    throw new StoreError('The time of a scan must be a whole number of milliseconds of 48 bits.');
  }
  const app = record.appUuid === null ? undefined : uuidBytes(record.appUuid);
  if (record.appUuid !== null && !app) throw new StoreError('The application of a scan must be a lowercase UUID.');
  const entry = Buffer.alloc(entryBytes);
  entry.set(id);
  if (app) entry.set(app, appOffset);
  entry.writeUIntBE(record.createdAt, createdAtOffset, createdAtBytes);
  let bits = (record.flagged ? flaggedBit : 0) | (app ? appBit : 0);
  for (const code of record.detectors) bits |= policyBit(code);
  entry.writeUInt16BE(bits, wordOffset);
  return entry;
}

/** The id of the entry at this offset of a block; a view, not a copy. */
export function entryId(block: Buffer, offset: number): Buffer {
  return block.subarray(offset, offset + scanIdBytesLength);
}

/** Time of creation, in milliseconds, of the entry at this offset of a block. */
export function entryCreatedAt(block: Buffer, offset: number): number {
  const at = offset + createdAtOffset;
  // By hand: `readUIntBE` takes twice the time, and walks read a million of these.
  const high = (block[at] << 8) | block[at + 1];
  return (
    high * 2 ** 32 + (((block[at + 2] << 24) | (block[at + 3] << 16) | (block[at + 4] << 8) | block[at + 5]) >>> 0)
  );
}

/** How many of the entries are of flagged scans. */
export function countFlagged(entries: readonly Buffer[]): number {
  return entries.reduce((count, entry) => count + ((word(entry, 0) & flaggedBit) === 0 ? 0 : 1), 0);
}

/** The entries of a block, one by one; views, not copies. */
export function splitEntries(block: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < block.length; at += entryBytes) entries.push(block.subarray(at, at + entryBytes));
  return entries;
}

/** One block of a block's entries and added ones. Both must ascend by id; ascending ones behind the block's are cheapest. */
export function mergeEntries(block: Buffer, added: readonly Buffer[]): Buffer {
  if (added.length === 0) return block;
  // Ids come first in an entry and differ, so comparing entries compares ids.
  const isBehind = block.length === 0 || block.compare(added[0], 0, entryBytes, block.length - entryBytes) < 0;
  return Buffer.concat(isBehind ? [block, ...added] : [...splitEntries(block), ...added].sort(Buffer.compare));
}

/** Tells whether the entry at an offset of a block passes a query's filters. */
export type EntryFilter = (block: Buffer, offset: number) => boolean;

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

  return (block, offset) => {
    if ((word(block, offset) & mask) !== wanted) return false;
    if (app && !holds(block, offset + appOffset, app)) return false;
    if (!timed) return true;
    const createdAt = entryCreatedAt(block, offset);
    return createdAt >= from && createdAt < to;
  };
}

function word(block: Buffer, offset: number): number {
  return (block[offset + wordOffset] << 8) | block[offset + wordOffset + 1];
}

function holds(block: Buffer, offset: number, bytes: Buffer): boolean {
  // From the end: UUIDs of one generator differ there. A call to `compare` would take ten times as long.
  for (let i = bytes.length - 1; i >= 0; i--) if (block[offset + i] !== bytes[i]) return false;
  return true;
}

function policyBit(code: PolicyCode): number {
  return 1 << policyCodes.indexOf(code);
}

function uuidBytes(uuid: string): Buffer | undefined {
  return uuidPattern.test(uuid) ? Buffer.from(uuid.replaceAll('-', ''), 'hex') : undefined;
}
