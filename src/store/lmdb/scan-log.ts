import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../../domain/limits.js';
import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { isTimely } from '../scan-id.js';
import { type ScanLog, StoreError } from '../store.js';
import type { Environment } from './environment.js';
import { findScans, findText } from './scan-find.js';
import { purgeScans } from './scan-purge.js';
import { findRollups } from './scan-rollups.js';
import { type EncodedScan, encodeScan, insertScans, openScanTables } from './scan-tables.js';

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
  /** Least time between the beginnings of two transactions, unless a full batch waits. */
  readonly spacingMs?: number;
}

/** Records in one transaction: it holds the event loop for about a millisecond. More wait for the next one. */
const batchMax = 256;

/**
 * A transaction costs this thread 0.1 to 0.2 ms, a record in it 3 to 8 µs more. At 100 transactions a second the former is
 * at most 2 % of the thread, and a record is on disk 10 ms later at worst; the first one after a pause does not wait.
 */
const spacingMsDefault = 10;

interface Waiting {
  readonly scan: EncodedScan;
  /** False where there was text and no room for it. */
  readonly keptText: boolean;
  readonly resolve: (hasText: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records that arrive while a transaction is being committed wait and share the next one, so that the number of
 * transactions follows the disk and not the traffic.
 */
export function openScanLog(environment: Environment, options: ScanLogOptions = {}): LmdbScanLog {
  const {
    recordQueueMax = limits.recordQueueMax,
    textQueueBytesMax = limits.storedTextQueueBytesMax,
    resultsWalkMax = limits.resultsWalkMax,
    spacingMs = spacingMsDefault,
  } = options;
  const tables = openScanTables(environment);
  const queue: Waiting[] = [];
  /** The records of the running transaction. */
  let batch: Waiting[] = [];
  /** Of the text in the queue and the batch. */
  let textBytes = 0;
  let writing: Promise<void> | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let draining = false;

  const refusal = (): string | undefined => {
    if (draining) return 'The store is closed.';
    if (queue.length + batch.length >= recordQueueMax) return 'Too many scan records wait for the store.';
    return environment.pauseReason();
  };

  const writeBatch = async (): Promise<void> => {
    try {
      const refused = await environment.write(() => {
        // Taken only now: LMDB calls when it has the lock, and until then more may have arrived.
        batch = queue.splice(0, batchMax);
        return insertScans(
          tables,
          batch.map(({ scan }) => scan),
        );
      });
      for (const { scan, keptText, resolve, reject } of batch) {
        if (refused.has(scan)) reject(new StoreError('A scan with this id is stored already.'));
        else resolve(keptText);
      }
    } catch (error) {
      // Those that still wait would meet the same failure.
      for (const { reject } of [...batch, ...queue.splice(0)]) reject(error);
    } finally {
      textBytes = queue.reduce((sum, { scan }) => sum + (scan.text?.length ?? 0), 0);
      batch = [];
    }
  };

  const writeAll = async (): Promise<void> => {
    while (queue.length > 0) {
      const waitMs = startedAt + spacingMs - performance.now();
      if (waitMs > 0 && queue.length < batchMax) await delay(waitMs);
      startedAt = performance.now();
      await writeBatch();
    }
    writing = undefined;
  };

  return {
    append(record: ScanRecord, text?: StoredText) {
      return new Promise<boolean>((resolve, reject) => {
        const reason = refusal();
        if (reason !== undefined) throw new StoreError(reason);
        const withText = encodeScan(record, text);
        if (!isTimely(withText.id, record.createdAt))
          throw new StoreError('The time of a scan must be that of its id.');
        const keptText = textBytes + (withText.text?.length ?? 0) <= textQueueBytesMax;
        const scan = keptText ? withText : encodeScan(record);
        textBytes += scan.text?.length ?? 0;
        queue.push({ scan, keptText, resolve, reject });
        writing ??= writeAll();
      });
    },
    text: (organizationId, scanId) => environment.read(() => findText(tables, organizationId, scanId)),
    find: (query) => environment.read(() => findScans(tables, query, resultsWalkMax)),
    rollups: (query) => environment.read(() => findRollups(tables.rollups, query)),
    purge: (before) => purgeScans(environment, tables, before),
    async drain() {
      draining = true;
      await Promise.race([writing, delay(limits.drainMs, undefined, { ref: false })]);
      const late = new StoreError('The store was closed before it could write.');
      for (const { reject } of [...batch, ...queue.splice(0)]) reject(late);
    },
  };
}
