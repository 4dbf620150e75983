import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ResourceLimits } from 'node:worker_threads';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { Engine } from '../engine/automaton/searcher.js';
import { loadPiscina } from './piscina.js';
import type { PoolAnswer, PoolTask, PublishedProgram, ScanTask, WorkerData } from './protocol.js';
import { createHelpers, shareLargeTexts } from './sharded-scan.js';

/** Threads that judge large input, so that small scans on the serving thread do not wait behind it. */
export interface Pool {
  readonly threads: number;
  /** Tasks admitted and not yet begun. */
  readonly queued: number;
  /**
   * Rejects with `overloaded` at once when the queue is full, with `deadline` when the answer takes longer than
   * `limits.scanDeadlineMs` (the worker is then stopped), with `worker_lost` when the worker dies, with
   * `draining` after `close`. Never answers a task that was not finished.
   *
   * Once `abandoned` is aborted, a task that still waits is not begun and rejects with `deadline` when its turn comes;
   * until then it keeps its place, so that leaving and coming again does not get around the bound of the queue. A task
   * that runs is finished: stopping a thread for every client that leaves would cost the others more.
   *
   * Large texts of a lone scan are shared out to threads that would be idle. The scan counts as one all the same: threads
   * that help go back as soon as another scan waits, and one that is lost takes the scan with it (`worker_lost`).
   */
  run(task: Omit<ScanTask, 'kind' | 'program' | 'shared' | 'cancelled'>, abandoned?: AbortSignal): Promise<PoolAnswer>;
  /** The same threads and the same queue, scanning with another program. */
  over(program: PublishedProgram): Pool;
  /** Starts the threads where they are not, which the first task does as well. */
  start(): void;
  /** Lets running tasks finish, then stops the threads. Idempotent. */
  close(): Promise<void>;
}

export interface PoolOptions extends Omit<WorkerData, 'engine'> {
  readonly engine?: Engine;
  /** Default: as many as the machine runs at once. */
  readonly threads?: number;
  readonly queueMax?: number;
  /** Infinity for none. */
  readonly deadlineMs?: number;
  readonly shardUnitsMin?: number;
  /** The threads are started by `start` or the first task: it takes a core for a while, which others may need more. */
  readonly startLater?: boolean;
  /** The compiled worker; tests that run from sources name the built one. */
  readonly workerFile?: URL;
  /** Memory bounds of each worker; one that exceeds them dies, and its scan is answered `worker_lost`. */
  readonly resourceLimits?: ResourceLimits;
}

/** Holds on to nothing: a Piscina that is closed is never let go of (5.3.2), and 40 MB with it if it knew of the program. */
function ignore(): void {}

/** Aborted after so many milliseconds, Infinity for never. */
function signalAfter(ms: number): AbortSignal {
  return ms === Number.POSITIVE_INFINITY ? new AbortController().signal : AbortSignal.timeout(ms);
}

/** Room for what a scan drops, in each thread: V8 takes up to 48 by itself and never gives it back. */
const youngMb = 6;

export function createPool(options: PoolOptions): Pool {
  const threads = options.threads ?? Math.max(1, availableParallelism());
  const deadlineMs = options.deadlineMs ?? limits.scanDeadlineMs;
  const workerData: { program?: WebAssembly.Memory } & Omit<WorkerData, 'program'> = {
    program: options.program,
    engine: options.engine ?? 'auto',
    recall: options.recall,
  };
  const queueMax = options.queueMax ?? limits.poolQueueMax;
  const startThreads = () => {
    const { FixedQueue, Piscina } = loadPiscina();
    const threadPool = new Piscina<PoolTask, PoolAnswer>({
      filename: fileURLToPath(options.workerFile ?? new URL('./worker.js', import.meta.url)),
      workerData,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      recordTiming: false,
      // Without one of its own, every pool of the process would share the default queue.
      taskQueue: new FixedQueue(),
      resourceLimits: { maxYoungGenerationSizeMb: youngMb, ...options.resourceLimits },
    });
    // Failures reach whoever awaits the task; without a listener an idle worker's death would end the process.
    threadPool.on('error', ignore);
    return threadPool;
  };
  let piscina = options.startLater ? undefined : startThreads();
  // Piscina's own `maxQueue` let six tasks into a queue of two (5.3.2), so what is admitted is counted here.
  let admitted = 0;
  let closing: Promise<void> | undefined;
  const running = new Set<Promise<PoolAnswer>>();
  const runTask = (task: PoolTask, signal: AbortSignal): Promise<PoolAnswer> => {
    piscina ??= startThreads();
    const answer = piscina.run(task, { signal });
    const forget = () => running.delete(answer);
    running.add(answer);
    answer.then(forget, forget);
    return answer;
  };
  const helpers = createHelpers(() => (closing ? 0 : threads - admitted - helpers.helping), runTask);
  const shardUnitsMin = threads > 1 ? (options.shardUnitsMin ?? limits.shardUnitsMin) : Number.POSITIVE_INFINITY;
  const send = (task: ScanTask, signal: AbortSignal): Promise<PoolAnswer> => {
    // A scan that has to wait is not shared: what waits costs no copy, and under load a thread a scan is best.
    if (task.scans.length !== 1 || admitted > threads) return runTask(task, signal);
    const { messages, texts } = shareLargeTexts(task.scans[0], shardUnitsMin);
    if (texts.length === 0) return runTask(task, signal);
    return helpers.lead({ ...task, scans: [messages] }, texts, signal, (shared) => runTask(shared, signal));
  };
  const poolOver = (program: PublishedProgram | undefined): Pool => ({
    threads,
    get queued() {
      return Math.max(0, admitted + helpers.helping - threads);
    },
    over: poolOver,
    start: () => {
      if (!closing) piscina ??= startThreads();
    },
    run: async (asked, abandoned) => {
      if (closing) throw new GuardError('draining', 'The service is shutting down.');
      if (admitted >= threads + queueMax) throw new GuardError('overloaded', 'The scan queue is full.');
      const signal = signalAfter(deadlineMs);
      admitted++;
      const watch = abandoned && watchFor(abandoned);
      let answer: PoolAnswer;
      try {
        const task: ScanTask = {
          ...asked,
          kind: 'scan',
          ...(program && { program }),
          ...(watch && { cancelled: watch.cancelled }),
        };
        const answering = send(task, signal);
        helpers.balance();
        answer = await answering;
      } catch (error) {
        throw toGuardError(error, signal, deadlineMs);
      } finally {
        admitted--;
        watch?.stop();
        helpers.balance();
      }
      if (answer.verdicts.length === asked.scans.length) return answer;
      throw new GuardError('deadline', 'The caller left before the scan began.');
    },
    close: () => {
      // Piscina's own waiting ends with the first of several running tasks (5.3.2).
      closing ??= Promise.allSettled([...running]).then(async () => {
        await piscina?.close();
        delete workerData.program;
      });
      return closing;
    },
  });
  return poolOver(undefined);
}

/** A cell that workers can read, set when the signal is aborted. */
function watchFor(abandoned: AbortSignal): { readonly cancelled: Int32Array; stop(): void } {
  const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const cancel = () => {
    Atomics.store(cancelled, 0, 1);
  };
  if (abandoned.aborted) cancel();
  abandoned.addEventListener('abort', cancel, { once: true });
  return { cancelled, stop: () => abandoned.removeEventListener('abort', cancel) };
}

function toGuardError(error: unknown, signal: AbortSignal, deadlineMs: number): GuardError {
  if (signal.aborted) return new GuardError('deadline', `The scan took longer than ${deadlineMs} ms.`);
  const message = error instanceof Error ? error.message : '';
  if (/closed|closing/i.test(message)) return new GuardError('draining', 'The service is shutting down.');
  return new GuardError('worker_lost', 'The scan was lost with its worker.', [], { cause: error });
}
