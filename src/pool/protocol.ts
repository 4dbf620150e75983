import type { Verdict } from '../domain/finding.js';
import type { Message } from '../domain/message.js';
import type { Engine } from '../engine/automaton/searcher.js';
import type { Profile } from '../engine/judge/profile.js';

/** Everything that crosses a thread boundary is in this file. */

/** Given to a worker when it starts. The program's bytes are shared, the rest is copied. */
export interface WorkerData {
  readonly program: WebAssembly.Memory;
  readonly profiles: readonly Profile[];
  readonly engine: Engine;
}

/** One or more scans under one profile; they are judged one by one. */
export interface PoolTask {
  readonly profileId: string;
  readonly scans: readonly (readonly Message[])[];
  /** One shared cell; not 0 once nobody waits for the answer. A task that finds it so when its turn comes is not done. */
  readonly cancelled?: Int32Array;
}

/** One verdict for each scan of the task, in order (none when it was cancelled before it began), and the time from start to end in the worker. */
export interface PoolAnswer {
  readonly verdicts: readonly Verdict[];
  readonly scanUs: number;
}
