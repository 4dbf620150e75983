/**
 * The trie of all needles, its states numbered breadth first, so that a state's suffix always has a smaller number and
 * the states near the root come first. State 0 is the root.
 */
export interface Trie {
  readonly count: number;
  /** A state's children are consecutive: from `firstChild[state]` up to `firstChild[state + 1]`. */
  readonly firstChild: Int32Array;
  /** Class by which a state is entered; −1 for the root. */
  readonly lastClass: Int32Array;
  readonly depth: Int32Array;
  /** Needle that ends here, or −1. */
  readonly needleOf: Int32Array;
}

/**
 * Builds the trie of the needles with these numbers, level by level. Needles in lexical order share prefixes with their neighbours, so the states of one
 * level are the runs of needles that agree up to it, and no state is ever searched for.
 */
export function buildTrie(needles: readonly string[], own: readonly number[], classes: Uint16Array): Trie {
  const order = Uint32Array.from(own);
  order.sort((a, b) => (needles[a] < needles[b] ? -1 : 1));
  const shared = sharedUnits(needles, order);
  let count = 1;
  for (let i = 0; i < order.length; i++) count += needles[order[i]].length - shared[i];

  const trie: Trie = {
    count,
    firstChild: new Int32Array(count + 1),
    lastClass: new Int32Array(count).fill(-1),
    depth: new Int32Array(count),
    needleOf: new Int32Array(count).fill(-1),
  };
  // Needles that reach the level at hand, by their places in the order, and the state of each run of them.
  let places = Uint32Array.from(order.keys());
  let stateOfPlace = new Int32Array(order.length);
  let next = 1;
  let parent = 0;
  trie.firstChild[0] = 1;
  for (let depth = 0; places.length > 0; depth++) {
    const deeper = new Uint32Array(places.length);
    const deeperStates = new Int32Array(places.length);
    let kept = 0;
    // Least number of units that two neighbouring places share, over the needles between them that ended.
    let sharedSince = Number.MAX_SAFE_INTEGER;
    let lastPlace = -1;
    for (let i = 0; i < places.length; i++) {
      const place = places[i];
      const needle = needles[order[place]];
      const state = stateOfPlace[i];
      while (parent < state) trie.firstChild[++parent] = next;
      if (needle.length === depth) {
        trie.needleOf[state] = order[place];
        continue;
      }
      for (let between = lastPlace + 1; between <= place; between++) {
        if (shared[between] < sharedSince) sharedSince = shared[between];
      }
      if (lastPlace < 0 || sharedSince <= depth) {
        trie.lastClass[next] = classes[needle.charCodeAt(depth)];
        trie.depth[next] = depth + 1;
        next++;
      }
      sharedSince = Number.MAX_SAFE_INTEGER;
      lastPlace = place;
      deeper[kept] = place;
      deeperStates[kept++] = next - 1;
    }
    places = deeper.subarray(0, kept);
    stateOfPlace = deeperStates.subarray(0, kept);
  }
  while (parent < count) trie.firstChild[++parent] = next;
  return trie;
}

/** Units that each needle begins with like the one before it in the order. */
function sharedUnits(needles: readonly string[], order: Uint32Array): Int32Array {
  const shared = new Int32Array(order.length);
  for (let i = 1; i < order.length; i++) {
    const before = needles[order[i - 1]];
    const needle = needles[order[i]];
    const most = Math.min(before.length, needle.length);
    let units = 0;
    while (units < most && before.charCodeAt(units) === needle.charCodeAt(units)) units++;
    shared[i] = units;
  }
  return shared;
}
