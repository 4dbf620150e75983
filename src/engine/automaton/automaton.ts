/**
 * An Aho-Corasick automaton over folded UTF-16 units, as views over (shared) memory. The plain walk and the
 * WebAssembly kernel read the same table. Never written after it is built.
 *
 * A *class* stands for all units that no needle tells apart; class 0 is every unit that no needle contains. White space
 * is one class, and a state whose last unit is white space steps to itself on more of it: the machine reads the text as
 * if each run of white space were one space. Lengths and depths count such *collapsed* units.
 *
 * A state is named by the address of its head, in bytes from the start of `words`, of which the first `tableAddress` are
 * not the table's. A head is four words:
 *
 *      row │ child │ edge, and depth << 16 │ needle
 *
 * On the class `edge` the state goes to `child`; on all others to where the row says. Most states differ from one
 * with fewer units in no more than that, and share its row, so a step never has to try one suffix after the other.
 * `needle` is the longest that ends in the state, −1 where none does; the shorter ones follow from it (`needleRecords`).
 *
 *      row              next state for each class (classCount words)
 *      row, paged       address of a page for each `pageClasses` classes; in the page a next state for each of them
 *
 * Rows share the pages in which they are equal. A row lies behind the head of the state that it was made for, with the
 * commonest classes in the same line of the cache. States lie breadth first, those with a row before those without, and those
 * that report behind all others, so that one comparison tells them apart.
 */
export interface Automaton {
  /** `beyond`: every needle has a unit beyond ASCII, so a text without one need not be searched. */
  readonly alphabet: Alphabet;
  /** Bit set of `RoleClass`: of messages of other roles no rule wants its needles, so they need not be searched. */
  readonly roles: number;
  readonly classCount: number;
  readonly stateCount: number;
  /** Rows, or what would be rows if they were not paged. */
  readonly rowCount: number;
  readonly isPaged: boolean;
  /** Class of every UTF-16 unit; 65,536 entries. */
  readonly classes: Uint16Array;
  /** Class of white space, or 0 where no needle contains any. */
  readonly spaceClass: number;
  /** Units at most that a needle has before its first one beyond ASCII. */
  readonly reach: number;
  readonly words: Int32Array;
  /** The state to begin in. */
  readonly root: number;
  /** In this state and all behind it a needle ends. */
  readonly reportsFrom: number;
  /** Of all needles of the program, `needleWords` each. */
  readonly needleRecords: Int32Array;
}

/**
 * Needles of ASCII and all others have an automaton each: rows are short where they need not tell hundreds of foreign
 * letters apart, and most texts are searched once. Those of ASCII that no rule wants of users' messages have one more.
 */
export type Alphabet = 'ascii' | 'beyond';

/** Where the table begins in the memory of a program. */
export const tableAddress = 192;

export const headWords = 4;
export const headWord = { row: 0, child: 1, edge: 2, needle: 3 } as const;
/** The edge of a head that has none: no class. */
export const noEdge = 0xffff;
export const pageClasses = 16;

/**
 * What is kept of a needle: its form; the longest needle that is a proper suffix of it, or −1; its first output, and the one after its
 * last.
 *
 *      form             collapsed units << 1, and 1 where it has white space in it (`lengthMask`); above, what may stand before it
 *                       and behind it where it is of use, a bit for each kind (`regex/neighbours.ts`)
 */
export const needleWords = 4;
export const needleWord = { form: 0, suffix: 1, outputsFrom: 2, outputsTo: 3 } as const;
export const lengthMask = 0x3ff;
export const neighbourShift = { before: 10, after: 21 } as const;
/** Longest needle, in units. */
export const needleUnitsMost: number = lengthMask >> 1;

/** Called for every needle that ends at `end` (exclusive, UTF-16 units of the text), in ascending order of `end`. */
export type NeedleSink = (needle: number, end: number) => void;
