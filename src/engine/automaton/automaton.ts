/**
 * An Aho-Corasick automaton over folded UTF-16 units, as views over (shared) memory. Two representations of the
 * same machine; `search` reads both, the WebAssembly kernel the dense one. Never written after it is built.
 *
 * A *class* stands for all units that no needle tells apart; class 0 is every unit that no needle contains. Classes
 * are multiples of 4, ready to be added to a row's address. White space is one class, and a state whose last unit is
 * white space steps to itself on more of it: the machine reads the text as if each run of white space were one
 * space. Lengths and depths count such *collapsed* units.
 *
 * `dense`: one row a state, in `words` (32 bits each). A row is named by its address in bytes from the start of
 * `words`, in breadth-first order; the root's is `rootRow`.
 *
 *      row + class ─► address of the next row, bit 31 set when a needle ends there     (classCount entries)
 *      then:          depth of the state │ needle that ends here, or −1 │ row of the nearest suffix with one, or 0
 *
 * `compact`: states are numbers; `edges[state]` is where its edges start in `words`, pairs (class, next state),
 * ascending by class, up to the next state's start. A missing edge follows `fail`. The root has a row of its own.
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
  readonly words: Int32Array;
  /** dense only: address of the root's row. */
  readonly rootRow: number;
  /** Collapsed units of each needle. */
  readonly lengths: Int32Array;
  /** compact only: start of each state's edges in `words`; `stateCount + 1` entries. */
  readonly edges: Int32Array;
  /** compact only: the state of the longest proper suffix. */
  readonly fail: Int32Array;
  /** compact only: next state from the root, by class / 4. */
  readonly rootEdges: Int32Array;
  /** compact only: needle that ends in each state, or −1. */
  readonly needleOf: Int32Array;
  /** compact only: nearest state on the chain of suffixes in which a needle ends, or 0. */
  readonly suffixHit: Int32Array;
}

/** Words of a dense row after its transitions: depth, needle, suffix. */
export const rowExtraWords = 3;
export const addressMask = 0x7fffffff;

/** Most needles of one automaton: a hit packs the needle's number into 17 bits. */
export const needlesMax = 1 << 17;

/** Called for every needle that ends at `end` (exclusive, UTF-16 units of the text), in ascending order of `end`. */
export type NeedleSink = (needle: number, end: number) => void;
