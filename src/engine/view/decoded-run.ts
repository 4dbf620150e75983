import type { ReadBytes } from './bytes.js';

/** A part of a text that says something in an encoding. */
export interface DecodedRun {
  /** Bits of `viewKinds`. */
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  /** What it says, in UTF-8. */
  readonly bytes: ReadBytes;
}

/** Runs in order of their start; of those that overlap the one that begins first, then the longest, then the first given. */
export function withoutOverlap(runs: DecodedRun[]): readonly DecodedRun[] {
  runs.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return runs.filter((run) => {
    if (run.start < end) return false;
    end = run.end;
    return true;
  });
}
