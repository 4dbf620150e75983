import { policyCodes } from '../../domain/policy.js';
import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import type { ScanFacts } from '../rollup.js';
import { scanIdBytesLength } from '../scan-id.js';
import { StoreError } from '../store.js';
import { uuidText } from './hex.js';
import { decodeRow } from './rows.js';
import {
  appBit,
  flaggedBit,
  noName,
  policiesOf,
  read16,
  read32,
  readTime,
  rowAt,
  rowBytes,
  rowFlag,
  textFormOf,
} from './scan-row.js';

/*
 * A segment: the records of one transaction, in the order in which they came. Never changed once it is written.
 *
 *   0        1       2      4             8      16                     names offset
 *   | format | flags | rows | names offset |     | rows (scan-row.ts) | extras | names, a JSON array of texts
 *
 * Flags: bit 0 set where the rollups counted the records already (schema.ts).
 *
 * An extra is either the record in JSON, or numbers as in rollup-entry.ts, then JSON:
 *
 *   number of rules that matched, place of each among the names | number of messages, length of each |
 *   number of all matches | stored matches, nothing for none
 */
export const segmentHeaderBytes = 16;
export const segmentFormat = 1;
export const countedFlag = 1;
/** So that no place of a name is `noName`: a record has four names at most. */
export const segmentRowsMax = 1_024;

/** A segment that was read. */
export interface Segment {
  /** By which rows are pointed at. */
  readonly number: number;
  readonly bytes: Buffer;
  readonly rows: number;
  /** Whether the rollups hold its records. */
  readonly isCounted: boolean;
  readonly names: readonly string[];
  /** Bytes of the applications among the names, once they were asked for. */
  readonly apps: Buffer[];
}

/** Reads a segment. Throws `StoreError` for what is none. */
export function openSegment(number: number, bytes: Buffer): Segment {
  const rows = bytes.length < segmentHeaderBytes ? 0 : bytes.readUInt16BE(2);
  const namesAt = rows === 0 ? 0 : bytes.readUInt32BE(4);
  if (rows === 0 || bytes[0] !== segmentFormat || namesAt < rowOffset(rows) || namesAt > bytes.length) {
    throw new StoreError('The store holds a damaged segment of scans.');
  }
  const names = decodeRow<readonly string[]>(bytes.subarray(namesAt));
  return { number, bytes, rows, isCounted: (bytes[1] & countedFlag) !== 0, names, apps: [] };
}

/** Where a row begins. */
export function rowOffset(row: number): number {
  return segmentHeaderBytes + row * rowBytes;
}

/** The name that a row has at a place; null for none. */
function nameAt({ bytes, names }: Segment, offset: number): string | null {
  const place = read16(bytes, offset);
  return place === noName ? null : names[place];
}

/** The organization that a row's scan is of. */
export function organizationOf(segment: Segment, row: number): string {
  return nameAt(segment, rowOffset(row) + rowAt.organization) ?? '';
}

/** Place of the name among the segment's; -2, which no row has, where no row can have it. */
export function placeOf({ names }: Segment, name: string): number {
  const place = names.indexOf(name);
  return place < 0 ? -2 : place;
}

/** The row with this id, or -1. */
export function rowOf({ bytes, rows }: Segment, id: Buffer): number {
  for (let row = 0, at = segmentHeaderBytes; row < rows; row++, at += rowBytes)
    if (sameBytes(bytes, at, id)) return row;
  return -1;
}

/** Whether these stand at an offset. From the end, where ids of one time differ, and UUIDs of one generator. */
export function sameBytes(bytes: Buffer, at: number, wanted: Buffer): boolean {
  for (let i = wanted.length - 1; i >= 0; i--) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** Time of creation of a row. */
export function createdAtOf({ bytes }: Segment, row: number): number {
  return readTime(bytes, rowOffset(row) + rowAt.createdAt);
}

/** The record of a row. */
export function readRecord(segment: Segment, row: number): ScanRecord {
  const { bytes } = segment;
  const at = rowOffset(row);
  const flags = bytes[at + rowAt.flags];
  if ((flags & rowFlag.whole) !== 0) return withForm(decodeRecord(extraOf(segment, row)), bytes, at);
  const word = read16(bytes, at + rowAt.word);
  const record: ScanRecord = {
    id: `scan_${bytes.toString('hex', at, at + scanIdBytesLength)}`,
    organizationId: nameAt(segment, at + rowAt.organization) ?? '',
    createdAt: createdAtOf(segment, row),
    flagged: (word & flaggedBit) !== 0,
    projectId: nameAt(segment, at + rowAt.project),
    appUuid: nameAt(segment, at + rowAt.application),
    source: (flags & rowFlag.mcp) === 0 ? 'rest' : 'mcp',
    requestId: uuidText(bytes, at + rowAt.requestId),
    policyVersion: nameAt(segment, at + rowAt.version) ?? '',
    durationUs: read32(bytes, at + rowAt.duration),
    scannedFrom: read16(bytes, at + rowAt.scannedFrom),
    detectors: policiesOf(word),
    ...((flags & rowFlag.extra) === 0
      ? { messageLengths: [read32(bytes, at + rowAt.length)], matchesTotal: 0, matches: [] }
      : readExtra(extraOf(segment, row))),
  };
  return withForm(record, bytes, at);
}

/** A record in JSON; those from before there were scan scopes are of scans of all messages. */
export function decodeRecord(bytes: Buffer): ScanRecord {
  return { scannedFrom: 0, ...decodeRow<Omit<ScanRecord, 'scannedFrom'>>(bytes) };
}

/** What the rollups count of a row. */
export function factsOfRow(segment: Segment, row: number): ScanFacts {
  const { bytes } = segment;
  const at = rowOffset(row);
  const word = read16(bytes, at + rowAt.word);
  const isClean = (bytes[at + rowAt.flags] & (rowFlag.extra | rowFlag.whole)) === 0;
  return {
    createdAt: createdAtOf(segment, row),
    flagged: (word & flaggedBit) !== 0,
    policies: placesOf(word & (appBit - 1)),
    latencyBin: bytes[at + rowAt.latency],
    ruleIds: isClean ? none : ruleIdsOf(segment, row),
    projectId: nameAt(segment, at + rowAt.project),
    appUuid: nameAt(segment, at + rowAt.application),
  };
}

const none: readonly never[] = [];

function placesOf(bits: number): readonly number[] {
  if (bits === 0) return none;
  return policyCodes.flatMap((_, place) => ((bits & (1 << place)) === 0 ? [] : place));
}

/** Form of the text that is kept beside the row, if there is any. */
export function storedFormOf({ bytes }: Segment, row: number): StoredText['form'] | undefined {
  return textFormOf(bytes, rowOffset(row));
}

function withForm(record: ScanRecord, bytes: Buffer, at: number): ScanRecord {
  const form = textFormOf(bytes, at);
  return form === undefined ? record : { ...record, storedText: form };
}

function extraOf({ bytes }: Segment, row: number): Buffer {
  const at = rowOffset(row);
  const start = read32(bytes, at + rowAt.extra);
  return bytes.subarray(start, start + read32(bytes, at + rowAt.length));
}

function ruleIdsOf(segment: Segment, row: number): readonly string[] {
  const { bytes, names } = segment;
  if ((bytes[rowOffset(row) + rowAt.flags] & rowFlag.whole) !== 0) {
    return [...new Set(readRecord(segment, row).matches.flatMap(({ ruleIds }) => ruleIds))];
  }
  const number = numbersOf(extraOf(segment, row)).next;
  const rules: string[] = [];
  for (let left = number(); left > 0; left--) rules.push(names[number()]);
  return rules;
}

function readExtra(extra: Buffer): Pick<ScanRecord, 'messageLengths' | 'matchesTotal' | 'matches'> {
  const numbers = numbersOf(extra);
  const number = numbers.next;
  for (let left = number(); left > 0; left--) number();
  const messageLengths: number[] = [];
  for (let left = number(); left > 0; left--) messageLengths.push(number());
  const matchesTotal = number();
  const text = numbers.rest();
  return { messageLengths, matchesTotal, matches: text.length > 0 ? decodeRow<ScanRecord['matches']>(text) : [] };
}

/** Reads numbers one after the other; `rest` is what lies behind them. Throws `StoreError` behind the end. */
function numbersOf(bytes: Buffer): { next(): number; rest(): Buffer } {
  let at = 0;
  return {
    next() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        if (byte === undefined) throw new StoreError('The store holds a damaged scan.');
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    },
    rest: () => bytes.subarray(at),
  };
}
