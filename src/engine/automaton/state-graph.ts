import { needleWord, needleWords, noEdge } from './automaton.js';
import { RowTable } from './row-table.js';
import type { Trie } from './trie.js';

/** The states of an automaton, by number, before they have addresses. */
export interface StateGraph {
  readonly count: number;
  readonly rows: RowTable;
  /** Which row each state has, and the state that each row was made for. */
  readonly rowOf: Int32Array;
  readonly ownerOf: Int32Array;
  /** The class on which it goes elsewhere, or `noEdge`, and where. */
  readonly edge: Uint16Array;
  readonly child: Int32Array;
  /** Longest needle that ends there, or −1. */
  readonly needle: Int32Array;
}

/**
 * Gives each state its row and its edge: breadth first, so that its longest proper suffix has them already. A state goes
 * where its suffix goes, but for its children; one difference from a row is an edge, and two are a row of its own.
 */
export function linkStates(trie: Trie, classCount: number, spaceClass: number, needleRecords: Int32Array): StateGraph {
  const { count, firstChild, lastClass, needleOf } = trie;
  const rows = new RowTable(classCount);
  rows.addEmpty(); // The root's.
  const rowOf = new Int32Array(count);
  const edge = new Uint16Array(count).fill(noEdge);
  const child = new Int32Array(count);
  const needle = new Int32Array(count).fill(-1);
  const suffix = new Int32Array(count);
  const next = (state: number, unitClass: number): number =>
    edge[state] === unitClass ? child[state] : rows.get(rowOf[state], unitClass);
  for (let state = 0; state < count; state++) {
    const from = suffix[state];
    const first = firstChild[state];
    const end = firstChild[state + 1];
    const loops = spaceClass > 0 && lastClass[state] === spaceClass;
    let inherits = edge[from] !== noEdge && !(loops && edge[from] === spaceClass);
    for (let to = first; to < end; to++) {
      if (state > 0) suffix[to] = next(from, lastClass[to]);
      if (lastClass[to] === edge[from]) inherits = false;
    }
    const ways = end - first + (loops ? 1 : 0) + (inherits ? 1 : 0);
    const hasRow = state === 0 || ways > 1;
    rowOf[state] = state > 0 && hasRow ? rows.addCopy(rowOf[from]) : rowOf[from];
    const lead = (unitClass: number, to: number): void => {
      if (hasRow) rows.set(rowOf[state], unitClass, to);
      else {
        edge[state] = unitClass;
        child[state] = to;
      }
    };
    if (inherits) lead(edge[from], child[from]);
    if (loops) lead(spaceClass, state);
    for (let to = first; to < end; to++) lead(lastClass[to], to);
    needle[state] = needle[from];
    if (needleOf[state] >= 0) {
      needleRecords[needleOf[state] * needleWords + needleWord.suffix] = needle[state];
      needle[state] = needleOf[state];
    }
  }
  const ownerOf = new Int32Array(rows.count);
  for (let state = count - 1; state >= 0; state--) ownerOf[rowOf[state]] = state;
  return { count, rows, rowOf, ownerOf, edge, child, needle };
}
