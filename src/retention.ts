import { setTimeout as delay } from 'node:timers/promises';
import { limits } from './domain/limits.js';
import type { Store } from './store/store.js';
import type { Clock } from './telemetry/clock.js';

const dayMs = 24 * 60 * 60 * 1_000;
const readEveryMs = 10 * 60 * 1_000;
const purgeEveryMs = 60 * 60 * 1_000;
/** More than a clock is moved by that is kept in time, and less than any that was wrong. */
const driftMaxMs = 60 * 1_000;

export interface Retention {
  /** Ends a purge between two batches and waits for it: the store, which is closed after that, would fail under it. */
  stop(): Promise<void>;
}

/**
 * Removes hourly what is older than `days`, and sessions that have ended. What it removes is gone, and by a clock that is a
 * retention ahead everything is old, as after a start before the time was asked for. So it believes the clock of the system
 * only once that has gone evenly for ten minutes, the first ones after a start among them.
 */
export function keepRetention(
  store: Pick<Store, 'scans' | 'sessions'>,
  days: number,
  clock: Clock,
  failed: (error: unknown) => void,
): Retention {
  const stopping = new AbortController();
  const read = () => ({ wallMs: clock.nowMs(), evenMs: clock.nowUs() / 1_000 });
  let before = read();
  let purgedMs = Number.NEGATIVE_INFINITY;
  let running: Promise<unknown> = Promise.resolve();

  const purge = (now: number) => {
    const scans = store.scans.purge(now - days * dayMs, stopping.signal).catch(failed);
    const sessions = store.sessions.purge(now, now - limits.sessionIdleMs).catch(failed);
    running = Promise.all([running, scans, sessions]).then(() => {});
  };
  const timer = setInterval(() => {
    const now = read();
    const driftMs = Math.abs(now.wallMs - before.wallMs - (now.evenMs - before.evenMs));
    before = now;
    if (driftMs > driftMaxMs || now.evenMs - purgedMs < purgeEveryMs) return;
    purgedMs = now.evenMs;
    purge(now.wallMs);
  }, readEveryMs);
  timer.unref();

  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      // A disk that does not answer is no reason not to end.
      await Promise.race([running, delay(limits.drainMs, undefined, { ref: false })]);
    },
  };
}
