import type { AppDescriptor } from 'uWebSockets.js';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ThreadLoad } from '../api/operation.js';
import type { VersionedRules } from '../guard/overlays.js';
import type { ExportedMetric } from '../telemetry/metrics.js';
import { type Answers, createLink, type Link } from './link.js';
import type { AskedOfFront, AskedOfMain, FrontData, PublishedRules } from './protocol.js';

/** The threads of the front end beside the main one. Everything is answered once it holds on all of them. */
export interface FrontThreads {
  publish(rules: PublishedRules): Promise<void>;
  prepare(rules: VersionedRules, program: WebAssembly.Memory): Promise<void>;
  settle(): Promise<void>;
  metrics(): Promise<readonly (readonly ExportedMetric[])[]>;
  loads(): Promise<readonly ThreadLoad[]>;
  quiesce(): Promise<void>;
  linger(): Promise<void>;
  close(): Promise<void>;
}

export interface FrontThreadsOptions {
  /** How many. */
  readonly count: number;
  readonly data: FrontData;
  /** What the threads may ask for. */
  readonly answers: Omit<Answers<AskedOfMain>, 'ready'>;
  /** A thread serves: connections may be dealt out to it. */
  readonly ready: (descriptor: AppDescriptor) => void;
  /** A thread has ended that was not asked to. Its connections are lost, and the front end must not go on dealing it more. */
  readonly lost: (error: unknown) => void;
  readonly unexpected: (error: unknown) => void;
  /** The compiled thread; tests name others. */
  readonly workerFile?: URL;
}

interface Front {
  readonly worker: Worker;
  readonly link: Link<AskedOfFront>;
  readonly isReady: Promise<void>;
}

/** Starts the threads; resolves once all serve. Rejects with `worker_lost` where one ends before. */
export async function startFrontThreads(options: FrontThreadsOptions): Promise<FrontThreads> {
  let isClosing = false;
  const start = (): Front => {
    const worker = new Worker(options.workerFile ?? new URL('./front-thread.js', import.meta.url), {
      workerData: options.data,
    });
    let begun: (descriptor: AppDescriptor) => void = () => undefined;
    let ended: (error: unknown) => void = () => undefined;
    const isReady = new Promise<void>((resolve, reject) => {
      begun = (descriptor) => {
        options.ready(descriptor);
        resolve();
      };
      ended = reject;
    });
    // Whoever starts the threads awaits it.
    isReady.catch(() => {});
    const answers: Answers<AskedOfMain> = { ...options.answers, ready: (descriptor) => begun(descriptor) };
    const link = createLink<AskedOfFront, AskedOfMain>(worker, answers, options.unexpected);
    let cause: unknown = new Error('a thread of the front end has ended');
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      link.end();
      ended(cause);
      if (!isClosing) options.lost(cause);
    });
    return { worker, link, isReady };
  };
  const fronts = Array.from({ length: options.count }, start);
  const askAll = async <Name extends keyof AskedOfFront & string>(name: Name, question: AskedOfFront[Name][0]) =>
    Promise.all(fronts.map(({ link }) => link.ask(name, question)));

  await Promise.all(fronts.map(({ isReady }) => isReady));
  return {
    publish: async (rules) => void (await askAll('publish', rules)),
    prepare: async (rules, program) => void (await askAll('prepare', { rules, program })),
    settle: async () => void (await askAll('settle', undefined)),
    metrics: () => askAll('metrics', undefined),
    loads: () => askAll('load', undefined),
    quiesce: async () => void (await askAll('quiesce', undefined)),
    linger: async () => void (await askAll('linger', undefined)),
    close: async () => {
      isClosing = true;
      await askAll('close', undefined);
      const ends = fronts.map(({ worker }) => once(worker, 'exit'));
      for (const { worker } of fronts) void worker.terminate();
      await Promise.all(ends);
    },
  };
}
