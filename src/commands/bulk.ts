import { readEngine } from '../config.js';
import type { Verdict } from '../domain/finding.js';
import type { Message } from '../domain/message.js';
import type { Profile } from '../engine/judge/profile.js';
import type { Program } from '../engine/program.js';
import { createPool, type Pool } from '../pool/pool.js';

/** Scans sent to a worker together: enough to make the hop cheap, little enough to keep memory flat. */
const batchScansMax = 64;
const batchUnitsMax = 256 * 1024;
/** Batches under way for each worker: one running, one waiting. */
const batchesPerThread = 2;
/** A batch that is not full waits so long for more: whoever sends a line and waits for its verdict gets it. */
const batchWaitMs = 20;

/** One piece of bulk work; without `messages` there is nothing to scan, and it only keeps its place in the order. */
interface BulkEntry {
  readonly messages?: readonly Message[];
}

interface Judged<E extends BulkEntry> {
  readonly entry: E;
  /** Of entries with messages. */
  readonly verdict?: Verdict;
}

/**
 * Judges entries on all cores and hands them to `take` in the order they came in, some at a time, as soon as they are judged, whether
 * or not more come. `take` is awaited, and reading waits for it: memory stays flat on input of any length. There is no deadline:
 * nobody waits, and a computer may sleep in the middle of it.
 */
export async function judgeInOrder<E extends BulkEntry>(
  program: Program,
  profile: Profile,
  entries: AsyncIterable<E>,
  take: (judged: readonly Judged<E>[]) => Promise<void>,
): Promise<void> {
  const pool = createPool({ program: program.memory, engine: readEngine(), deadlineMs: Number.POSITIVE_INFINITY });
  const reader = entries[Symbol.asyncIterator]();
  /** Settled when a batch was taken; the oldest first. */
  const underWay: Promise<void>[] = [];
  let last: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const inTurn = async (judged: Promise<readonly Judged<E>[]>, before: Promise<void>): Promise<void> => {
    const [ready] = await Promise.all([judged, before]);
    await take(ready);
  };
  const send = async (batch: readonly E[]) => {
    if (underWay.length >= pool.threads * batchesPerThread) await underWay.shift();
    last = inTurn(judgeBatch(pool, profile, batch), last);
    last.catch((error) => {
      failure ??= { error };
      wake();
    });
    underWay.push(last);
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    let batch: E[] = [];
    let units = 0;
    let reading = reader.next();
    for (;;) {
      const woken = new Promise<undefined>((resolve) => {
        wake = () => resolve(undefined);
      });
      const read = await Promise.race([reading, woken]);
      if (failure) throw failure.error;
      if (read?.done) break;
      if (read) {
        if (batch.length === 0) timer = setTimeout(() => wake(), batchWaitMs);
        batch.push(read.value);
        for (const { content } of read.value.messages ?? []) units += content.length;
        reading = reader.next();
      }
      if (batch.length >= batchScansMax || units >= batchUnitsMax || (!read && batch.length > 0)) {
        clearTimeout(timer);
        const full = batch;
        batch = [];
        units = 0;
        await send(full);
      }
    }
    if (batch.length > 0) await send(batch);
    await last;
  } finally {
    clearTimeout(timer);
    // Not awaited: where something failed, a line may be waited for that never comes.
    reader.return?.()?.catch(() => {});
    await pool.close();
  }
}

async function judgeBatch<E extends BulkEntry>(
  pool: Pool,
  profile: Profile,
  batch: readonly E[],
): Promise<readonly Judged<E>[]> {
  const scans = batch.flatMap(({ messages }) => (messages ? [messages] : []));
  const { verdicts } = scans.length > 0 ? await pool.run({ profile, scans }) : { verdicts: [] };
  let next = 0;
  return batch.map((entry) => (entry.messages ? { entry, verdict: verdicts[next++] } : { entry }));
}
