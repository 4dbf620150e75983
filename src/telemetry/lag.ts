import type { Clock } from './clock.js';

/**
 * How long things wait that are settled one after the other, such as records for the store. One at a time is watched, so
 * thousands that wait cost no more than one.
 */
export interface LagProbe {
  /** Something waits from now on until it is settled. */
  watch(settled: Promise<unknown>): void;
  /** Seconds that the watched one has waited; where none is, how long the last one did. */
  seconds(): number;
}

export function createLagProbe(clock: Clock): LagProbe {
  let sinceUs: number | undefined;
  let lastUs = 0;
  return {
    watch: (settled) => {
      if (sinceUs !== undefined) return;
      const beganUs = clock.nowUs();
      sinceUs = beganUs;
      const over = () => {
        lastUs = clock.nowUs() - beganUs;
        sinceUs = undefined;
      };
      settled.then(over, over);
    },
    seconds: () => (sinceUs === undefined ? lastUs : clock.nowUs() - sinceUs) / 1_000_000,
  };
}
