/**
 * An Aho-Corasick automaton over folded UTF-16 units, as views over (shared) memory. Two representations of the
 * same machine; `search` reads both. Never written after it is built.
 *
 * A *class* stands for all units that no needle tells apart; class 0 is every unit that no needle contains.
 * White space is one class, and a state whose last unit is white space steps to itself on more of it, so that
 * needles match across runs of any length: the machine reads the text as if each run were one space.
 *
 * `dense`: one row of `classCount` entries a state.
 *
 *        classes[unit] ──► class ┐
 *                                ├─► table[row + class] = next row, bit 31 set when the next state reports
 *        row (state × classCount)┘
 *
 * `compact`: `row` of each state is where its edges start in `table`: pairs (class, next state), ascending by
 * class, ended by the next state's start; a missing edge follows `fail`. The root has a dense row (`rootRow`).
 */
export interface Automaton {
  readonly kind: 'dense' | 'compact';
  readonly classCount: number;
  readonly stateCount: number;
  readonly needleCount: number;
  /** Class of every UTF-16 unit; 65,536 entries. */
  readonly classes: Uint16Array;
  /** Class of white space, or 0 where no needle contains any. */
  readonly spaceClass: number;
  readonly table: Int32Array;
  /** compact only: start of each state's edges in `table`; `stateCount + 1` entries. */
  readonly edges: Int32Array;
  /** compact only: the state of the longest proper suffix. */
  readonly fail: Int32Array;
  /** compact only: next state from the root for each class. */
  readonly rootRow: Int32Array;
  /** Needle that ends in each state, or -1. */
  readonly needleOf: Int32Array;
  /** Nearest state on the chain of suffixes in which a needle ends, or 0. */
  readonly suffixHit: Int32Array;
}

/** Called for every needle that ends at `end` (exclusive, UTF-16 units of the text), longest first at one `end`. */
export type NeedleSink = (needle: number, end: number) => void;
