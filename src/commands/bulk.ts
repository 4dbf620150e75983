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
/** Bulk work has no client waiting; a batch that takes longer than this is given up. */
const batchDeadlineMs = 120_000;

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
 * Judges entries on all cores and hands them to `take` in the order they came in, some at a time. `take` is awaited, and
 * reading waits for it: memory stays flat on input of any length.
 */
export async function judgeInOrder<E extends BulkEntry>(
  program: Program,
  profile: Profile,
  entries: AsyncIterable<E>,
  take: (judged: readonly Judged<E>[]) => Promise<void>,
): Promise<void> {
  const pool = createPool({
    program: program.memory,
    engine: readEngine(),
    deadlineMs: batchDeadlineMs,
  });
  const underWay: Promise<readonly Judged<E>[]>[] = [];
  const takeOldest = async () => {
    const judged = await underWay.shift();
    if (judged && judged.length > 0) await take(judged);
  };
  try {
    let batch: E[] = [];
    let units = 0;
    const send = async () => {
      if (underWay.length >= pool.threads * batchesPerThread) await takeOldest();
      const judged = judgeBatch(pool, profile, batch);
      // Awaited in input order below; a failure must not count as unhandled while it waits for its turn.
      judged.catch(() => {});
      underWay.push(judged);
      batch = [];
      units = 0;
    };
    for await (const entry of entries) {
      batch.push(entry);
      for (const { content } of entry.messages ?? []) units += content.length;
      if (batch.length >= batchScansMax || units >= batchUnitsMax) await send();
    }
    if (batch.length > 0) await send();
    while (underWay.length > 0) await takeOldest();
  } finally {
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
