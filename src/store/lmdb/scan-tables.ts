import { StoreError } from '../store.js';
import type { ByteTable, Environment } from './environment.js';
import { openScanIndex, type ScanIndex } from './scan-index.js';
import { openScanRollups, type ScanRollups } from './scan-rollups.js';
import { openSegment, type Segment } from './scan-segment.js';
import { createTail, type Tail } from './tail-cache.js';

/*
 * The scan log. A transaction adds its records as one segment and nothing else; index and rollups follow many segments
 * later, all at once (scan-indexing.ts). Segments that they do not cover yet are the tail (scan-tail.ts).
 *
 *   scan-segments        number, u48 → segment
 *   scan-segment-times   number, u48 → floor (purge: createdAt u48, row u16), newest createdAt u48, rows u16
 *   scan-segment-texts   number, u48, row u16 → the text that is kept beside the row, JSON; of few scans
 *   scan-state           `state` → four doubles, see `ScanState`; `reserve` → nothing of worth, see `keepReserve`
 */
export interface ScanTables {
  readonly segments: ByteTable;
  readonly times: ByteTable;
  readonly texts: ByteTable;
  readonly state: ByteTable;
  /** By organization, and by organization and project. */
  readonly index: ScanIndex;
  readonly rollups: ScanRollups;
  /** What this process has read of the segments that are not indexed yet. */
  readonly tail: Tail;
}

/** Where the log stands. Segments are numbered from 1. */
export interface ScanState {
  /** Another one after every change of index, rollups or written segments. */
  readonly revision: number;
  /** The last segment that index and rollups cover. */
  readonly indexed: number;
  readonly last: number;
  /** Records in segments that are not indexed. */
  readonly tailRows: number;
}

const stateKey = Buffer.from('state');
const newState: ScanState = { revision: 0, indexed: 0, last: 0, tailRows: 0 };

/** Opens or creates the tables. */
export function openScanTables(environment: Environment): ScanTables {
  return {
    segments: environment.openTable('scan-segments'),
    times: environment.openTable('scan-segment-times'),
    texts: environment.openTable('scan-segment-texts'),
    state: environment.openTable('scan-state'),
    index: openScanIndex(environment),
    rollups: openScanRollups(environment),
    tail: createTail(),
  };
}

export function loadState({ state }: ScanTables): ScanState {
  const bytes = state.get(stateKey);
  if (!bytes) return newState;
  return {
    revision: bytes.readDoubleBE(0),
    indexed: bytes.readDoubleBE(8),
    last: bytes.readDoubleBE(16),
    tailRows: bytes.readDoubleBE(24),
  };
}

/** In a transaction. */
export function saveState({ state }: ScanTables, { revision, indexed, last, tailRows }: ScanState): void {
  const bytes = Buffer.allocUnsafe(32);
  bytes.writeDoubleBE(revision, 0);
  bytes.writeDoubleBE(indexed, 8);
  bytes.writeDoubleBE(last, 16);
  bytes.writeDoubleBE(tailRows, 24);
  state.putSync(stateKey, bytes);
}

const reserveKey = Buffer.from('reserve');
/** 64 pages: enough for a transaction that removes a few records of many projects. */
const reserveBytes = 256 * 1024;

/** Whether the store keeps room for a purge on a full disk. */
export function hasReserve({ state }: ScanTables): boolean {
  return state.doesExist(reserveKey);
}

/** Takes that room, in a transaction. */
export function keepReserve({ state }: ScanTables): void {
  state.putSync(reserveKey, Buffer.alloc(reserveBytes));
}

/** Gives it away, in a transaction that needs next to nothing itself; it can be used two commits later. */
export function releaseReserve({ state }: ScanTables): void {
  state.removeSync(reserveKey);
}

/** What a transaction adds. */
export interface NewSegment {
  readonly bytes: Buffer;
  readonly rows: number;
  /** Times of creation of its oldest and newest record. */
  readonly oldest: number;
  readonly newest: number;
  readonly texts: ReadonlyMap<number, Buffer>;
}

/** Adds segments behind all others, in a transaction. */
export function addSegments(tables: ScanTables, added: readonly NewSegment[]): void {
  const { revision, indexed, last, tailRows } = loadState(tables);
  let number = last;
  let rows = tailRows;
  for (const segment of added) {
    number++;
    rows += segment.rows;
    tables.segments.putSync(segmentKey(number), segment.bytes);
    saveTimes(tables, number, { floor: segment.oldest, floorRow: 0, newest: segment.newest, rows: segment.rows });
    for (const [row, text] of segment.texts) tables.texts.putSync(textKey(number, row), text);
  }
  saveState(tables, { revision, indexed, last: number, tailRows: rows });
}

/** Reads a segment that the index or the state names. */
export function loadSegment({ segments }: ScanTables, number: number): Segment {
  const bytes = segments.get(segmentKey(number));
  if (!bytes) throw new StoreError('The store lacks scans that its index names.');
  return openSegment(number, bytes);
}

/**
 * Which records of a segment a purge left: those whose time of creation, and then row, is not below the floor; and the time
 * of the newest.
 */
export interface SegmentTimes {
  readonly floor: number;
  readonly floorRow: number;
  readonly newest: number;
  /** Rows of the segment, purged ones too. */
  readonly rows: number;
}

const timesBytes = 16;

/** In a transaction. */
export function saveTimes({ times }: ScanTables, number: number, value: SegmentTimes): void {
  const bytes = Buffer.allocUnsafe(timesBytes);
  bytes.writeUIntBE(value.floor, 0, 6);
  bytes.writeUInt16BE(value.floorRow, 6);
  bytes.writeUIntBE(value.newest, 8, 6);
  bytes.writeUInt16BE(value.rows, 14);
  times.putSync(segmentKey(number), bytes);
}

/** Undoes `saveTimes`. */
export function readTimes(bytes: Buffer): SegmentTimes {
  return {
    floor: bytes.readUIntBE(0, 6),
    floorRow: bytes.readUInt16BE(6),
    newest: bytes.readUIntBE(8, 6),
    rows: bytes.readUInt16BE(14),
  };
}

const numberBytes = 6;

/** Key of a segment. */
export function segmentKey(number: number): Buffer {
  const key = Buffer.allocUnsafe(numberBytes);
  key.writeUIntBE(number, 0, numberBytes);
  return key;
}

/** Undoes `segmentKey`. */
export function segmentNumber(key: Buffer): number {
  return key.readUIntBE(0, numberBytes);
}

/** Key of the text beside a row. */
export function textKey(number: number, row: number): Buffer {
  const key = Buffer.allocUnsafe(numberBytes + 2);
  key.writeUIntBE(number, 0, numberBytes);
  key.writeUInt16BE(row, numberBytes);
  return key;
}
