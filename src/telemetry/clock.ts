/** Time as the service sees it. Passed in, so that tests can hold it still. */
export interface Clock {
  /**
   * Monotonic microseconds from an arbitrary origin that all threads of the machine share, so that a reading on
   * one thread may be subtracted from a reading on another. Never goes back.
   */
  nowUs(): number;
  /** Milliseconds since the Unix epoch. May jump when the system's clock is set. */
  nowMs(): number;
}

/**
 * The machine's clocks. `process.hrtime` rather than `performance.now`, whose origin differs from thread to
 * thread. Seconds of uptime times a million stay exact in a double for 285 years.
 */
export const systemClock: Clock = {
  nowUs() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000_000 + Math.trunc(nanoseconds / 1_000);
  },
  nowMs: () => Date.now(),
};
