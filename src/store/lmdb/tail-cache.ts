import type { Segment } from './scan-segment.js';

/** Segments that the index does not cover, as this process read them; brought up to date for every read. */
export interface Tail {
  revision: number;
  /** The last segment that was read. */
  last: number;
  segments: Segment[];
  /** Entries of scopes that were asked for, until there are more segments. */
  readonly entries: Map<string, Buffer>;
}

/** A tail of which nothing is read yet. */
export function createTail(): Tail {
  return { revision: -1, last: 0, segments: [], entries: new Map() };
}
