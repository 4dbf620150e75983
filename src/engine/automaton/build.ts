import { foldTable, spaceUnit } from '../text/fold.js';
import { type Automaton, fieldWords, needlesMax, reportsFlag, sparseFlag } from './automaton.js';

/** Rows up to this many bytes in all: more would push the ones in use out of the cache. */
const rowBytesMax = 8 * 1024 * 1024;

/**
 * Builds the automaton for needles that are folded, collapsed, trimmed and pairwise different; a needle's place in
 * the list is its number. Cost: linear in the needles' total length and in the size of the table. Throws
 * `RangeError` for more than `needlesMax` needles.
 */
export function buildAutomaton(needles: readonly string[], rowBytes: number = rowBytesMax): Automaton {
  if (needles.length > needlesMax) throw new RangeError(`more than ${needlesMax} needles`);
  const { classes, classCount, spaceClass } = classify(needles);
  const trie = buildTrie(needles, classes);
  linkSuffixes(trie);
  const rowCount = Math.max(1, Math.min(trie.count, Math.floor(rowBytes / ((classCount + fieldWords) * 4))));
  return {
    classCount,
    stateCount: trie.count,
    rowCount,
    needleCount: needles.length,
    classes,
    spaceClass,
    words: layTable(trie, classCount, rowCount, spaceClass),
    root: 0,
    lengths: Int32Array.from(needles, ({ length }) => length),
  };
}

/** The same table as it stands when it begins at `address`: every state moves by it. */
export function relocate(automaton: Automaton, address: number): Int32Array {
  const { classCount, rowCount, words } = automaton;
  const moved = words.slice();
  const rowWords = classCount + fieldWords;
  const moveFields = (at: number) => {
    if (moved[at + 2] !== 0) moved[at + 2] += address;
  };
  for (let row = 0; row < rowCount * rowWords; row += rowWords) {
    for (let column = 0; column < classCount; column++) moved[row + column] += address;
    moveFields(row + classCount);
  }
  for (let record = rowCount * rowWords; record < moved.length; ) {
    moveFields(record);
    moved[record + fieldWords] += address;
    const edges = moved[record + fieldWords + 1];
    for (let edge = 0; edge < edges; edge++) moved[record + fieldWords + 3 + 2 * edge] += address;
    record += fieldWords + 2 + 2 * edges;
  }
  return moved;
}

/** States are numbered in breadth-first order, so that a state's suffix always has a smaller number. */
interface Trie {
  count: number;
  readonly children: Map<number, number>[];
  readonly lastClass: Int32Array;
  readonly depth: Int32Array;
  readonly fail: Int32Array;
  readonly needleOf: Int32Array;
  readonly suffixHit: Int32Array;
}

function classify(needles: readonly string[]): { classes: Uint16Array; classCount: number; spaceClass: number } {
  const classOf = new Map<number, number>();
  for (const needle of needles) {
    for (let i = 0; i < needle.length; i++) {
      const unit = needle.charCodeAt(i);
      if (!classOf.has(unit)) classOf.set(unit, (classOf.size + 1) * 4);
    }
  }
  const classes = new Uint16Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit++) classes[unit] = classOf.get(foldTable[unit]) ?? 0;
  return { classes, classCount: classOf.size + 1, spaceClass: classOf.get(spaceUnit) ?? 0 };
}

function buildTrie(needles: readonly string[], classes: Uint16Array): Trie {
  const capacity = needles.reduce((sum, needle) => sum + needle.length, 1);
  const draft: Map<number, number>[] = [new Map()];
  const draftNeedle = new Int32Array(capacity).fill(-1);
  needles.forEach((needle, number) => {
    let state = 0;
    for (let i = 0; i < needle.length; i++) {
      const unitClass = classes[needle.charCodeAt(i)];
      let next = draft[state].get(unitClass);
      if (next === undefined) {
        next = draft.push(new Map()) - 1;
        draft[state].set(unitClass, next);
      }
      state = next;
    }
    draftNeedle[state] = number;
  });
  return renumber(draft, draftNeedle);
}

function renumber(draft: readonly Map<number, number>[], draftNeedle: Int32Array): Trie {
  const count = draft.length;
  const trie: Trie = {
    count,
    children: new Array(count),
    lastClass: new Int32Array(count).fill(-1),
    depth: new Int32Array(count),
    fail: new Int32Array(count),
    needleOf: new Int32Array(count).fill(-1),
    suffixHit: new Int32Array(count),
  };
  const queue = new Int32Array(count);
  let tail = 1;
  for (let state = 0; state < count; state++) {
    const old = queue[state];
    trie.needleOf[state] = draftNeedle[old];
    const children = new Map<number, number>();
    for (const [unitClass, child] of [...draft[old]].sort(([a], [b]) => a - b)) {
      queue[tail] = child;
      trie.lastClass[tail] = unitClass;
      trie.depth[tail] = trie.depth[state] + 1;
      children.set(unitClass, tail++);
    }
    trie.children[state] = children;
  }
  return trie;
}

function linkSuffixes(trie: Trie): void {
  for (let state = 0; state < trie.count; state++) {
    for (const [unitClass, child] of trie.children[state]) {
      let suffix = trie.fail[state];
      while (suffix !== 0 && !trie.children[suffix].has(unitClass)) suffix = trie.fail[suffix];
      const target = state === 0 ? 0 : (trie.children[suffix].get(unitClass) ?? 0);
      trie.fail[child] = target;
      trie.suffixHit[child] = trie.needleOf[target] >= 0 ? target : trie.suffixHit[target];
    }
  }
}

/** Lays out rows and records with the root at address 0. */
function layTable(trie: Trie, classCount: number, rowCount: number, spaceClass: number): Int32Array {
  const rowWords = classCount + fieldWords;
  const isLoop = (state: number) => spaceClass > 0 && trie.lastClass[state] === spaceClass;
  const states = new Int32Array(trie.count);
  let end = rowCount * rowWords;
  for (let state = 0; state < trie.count; state++) {
    const isRow = state < rowCount;
    const reports = trie.needleOf[state] >= 0 || trie.suffixHit[state] > 0;
    states[state] = ((isRow ? state * rowWords : end) * 4) | (isRow ? 0 : sparseFlag) | (reports ? reportsFlag : 0);
    if (!isRow) end += fieldWords + 2 + 2 * (trie.children[state].size + (isLoop(state) ? 1 : 0));
  }
  const words = new Int32Array(end);
  const layFields = (at: number, state: number) => {
    words[at] = trie.depth[state];
    words[at + 1] = trie.needleOf[state];
    words[at + 2] = trie.suffixHit[state] === 0 ? 0 : states[trie.suffixHit[state]];
  };
  for (let state = 0; state < rowCount; state++) {
    const row = state * rowWords;
    const suffixRow = trie.fail[state] * rowWords;
    if (state > 0) words.copyWithin(row, suffixRow, suffixRow + classCount);
    for (const [unitClass, child] of trie.children[state]) words[row + unitClass / 4] = states[child];
    // No needle ends in white space, so the state that loops here never reports.
    if (isLoop(state)) words[row + spaceClass / 4] = states[state];
    layFields(row + classCount, state);
  }
  let at = rowCount * rowWords;
  for (let state = rowCount; state < trie.count; state++) {
    layFields(at, state);
    at += fieldWords;
    words[at++] = states[trie.fail[state]];
    words[at++] = trie.children[state].size + (isLoop(state) ? 1 : 0);
    const edges = [...trie.children[state]].map(([unitClass, child]) => [unitClass, states[child]]);
    if (isLoop(state)) edges.push([spaceClass, states[state]]);
    for (const [unitClass, next] of edges) {
      words[at++] = unitClass;
      words[at++] = next;
    }
  }
  return words;
}
