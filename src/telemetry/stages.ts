import type { Registry } from 'prom-client';
import type { Clock } from './clock.js';
import { QuickHistogram } from './histogram.js';
import { type RequestTrace, type Stage, stages } from './tracing.js';

/**
 * Times the stages of some requests. A request runs on the serving thread without a break, but for the places where its
 * front end says so; so one stopwatch serves all, and who is timed needs not be handed down through every layer. Of the
 * requests that are not timed a lap costs a comparison; of those that are, a look at the clock.
 */
export interface StageWatch {
  /** Whether the next request shall be timed: one in `sampleEvery`. */
  sample(): boolean;
  /** Starts the watch for a request that is timed, traced, or both; `trace` is told every lap. */
  start(timed: boolean, trace: RequestTrace | undefined): void;
  /** What happened since `start` or the lap before was this stage. Does nothing while the watch stands still. */
  lap(stage: Stage): void;
  stop(): void;
  /** A stage during which other requests ran, in the clock's microseconds. */
  add(stage: Stage, beganUs: number, timed: boolean, trace: RequestTrace | undefined): void;
}

/** Timing them all would cost each request some half a microsecond; quantiles need no more than a sample. */
export const sampleEvery = 16;

const bucketsSeconds = [
  0.000001, 0.0000025, 0.000005, 0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25,
  1,
];

/** A watch whose laps are the histogram `merlon_stage_duration_seconds`. */
export function createStageWatch(registry: Registry, clock: Clock): StageWatch {
  const durations = new QuickHistogram({
    name: 'merlon_stage_duration_seconds',
    help: `Time by stage, of one request in ${sampleEvery}.`,
    labelNames: ['stage'],
    buckets: bucketsSeconds,
    registers: [registry],
  });
  const entries = stages.map((stage) => [stage, durations.series({ stage })] as const);
  const observe = new Map(entries);
  let count = 0;
  let isRunning = false;
  let isTimed = false;
  let traced: RequestTrace | undefined;
  let beganUs = 0;
  const record = (stage: Stage, fromUs: number, toUs: number, timed: boolean, trace: RequestTrace | undefined) => {
    if (timed) observe.get(stage)?.((toUs - fromUs) / 1_000_000);
    trace?.stage(stage, fromUs, toUs);
  };
  return {
    sample: () => {
      count = (count + 1) % sampleEvery;
      return count === 0;
    },
    start: (timed, trace) => {
      isTimed = timed;
      traced = trace;
      isRunning = true;
      beganUs = clock.nowUs();
    },
    lap: (stage) => {
      if (!isRunning) return;
      const nowUs = clock.nowUs();
      record(stage, beganUs, nowUs, isTimed, traced);
      beganUs = nowUs;
    },
    stop: () => {
      isRunning = false;
      traced = undefined;
    },
    add: (stage, fromUs, timed, trace) => record(stage, fromUs, clock.nowUs(), timed, trace),
  };
}
