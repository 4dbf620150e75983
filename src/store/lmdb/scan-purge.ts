import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Environment } from './environment.js';
import { removeEntries } from './scan-index.js';
import { groupByScope, indexTail, type SegmentRows } from './scan-indexing.js';
import { findOldRollups, removeRollups } from './scan-rollups.js';
import { createdAtOf, type Segment, storedFormOf } from './scan-segment.js';
import {
  hasReserve,
  keepReserve,
  loadSegment,
  loadState,
  readTimes,
  releaseReserve,
  type ScanTables,
  type SegmentTimes,
  saveState,
  saveTimes,
  segmentKey,
  segmentNumber,
  textKey,
} from './scan-tables.js';

/** Most records removed in one transaction: it holds the event loop for 2 to 4 ms, depending on how many projects they are of. */
const batchMax = 512;

/** Most records of the tail that are indexed in one transaction before they are purged. */
const indexedMax = 2_048;

/** Failures in a row after which a purge gives up: some half a second. */
const failuresMax = 10;

/** Time for LMDB to flush a commit: what was freed before that is not used again sooner. */
const flushMs = 50;

/** Segments looked at in one turn of the event loop: about a millisecond. */
const segmentsPerTurn = 2_048;

/** Rows of hours that are removed in one transaction. */
const hoursMax = 128;

/**
 * See `ScanLog.purge`. Every batch is a transaction of its own: a purge that is cut off leaves a consistent store. A
 * segment goes with its last record: until then the bytes of those that went before it, which nothing points at, stay.
 */
export async function purgeScans(
  environment: Environment,
  tables: ScanTables,
  before: number,
  signal?: AbortSignal,
): Promise<number> {
  // What is indexed goes first, because indexing needs room, of which a full disk has none before.
  const removed = await purgeIndexed(environment, tables, before, signal);
  const work: Work = { size: indexedMax, most: indexedMax };
  while (!signal?.aborted && hasOldTail(environment, tables, before)) {
    await persist(environment, tables, work, async (size) => (await indexTail(environment, tables, size)).records);
    await nextTurn();
  }
  const late = await purgeIndexed(environment, tables, before, signal);
  await purgeRollups(environment, tables, before, signal);
  if (signal?.aborted) return removed + late;
  // Where there is no room for it yet, the next purge tries again.
  if (!environment.read(() => hasReserve(tables))) await environment.write(() => keepReserve(tables)).catch(() => {});
  return removed + late;
}

async function purgeIndexed(
  environment: Environment,
  tables: ScanTables,
  before: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const work: Work = { size: batchMax, most: batchMax };
  let removed = 0;
  let next: number | undefined = 1;
  while (next !== undefined && !signal?.aborted) {
    const from: number = next;
    const old = environment.read(() => findOld(tables, before, from));
    next = old.next;
    if (old.numbers.length === 0) {
      await nextTurn();
      continue;
    }
    next = old.numbers[0];
    removed += await persist(environment, tables, work, (size) =>
      environment.write(() => removeOldest(tables, old.numbers, before, size)),
    );
  }
  return removed;
}

/** Records in one step of a work, and the most there may be. */
interface Work {
  size: number;
  readonly most: number;
}

/**
 * Does a step, smaller ones where it fails: removing needs room too, for the pages that it changes. On a full disk the
 * store's reserve gives some, and what is removed makes room for more.
 */
async function persist(
  environment: Environment,
  tables: ScanTables,
  work: Work,
  step: (size: number) => Promise<number>,
): Promise<number> {
  for (let failures = 1; ; failures++) {
    try {
      const done = await step(work.size);
      work.size = Math.min(2 * work.size, work.most);
      return done;
    } catch (error) {
      if (failures === failuresMax) throw error;
      work.size = Math.ceil(work.size / 8);
      await environment.write(() => releaseReserve(tables)).catch(() => {});
      await delay(flushMs);
      await environment.advance().catch(() => {});
    }
  }
}

function hasOldTail(environment: Environment, tables: ScanTables, before: number): boolean {
  return environment.read(() => {
    const { indexed, last } = loadState(tables);
    const range = { start: segmentKey(indexed + 1), end: segmentKey(last + 1) };
    for (const { value } of tables.times.getRange(range)) if (readTimes(value).floor < before) return true;
    return false;
  });
}

/**
 * Indexed segments from a number on that hold old records, as many as one transaction may treat; `next` is where to go on
 * looking if there are none.
 */
function findOld(tables: ScanTables, before: number, from: number): { numbers: readonly number[]; next?: number } {
  const { indexed } = loadState(tables);
  const range = { start: segmentKey(from), end: segmentKey(indexed + 1), limit: segmentsPerTurn };
  const numbers: number[] = [];
  let looked = 0;
  let rows = 0;
  let last = from;
  for (const { key, value } of tables.times.getRange(range)) {
    const times = readTimes(value);
    last = segmentNumber(key);
    looked++;
    if (times.floor >= before) continue;
    numbers.push(last);
    rows += times.rows;
    if (rows >= batchMax) break;
  }
  return looked < segmentsPerTurn ? { numbers } : { numbers, next: last + 1 };
}

/** Removes old records of segments, the first ones first, in a transaction; gives their number. */
function removeOldest(tables: ScanTables, numbers: readonly number[], before: number, max: number): number {
  const parts: SegmentRows[] = [];
  let removed = 0;
  for (const number of numbers) {
    const bytes = removed < max && tables.times.get(segmentKey(number));
    // Another process purges, too.
    if (!bytes) continue;
    const times = readTimes(bytes);
    const segment = loadSegment(tables, number);
    const left = rowsLeft(segment, times);
    const young = left.findIndex((row) => createdAtOf(segment, row) >= before);
    const rows = left.slice(0, Math.min(max - removed, young < 0 ? left.length : young));
    removed += rows.length;
    parts.push({ segment, rows });
    removeRows(tables, segment, rows, times, left[rows.length]);
  }
  for (const { scope, entries } of groupByScope(parts)) removeEntries(tables.index, scope, entries);
  const state = loadState(tables);
  saveState(tables, { ...state, revision: state.revision + 1 });
  return removed;
}

/** Removes rows, and the segment where `rest`, the first row that is left, is undefined. */
function removeRows(
  tables: ScanTables,
  segment: Segment,
  rows: readonly number[],
  times: SegmentTimes,
  rest: number | undefined,
): void {
  const { number } = segment;
  for (const row of rows) if (storedFormOf(segment, row) !== undefined) tables.texts.removeSync(textKey(number, row));
  if (rest !== undefined) {
    saveTimes(tables, number, { ...times, floor: createdAtOf(segment, rest), floorRow: rest });
    return;
  }
  tables.segments.removeSync(segmentKey(number));
  tables.times.removeSync(segmentKey(number));
}

/** The rows that no purge removed, oldest first. */
function rowsLeft(segment: Segment, { floor, floorRow }: SegmentTimes): number[] {
  const rows: number[] = [];
  for (let row = 0; row < segment.rows; row++) {
    const createdAt = createdAtOf(segment, row);
    if (createdAt > floor || (createdAt === floor && row >= floorRow)) rows.push(row);
  }
  return rows.sort((a, b) => createdAtOf(segment, a) - createdAtOf(segment, b) || a - b);
}

async function purgeRollups(
  environment: Environment,
  tables: ScanTables,
  before: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { rollups } = tables;
  while (!signal?.aborted) {
    const old = environment.read(() => findOldRollups(rollups, before, hoursMax));
    if (old.length === 0) return;
    await environment.write(() => {
      removeRollups(rollups, old);
      const state = loadState(tables);
      saveState(tables, { ...state, revision: state.revision + 1 });
    });
  }
}
