import { allRoles, roleClasses } from '../program.js';
import { foldTable, spaceUnit } from '../text/fold.js';
import {
  type Alphabet,
  type Automaton,
  headWord,
  headWords,
  needleUnitsMost,
  needleWord,
  needleWords,
  tableAddress,
} from './automaton.js';
import { linkStates, type StateGraph } from './state-graph.js';
import { buildTrie, type Trie } from './trie.js';

/** Rows beyond this many bytes are paged: pages are smaller in all, but each step has one more thing to look up. */
const rowBytesMax = 16 * 1024 * 1024;

/** Bytes that a line of the cache holds: a page lies in one. */
const lineBytes = 64;

/** The automata of a program's needles, one after the other in one table. */
export interface Automata {
  readonly list: readonly Automaton[];
  readonly words: Int32Array;
  /** Of all needles; without outputs. */
  readonly needleRecords: Int32Array;
}

/**
 * Builds the automata for needles that are folded, collapsed, trimmed and pairwise different; a needle's place in
 * the list is its number. `roles` has by number the roles of messages in which some rule wants it, all where it is left out. Rows of more than
 * `rowBytes` are paged. Cost: sorting the needles, and linear in their total length and in the size of the table.
 */
export function buildAutomata(
  needles: readonly string[],
  rowBytes: number = rowBytesMax,
  roles: Uint8Array = new Uint8Array(needles.length).fill(allRoles),
): Automata {
  const numbers = Array.from(needles.keys());
  const isAscii = (number: number) => needles[number].search(beyondAscii) < 0;
  const isOfUsers = (number: number) => (roles[number] & roleClasses.user) !== 0;
  const tables: [Alphabet, readonly number[]][] = [
    ['ascii', numbers.filter((number) => isAscii(number) && isOfUsers(number))],
    ['ascii', numbers.filter((number) => isAscii(number) && !isOfUsers(number))],
    ['beyond', numbers.filter((number) => !isAscii(number))],
  ];
  const needleRecords = new Int32Array(needles.length * needleWords);
  needles.forEach((needle, number) => {
    if (needle.length > needleUnitsMost)
      throw new RangeError(`a needle of ${needle.length} units, at most ${needleUnitsMost}`);
    needleRecords[number * needleWords + needleWord.form] = (needle.length << 1) | (needle.includes(' ') ? 1 : 0);
  });
  const list: Omit<Automaton, 'words'>[] = [];
  const parts: { at: number; table: Int32Array }[] = [];
  let end = tableAddress;
  for (const [alphabet, own] of tables) {
    if (own.length === 0) continue;
    const { table, ...automaton } = buildAutomaton(needles, own, needleRecords, rowBytes, end);
    list.push({ ...automaton, alphabet, roles: own.reduce((bits, number) => bits | roles[number], 0) });
    parts.push({ at: end / 4, table });
    end = toLine(end + table.byteLength);
  }
  const words = new Int32Array(end / 4);
  for (const { at, table } of parts) words.set(table, at);
  return { list: list.map((automaton) => ({ ...automaton, words })), words, needleRecords };
}

const beyondAscii = /[^\0-\x7f]/;

function buildAutomaton(
  needles: readonly string[],
  own: readonly number[],
  needleRecords: Int32Array,
  rowBytes: number,
  address: number,
) {
  const { classes, classCount, spaceClass } = classify(own.map((number) => needles[number]));
  const trie = buildTrie(needles, own, classes);
  const graph = linkStates(trie, classCount, spaceClass, needleRecords);
  const reach = own.reduce((most, number) => Math.max(most, needles[number].search(beyondAscii)), 0);
  const isPaged = graph.rows.count * classCount * 4 > rowBytes;
  const places = placeStates(graph, isPaged, address);
  return {
    ...{ classCount, stateCount: trie.count, rowCount: graph.rows.count, isPaged, spaceClass, reach },
    ...{ classes, needleRecords, root: address, reportsFrom: places.reportsFrom },
    table: layTable(graph, trie, places, isPaged, address),
  };
}

/** Commonest units of English text first, so that the columns in use share cache lines (order: Lewand 2000). */
const commonUnits = ' etaoinshrdlcumwfgypbvk.,';

/** Numbers the units that occur in needles. */
function classify(needles: readonly string[]): { classes: Uint16Array; classCount: number; spaceClass: number } {
  const occurs = new Uint8Array(0x10000);
  for (const needle of needles) for (let i = 0; i < needle.length; i++) occurs[needle.charCodeAt(i)] = 1;
  const classOf = new Uint16Array(0x10000);
  let classCount = 1;
  const number = (unit: number) => {
    if (occurs[unit] === 1 && classOf[unit] === 0) classOf[unit] = classCount++;
  };
  for (let i = 0; i < commonUnits.length; i++) number(commonUnits.charCodeAt(i));
  for (let unit = occurs.indexOf(1); unit >= 0; unit = occurs.indexOf(1, unit + 1)) number(unit);
  const classes = classOf.slice();
  for (const unit of foldedUnits()) classes[unit] = classOf[foldTable[unit]];
  return { classes, classCount, spaceClass: classOf[spaceUnit] };
}

let folded: Uint16Array | undefined;

/** Units that fold to another one: a fiftieth of all, which classes of a few needles are numbered by in a tenth of the time. */
function foldedUnits(): Uint16Array {
  folded ??= foldTable.map((to, unit) => (to === unit ? 0 : unit)).filter((unit) => unit > 0);
  return folded;
}

interface Places {
  /** Address of each state. */
  readonly states: Int32Array;
  readonly reportsFrom: number;
  /** Where the pages begin. */
  readonly pagesAt: number;
  readonly end: number;
}

/** Where each state lies: those that report behind the others, and of both first those that have a row, with it. */
function placeStates({ count, needle, rows, rowOf, ownerOf }: StateGraph, isPaged: boolean, address: number): Places {
  const states = new Int32Array(count);
  const headBytes = headWords * 4;
  const rowBytes = isPaged ? headBytes + 4 * rows.pagesOfRow : toLine(headBytes + 4 * rows.classCount);
  let end = address;
  let reportsFrom = address;
  for (const reports of [false, true]) {
    reportsFrom = end;
    for (const hasRow of [true, false]) {
      for (let state = 0; state < count; state++) {
        if (needle[state] >= 0 !== reports || (ownerOf[rowOf[state]] === state) !== hasRow) continue;
        states[state] = end;
        end += hasRow ? rowBytes : headBytes;
      }
    }
    end = toLine(end);
  }
  return { states, reportsFrom, pagesAt: end, end: end + (isPaged ? rows.pageBytes : 0) };
}

function layTable(graph: StateGraph, { depth }: Trie, places: Places, isPaged: boolean, address: number): Int32Array {
  const { count, rows, rowOf, ownerOf, edge, child, needle } = graph;
  const { states, pagesAt, end } = places;
  const words = new Int32Array((end - address) / 4);
  const rowAt = (row: number) => states[ownerOf[row]] + headWords * 4;
  for (let state = 0; state < count; state++) {
    const head = (states[state] - address) / 4;
    words[head + headWord.row] = rowAt(rowOf[state]);
    words[head + headWord.child] = states[child[state]];
    // A deeper state is as good as this deep: depths are compared with units of one block of a text.
    words[head + headWord.edge] = edge[state] | (Math.min(depth[state], 0xffff) << 16);
    words[head + headWord.needle] = needle[state];
  }
  for (let row = 0; row < rows.count; row++) {
    rows.write(row, states, isPaged ? pagesAt : undefined, words, (rowAt(row) - address) / 4);
  }
  if (isPaged) rows.writePages(states, words, (pagesAt - address) / 4);
  return words;
}

function toLine(address: number): number {
  return Math.ceil(address / lineBytes) * lineBytes;
}
