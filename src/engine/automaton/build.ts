import { foldTable, spaceUnit } from '../text/fold.js';
import { type Automaton, needlesMax, rowExtraWords } from './automaton.js';

/** Dense tables up to this size; larger machines are built compact. Rows that are walked stay in the cache. */
const denseBytesMax = 32 * 1024 * 1024;

/**
 * Builds the automaton for needles that are folded, collapsed, trimmed and pairwise different; a needle's place in
 * the list is its number. Cost: linear in the needles' total length, times the number of classes when dense.
 * Throws `RangeError` for more than `needlesMax` needles.
 */
export function buildAutomaton(needles: readonly string[], force?: Automaton['kind']): Automaton {
  if (needles.length > needlesMax) throw new RangeError(`more than ${needlesMax} needles`);
  const { classes, classCount, spaceClass } = classify(needles);
  const trie = buildTrie(needles, classes);
  linkSuffixes(trie);
  const kind = force ?? (trie.count * (classCount + rowExtraWords) * 4 <= denseBytesMax ? 'dense' : 'compact');
  return {
    kind,
    classCount,
    stateCount: trie.count,
    needleCount: needles.length,
    classes,
    spaceClass,
    rootRow: 0,
    lengths: Int32Array.from(needles, ({ length }) => length),
    ...(kind === 'dense' ? denseTables(trie, classCount, spaceClass) : compactTables(trie, classCount)),
  };
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

type Tables = Pick<Automaton, 'words' | 'edges' | 'fail' | 'rootEdges' | 'needleOf' | 'suffixHit'>;

const none = new Int32Array(0);

function denseTables(trie: Trie, classCount: number, spaceClass: number): Tables {
  const rowWords = classCount + rowExtraWords;
  const words = new Int32Array(trie.count * rowWords);
  for (let state = 0; state < trie.count; state++) {
    const row = state * rowWords;
    if (state > 0) words.copyWithin(row, trie.fail[state] * rowWords, trie.fail[state] * rowWords + classCount);
    for (const [unitClass, child] of trie.children[state]) {
      const reports = trie.needleOf[child] >= 0 || trie.suffixHit[child] > 0;
      words[row + unitClass / 4] = (child * rowWords * 4) | (reports ? 1 << 31 : 0);
    }
    // No needle ends in white space, so the state that loops here never reports.
    if (spaceClass > 0 && trie.lastClass[state] === spaceClass) words[row + spaceClass / 4] = row * 4;
    words[row + classCount] = trie.depth[state];
    words[row + classCount + 1] = trie.needleOf[state];
    words[row + classCount + 2] = trie.suffixHit[state] * rowWords * 4;
  }
  return { words, edges: none, fail: none, rootEdges: none, needleOf: none, suffixHit: none };
}

/** The same dense rows as they stand when the table begins at `address`: every row address moves by it. */
export function relocate(automaton: Automaton, address: number): Int32Array {
  if (automaton.kind === 'compact') return automaton.words;
  const moved = automaton.words.slice();
  const rowWords = automaton.classCount + rowExtraWords;
  for (let row = 0; row < moved.length; row += rowWords) {
    for (let column = 0; column < automaton.classCount; column++) moved[row + column] += address;
    if (moved[row + automaton.classCount + 2] !== 0) moved[row + automaton.classCount + 2] += address;
  }
  return moved;
}

function compactTables(trie: Trie, classCount: number): Tables {
  const edges = new Int32Array(trie.count + 1);
  const words = new Int32Array(2 * (trie.count - 1));
  const rootEdges = new Int32Array(classCount);
  let at = 0;
  for (let state = 0; state < trie.count; state++) {
    edges[state] = at;
    for (const [unitClass, child] of trie.children[state]) {
      words[at++] = unitClass;
      words[at++] = child;
      if (state === 0) rootEdges[unitClass / 4] = child;
    }
  }
  edges[trie.count] = at;
  return { words, edges, fail: trie.fail, rootEdges, needleOf: trie.needleOf, suffixHit: trie.suffixHit };
}
