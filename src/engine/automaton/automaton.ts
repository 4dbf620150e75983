/**
 * An Aho-Corasick automaton over folded UTF-16 units, as views over (shared) memory. The plain walk and the
 * WebAssembly kernel read the same table. Never written after it is built.
 *
 * A *class* stands for all units that no needle tells apart; class 0 is every unit that no needle contains. Classes
 * are multiples of 4, ready to be added to a row's address. White space is one class, and a state whose last unit is
 * white space steps to itself on more of it: the machine reads the text as if each run of white space were one
 * space. Lengths and depths count such *collapsed* units.
 *
 * A state is named by the address of its row or record, in bytes from the start of `words`, of which the first
 * `tableAddress` are not the table's, and by flags: `sparse` when
 * it is a record, `reports` when a needle ends there, and `special` when it is either, so that one look at the sign tells
 * a walk over rows that there is more to do. States are laid out breadth first, because those near the root are where a
 * walk spends its time: the first ones as rows, as far as the budget goes, the rest as records.
 *
 *      row       depth │ needle or −1 │ next suffix │ next state for each class (classCount words), where its address points
 *      record    depth, and the number of edges << 16 │ state of the longest proper suffix │ in one that reports:
 *                needle or −1 │ next suffix │ then pairs (class, next state)
 *
 * `needle` is the one that ends here, `next suffix` the state of the nearest suffix in which another one ends, or 0.
 * In a record a class without an edge is looked up in the suffix; the root is always a row.
 */
export interface Automaton {
  /** `beyond`: every needle has a unit beyond ASCII, so a text without one need not be searched. */
  readonly alphabet: Alphabet;
  readonly classCount: number;
  readonly stateCount: number;
  /** States that are rows. */
  readonly rowCount: number;
  /** Class of every UTF-16 unit; 65,536 entries. */
  readonly classes: Uint16Array;
  /** Class of white space, or 0 where no needle contains any. */
  readonly spaceClass: number;
  readonly words: Int32Array;
  /** The state to begin in. */
  readonly root: number;
}

/**
 * Needles of ASCII and all others have an automaton each: rows are short where they need not tell hundreds of foreign
 * letters apart, and most texts are searched once.
 */
export type Alphabet = 'ascii' | 'beyond';

export const specialFlag: number = 1 << 31;
export const sparseFlag: number = 1 << 30;
export const reportsFlag: number = 1 << 29;
export const addressMask = 0x1fffffff;

/** Where the table begins in the memory of a program. */
export const tableAddress = 128;

/** Words before a row's transitions. */
export const fieldWords = 3;

/** Called for every needle that ends at `end` (exclusive, UTF-16 units of the text), in ascending order of `end`. */
export type NeedleSink = (needle: number, end: number) => void;
