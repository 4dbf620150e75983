import type { Program } from './program.js';

/**
 * What every needle is for, flat: the uses of needle `n` are the triples (pattern, gate, borders) of `triples` from
 * `starts[n]` up to `starts[n + 1]`.
 */
export interface NeedleUses {
  readonly starts: Int32Array;
  readonly triples: Int32Array;
  /** 1 for needles with white space in them, whose occurrences are longer than they. */
  readonly spaced: Uint8Array;
}

export function flattenUses({ needles, usesOfNeedle }: Program): NeedleUses {
  const starts = new Int32Array(needles.length + 1);
  usesOfNeedle.forEach((uses, needle) => {
    starts[needle + 1] = starts[needle] + uses.length * 3;
  });
  const triples = Int32Array.from(
    usesOfNeedle.flatMap((uses) => uses.flatMap(({ pattern, gate, borders }) => [pattern, gate, borders])),
  );
  return { starts, triples, spaced: Uint8Array.from(needles, (needle) => (needle.includes(' ') ? 1 : 0)) };
}
