import { setTimeout as sleep } from 'node:timers/promises';
import type { Durability } from '../domain/durability.js';
import { limits } from '../domain/limits.js';
import type { ScanRecord, StoredText } from '../domain/scan-record.js';
import type { ScanLog } from '../store/store.js';

/** What a recorder tells those who count: never any content. */
interface RecorderEvents {
  storeFailed(error: unknown): void;
  recordDropped(count: number): void;
  /** A record was stored without the text that its profile asks for. */
  textDropped(count: number): void;
  /** A scan is answered before its record is stored, though the durability asks for it. */
  recordUnconfirmed(): void;
  /** Records were handed to the store, which has them when the promise is settled. */
  handedOver?(settled: Promise<unknown>): void;
}

/** Hands records to the store and knows which of them are not stored yet. Serves any number of guards. */
export interface Recorder {
  /**
   * Gives the record to the store. Where the durability asks for it, the promise tells whether the record is stored; it never
   * rejects, and waits `limits.recordConfirmMs` at most. Undefined where the scan is to be answered at once.
   */
  save(record: ScanRecord, text: StoredText | undefined): Promise<boolean> | undefined;
  /** Resolves once all records that were saved before are stored or lost; undefined where none wait. */
  settled(): Promise<unknown> | undefined;
}

export interface RecorderOptions {
  readonly scans: Pick<ScanLog, 'append'>;
  readonly durability: Durability;
  readonly events: RecorderEvents;
  /** Instead of `limits.recordConfirmMs`. */
  readonly confirmMs?: number;
}

/** Records whose promise is the same: those of one transaction. */
interface Batch {
  readonly append: Promise<boolean>;
  readonly settled: Promise<boolean>;
  readonly confirmed: Promise<boolean>;
  records: number;
}

/** A recorder over a store. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { scans, durability, events, confirmMs = limits.recordConfirmMs } = options;
  const pending = new Set<Promise<unknown>>();
  const waits = durability !== 'relaxed';
  let latest: Batch | undefined;

  const lost = (error: unknown, count: number) => {
    events.recordDropped(count);
    events.storeFailed(error);
  };

  const follow = (append: Promise<boolean>): Batch => {
    const settled: Promise<boolean> = append.then(
      (isWhole) => {
        if (!isWhole) events.textDropped(batch.records);
        return true;
      },
      (error: unknown) => {
        lost(error, batch.records);
        return false;
      },
    );
    const done = () => {
      pending.delete(settled);
      if (latest === batch) latest = undefined;
    };
    pending.add(settled);
    events.handedOver?.(settled);
    void settled.then(done);
    const batch: Batch = { append, settled, confirmed: waits ? within(settled, confirmMs) : settled, records: 0 };
    return batch;
  };

  const append = (record: ScanRecord, text: StoredText | undefined): Batch | undefined => {
    try {
      const promise = scans.append(record, text);
      const batch = promise === latest?.append ? latest : follow(promise);
      latest = batch;
      batch.records++;
      return batch;
    } catch (error) {
      lost(error, 1);
      return undefined;
    }
  };

  return {
    save(record, text) {
      const batch = append(record, text);
      if (!waits) return undefined;
      const confirmed = batch?.confirmed ?? Promise.resolve(false);
      return confirmed.then((isStored) => {
        if (!isStored) events.recordUnconfirmed();
        return isStored;
      });
    },
    settled: () => (pending.size === 0 ? undefined : Promise.allSettled(pending)),
  };
}

/** What a promise says, or false where it has not said it in time. */
async function within(promise: Promise<boolean>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { ref: false, signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}
