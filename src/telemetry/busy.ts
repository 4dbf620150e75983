import { performance } from 'node:perf_hooks';

/** Readings closer together than this share one beginning, so that many readers do not shorten each other's time. */
const windowMs = 5_000;

/**
 * Gives a reader of the share of time, 0 to 1, in which the calling thread was busy lately: over five to ten seconds where
 * it is read often, else since it was read last.
 */
export function createBusyMeter(): () => number {
  let older = performance.eventLoopUtilization();
  let newer = older;
  let newerAt = performance.now();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, older);
    if (performance.now() - newerAt >= windowMs) {
      older = newer;
      newer = now;
      newerAt = performance.now();
    }
    return Math.round(Math.min(Math.max(utilization || 0, 0), 1) * 1_000) / 1_000;
  };
}
