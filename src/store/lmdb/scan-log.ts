import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../../domain/limits.js';
import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { scanIdBytesLength } from '../scan-id.js';
import { type ScanLog, StoreError } from '../store.js';
import type { Environment } from './environment.js';
import { encodeRow } from './rows.js';
import { findScans, findText, highestId, isStored } from './scan-find.js';
import { indexTail } from './scan-indexing.js';
import { purgeScans } from './scan-purge.js';
import { findRollups } from './scan-rollups.js';
import { addSegments, loadState, type ScanTables } from './scan-tables.js';
import { syncTail } from './scan-tail.js';
import { createSegmentBuilder, type SegmentBuilder } from './segment-builder.js';

/** The scan log of an LMDB environment. */
export interface LmdbScanLog extends ScanLog {
  /** Takes no more records and waits, at most `limits.drainMs`, until those that it took are stored; rejects the rest. */
  drain(): Promise<void>;
}

export interface ScanLogOptions {
  /** Instead of `limits.recordQueueMax`. */
  readonly recordQueueMax?: number;
  /** Instead of `limits.storedTextQueueBytesMax`. */
  readonly textQueueBytesMax?: number;
  /** Instead of `limits.resultsWalkMax`. */
  readonly resultsWalkMax?: number;
  /** Least time between the beginnings of two transactions, unless a full segment waits. */
  readonly spacingMs?: number;
  /** Most records that wait for the index before it follows. */
  readonly tailRowsMax?: number;
  /** Whether appends resolve only when their records are on disk, and not when they are committed. */
  readonly flush?: boolean;
}

/**
 * A transaction costs this thread 0.1 to 0.2 ms. At 50 transactions a second that is 1 % of the thread, and a record is on
 * disk 20 ms later at worst; the first one after a pause does not wait.
 */
const spacingMsDefault = 20;

/**
 * The index of a project costs about 6 µs each time that it follows, so the more records of it wait the better; but a
 * thousand of them hold up this thread for about a millisecond then, and are looked through by each query before (20 µs).
 * So it follows when there are sixteen for each project, and within these bounds.
 */
const tailRowsMin = 1_024;
const tailRowsMaxDefault = 8_192;
const rowsPerScope = 16;

/** A segment that waits, with the promises that all of its records share. */
interface Batch {
  readonly builder: SegmentBuilder;
  /** For records that are stored as they were given, and for those that are stored without their text. */
  readonly whole: Promise<boolean>;
  readonly textless: Promise<boolean>;
  textBytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function createBatch(): Batch {
  let resolve = () => {};
  let reject: (error: unknown) => void = () => {};
  const stored = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  const whole = stored.then(() => true);
  const textless = stored.then(() => false);
  // Whoever appended has one of them, and hears of a failure there.
  for (const promise of [whole, textless]) promise.catch(() => {});
  return { builder: createSegmentBuilder(), whole, textless, textBytes: 0, resolve, reject };
}

/**
 * Records that arrive while a transaction is being committed wait and share the next one, so that the number of
 * transactions follows the disk and not the traffic.
 */
export function openScanLog(environment: Environment, tables: ScanTables, options: ScanLogOptions = {}): LmdbScanLog {
  const {
    recordQueueMax = limits.recordQueueMax,
    textQueueBytesMax = limits.storedTextQueueBytesMax,
    resultsWalkMax = limits.resultsWalkMax,
    spacingMs = spacingMsDefault,
    tailRowsMax = tailRowsMaxDefault,
    flush = false,
  } = options;
  /** The last one takes records, unless it is being written. */
  let waiting: Batch[] = [];
  /** Those of the running transaction. */
  let running: Batch[] = [];
  /** Records, and bytes of text, in both. */
  let rows = 0;
  let textBytes = 0;
  /** No id that this process knows is above it; undefined until it is needed. */
  let highest: Buffer | undefined;
  let writing: Promise<void> | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let draining = false;
  /** Records that the index waits for. */
  let enough = Math.min(tailRowsMin, tailRowsMax);

  const refusal = (): string | undefined => {
    if (draining) return 'The store is closed.';
    if (rows >= recordQueueMax) return 'Too many scan records wait for the store.';
    return environment.pauseReason();
  };

  /** Ids nearly always ascend, and then none is looked up. */
  const isRepeated = (builder: SegmentBuilder, organizationId: string): boolean => {
    highest ??= Buffer.from(environment.read(() => highestId(tables)) ?? Buffer.alloc(scanIdBytesLength));
    if (builder.raise(highest)) return false;
    const id = builder.lastId();
    if (builder.isRepeated()) return true;
    if ([...running, ...waiting].some((batch) => batch.builder !== builder && batch.builder.has(id))) return true;
    return environment.read(() => isStored(tables, organizationId, id));
  };

  const add = (record: ScanRecord, text: StoredText | undefined): Promise<boolean> => {
    const reason = refusal();
    if (reason !== undefined) throw new StoreError(reason);
    let batch = waiting.at(-1);
    if (!batch || batch.builder.isFull()) {
      batch = createBatch();
      waiting.push(batch);
    }
    const { builder } = batch;
    builder.add(record);
    try {
      if (isRepeated(builder, record.organizationId)) throw new StoreError('A scan with this id is stored already.');
    } catch (error) {
      builder.dropLast();
      throw error;
    }
    rows++;
    writing ??= writeAll();
    if (!text) return batch.whole;
    const encoded = encodeRow(text);
    if (textBytes + encoded.length > textQueueBytesMax) return batch.textless;
    builder.addText(text.form, encoded);
    textBytes += encoded.length;
    batch.textBytes += encoded.length;
    return batch.whole;
  };

  const confirm = (stored: readonly Batch[]): void => {
    const resolveAll = () => {
      for (const { resolve } of stored) resolve();
    };
    if (flush) void environment.flushed().then(resolveAll);
    else resolveAll();
  };

  const writeBatches = async (): Promise<void> => {
    try {
      await environment.write(() => {
        // Taken only now: LMDB calls when it has the lock, and until then more may have arrived.
        running = waiting.filter(({ builder }) => builder.rows > 0);
        waiting = [];
        addSegments(
          tables,
          running.map(({ builder }) => ({ ...timesOf(builder), bytes: builder.build(), texts: builder.texts })),
        );
      });
      confirm(running);
    } catch (error) {
      // Those that still wait would meet the same failure.
      for (const { reject } of [...running, ...waiting.splice(0)]) reject(error);
    } finally {
      running = [];
      rows = waiting.reduce((sum, { builder }) => sum + builder.rows, 0);
      textBytes = waiting.reduce((sum, batch) => sum + batch.textBytes, 0);
    }
  };

  /** A failure is met again by the next transaction, which tells of it. */
  const follow = async (): Promise<void> => {
    try {
      if (environment.read(() => loadState(tables)).tailRows < enough) return;
      const { scopes } = await indexTail(environment, tables, 2 * tailRowsMax);
      enough = Math.min(Math.max(tailRowsMin, rowsPerScope * scopes), tailRowsMax);
    } catch {}
  };

  const writeAll = async (): Promise<void> => {
    // Not in the caller's turn: what else it appends comes along.
    await Promise.resolve();
    while (waiting.length > 0) {
      const waitMs = startedAt + spacingMs - performance.now();
      if (waitMs > 0 && !waiting[0].builder.isFull()) await delay(waitMs);
      startedAt = performance.now();
      await writeBatches();
      await follow();
    }
    writing = undefined;
  };

  return {
    append(record, text) {
      try {
        return add(record, text);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    text: (organizationId, scanId) => environment.read(() => findText(tables, organizationId, scanId)),
    find: (query) => environment.read(() => findScans(tables, query, resultsWalkMax)),
    rollups: (query) =>
      environment.read(() => {
        const { revision } = syncTail(tables);
        return findRollups(tables.rollups, revision, tables.tail.segments, query);
      }),
    purge: (before, signal) => purgeScans(environment, tables, before, signal),
    async drain() {
      draining = true;
      await Promise.race([writing, delay(limits.drainMs, undefined, { ref: false })]);
      const late = new StoreError('The store was closed before it could write.');
      for (const { reject } of [...running, ...waiting.splice(0)]) reject(late);
    },
  };
}

function timesOf({ rows, oldest, newest }: SegmentBuilder): Pick<SegmentBuilder, 'rows' | 'oldest' | 'newest'> {
  return { rows, oldest, newest };
}
