import { isPolicyCode, type PolicyCode, policyCodes } from '../../domain/policy.js';
import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { latencyBin } from '../rollup.js';
import { createdAtSkewMs } from '../scan-id.js';
import { StoreError } from '../store.js';
import { isUuid, writeHex, writeUuid } from './hex.js';
import { fitsScope } from './scan-scope.js';

/*
 * A record as a row of a segment (scan-segment.ts). Big endian.
 *
 *   0    | 16        | 22   | 24           | 26      | 28          | 30      | 32         |
 *   | id | createdAt | word | organization | project | application | version | request id |
 *
 *   48       | 52          | 53    | 54           | 56    | 60
 *   duration | latency bin | flags | scanned from | extra | length
 *
 * word: bit 15 flagged, bit 14 has an application, bit n the policy at position n of `policyCodes`. Organization, project,
 * application and version are places in the segment's names. `extra` is where the segment's extras hold the rest: lengths
 * of messages and matches. A clean scan of one message has none; its length is in the row. A record that holds what no
 * scan gives (a fraction, a request id that is no UUID) is an extra as a whole, in JSON. `scanned from` was unused and 0 before
 * there were scan scopes, which is what it says of scans of all messages.
 */
export const rowBytes = 64;
export const rowAt = {
  createdAt: 16,
  word: 22,
  organization: 24,
  project: 26,
  application: 28,
  version: 30,
  requestId: 32,
  duration: 48,
  latency: 52,
  flags: 53,
  scannedFrom: 54,
  extra: 56,
  length: 60,
} as const;
export const rowFlag = { mcp: 1, extra: 2, whole: 4, redactedText: 8, fullText: 16 } as const;
/** Place of the name that a record does not have. */
export const noName = 0xffff;

export const flaggedBit: number = 1 << 15;
export const appBit: number = 1 << 14;
const createdAtMax = 2 ** 48 - 1;
const uint32Max = 2 ** 32 - 1;

/** The bit of a policy in the word of a row or entry. */
export function policyBit(code: PolicyCode): number {
  return 1 << policyCodes.indexOf(code);
}

/** The policies of a word, in order of code. */
export function policiesOf(word: number): PolicyCode[] {
  return policyCodes.filter((_, place) => (word & (1 << place)) !== 0);
}

/** What a row needs of the segment that it is written to. */
interface SegmentNames {
  /** Place of a name, which it gets if it has none. */
  place(name: string): number;
}

/**
 * Writes a record to a row whose bytes are all zero, but for its extra. Throws `StoreError` for a record that cannot be
 * stored; the row is then spoilt. Gives whether the record must be an extra as a whole.
 */
export function writeRow(row: Buffer, at: number, record: ScanRecord, names: SegmentNames): boolean {
  const { id, createdAt, appUuid, projectId } = record;
  if (id.length !== 37 || !id.startsWith('scan_') || !writeHex(row, at, id, 5, 16)) {
    throw new StoreError('A scan id must be scan_ and 32 lowercase hex digits.');
  }
  if (!Number.isInteger(createdAt) || createdAt < 0 || createdAt > createdAtMax) {
    throw new StoreError('The time of a scan must be a whole number of milliseconds of 48 bits.');
  }
  if (!(Math.abs(readTime(row, at) - createdAt) <= createdAtSkewMs)) {
    throw new StoreError('The time of a scan must be that of its id.');
  }
  if (!fitsScope(record.organizationId, projectId ?? '')) {
    throw new StoreError('The organization or the project of a scan has too long a name.');
  }
  if (appUuid !== null && !isUuid(appUuid)) {
    throw new StoreError('The application of a scan must be a lowercase UUID.');
  }
  writeTime(row, at + rowAt.createdAt, createdAt);
  let word = (record.flagged ? flaggedBit : 0) | (appUuid === null ? 0 : appBit);
  for (const code of record.detectors) word |= policyBit(code);
  write16(row, at + rowAt.word, word);
  write16(row, at + rowAt.organization, names.place(record.organizationId));
  write16(row, at + rowAt.project, projectId === null ? noName : names.place(projectId));
  write16(row, at + rowAt.application, appUuid === null ? noName : names.place(appUuid));
  write16(row, at + rowAt.version, names.place(record.policyVersion));
  write16(row, at + rowAt.scannedFrom, record.scannedFrom);
  const isPlain =
    writeUuid(row, at + rowAt.requestId, record.requestId) &&
    isUint32(record.durationUs) &&
    isUint32(record.matchesTotal) &&
    record.scannedFrom < 2 ** 16;
  write32(row, at + rowAt.duration, isPlain ? record.durationUs : 0);
  row[at + rowAt.latency] = latencyBin(record.durationUs);
  row[at + rowAt.flags] = record.source === 'mcp' ? rowFlag.mcp : 0;
  return !isPlain || !areOrdered(record.detectors) || !record.messageLengths.every(isUint32);
}

/** Notes in a row that text is kept beside it. */
export function markText(row: Buffer, at: number, form: StoredText['form']): void {
  row[at + rowAt.flags] |= form === 'full' ? rowFlag.fullText : rowFlag.redactedText;
}

/** The form of the text that is kept beside a row. */
export function textFormOf(row: Buffer, at: number): StoredText['form'] | undefined {
  const flags = row[at + rowAt.flags];
  if ((flags & rowFlag.fullText) !== 0) return 'full';
  return (flags & rowFlag.redactedText) !== 0 ? 'redacted' : undefined;
}

/** A time of 48 bits. By hand: `readUIntBE` takes twice the time, and walks read a million of these. */
export function readTime(bytes: Buffer, at: number): number {
  const high = (bytes[at] << 8) | bytes[at + 1];
  return high * 2 ** 32 + read32(bytes, at + 2);
}

export function read16(bytes: Buffer, at: number): number {
  return (bytes[at] << 8) | bytes[at + 1];
}

export function read32(bytes: Buffer, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
}

export function write16(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function write32(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

function writeTime(bytes: Buffer, at: number, ms: number): void {
  write16(bytes, at, Math.floor(ms / 2 ** 32));
  write32(bytes, at + 2, ms);
}

function isUint32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= uint32Max;
}

/** Whether the bits of a word can give the list back. */
function areOrdered(codes: readonly PolicyCode[]): boolean {
  let last = -1;
  for (const code of codes) {
    const place = policyCodes.indexOf(code);
    if (place <= last || !isPolicyCode(code)) return false;
    last = place;
  }
  return true;
}
