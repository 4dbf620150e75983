// AssemblyScript, not part of the TypeScript build: scripts/build.mjs compiles it to kernel.wasm. It only loads and
// stores in the shared memory that it imports and keeps nothing of its own, so any number of threads may run it at
// once, each on a scratch of its own. `automaton.ts` draws the table that it reads.
//
// Parameters, 32-bit words at `args`; offsets in bytes:
//
//     0 root      the state of lanes B, C and D    20 out      address of the hits
//     4 classes   address of the class table       24 outEnd   first address after them
//     8 columns   bytes of a row's transitions     28 state    to begin in; on return, the state to go on in
//    12 text      address of the units             32 space    class of white space
//    16 length    units                            36 lengths  address of the needles' lengths, collapsed units
//
// A hit is one word: (end − 1) << 17 | needle. Gives the number of hits, in no order, or −1 when they did not fit:
// then none counts and `state` is untouched.

const sparseFlag: i32 = 1 << 30;
const addressMask: i32 = 0x3fffffff;

/**
 * One walk waits for memory at each step, so the text is cut into four segments and four walks step in one loop,
 * their waits overlapping. Lanes B, C and D begin in the root; what crosses a border is found by running on.
 */
export function search(args: usize): i32 {
  const root = load<i32>(args, 0);
  const classes = <usize>load<u32>(args, 4);
  const text = <usize>load<u32>(args, 12);
  const length = load<i32>(args, 16);
  const out = <usize>load<u32>(args, 20);
  const outEnd = <usize>load<u32>(args, 24);

  const quarter = length >> 2;
  const bytes = <usize>quarter << 1;
  const textB = text + bytes;
  const textC = textB + bytes;
  const textD = textC + bytes;
  let a = load<i32>(args, 28);
  let b = root;
  let c = root;
  let d = root;
  let all = a;
  let at = out;

  for (let i: usize = 0; i < bytes; i += 2) {
    // One test for four lanes: only where one of them stands in a record does the slower step run.
    if ((all & sparseFlag) == 0) {
      a = stepRow(a, classes, text + i);
      b = stepRow(b, classes, textB + i);
      c = stepRow(c, classes, textC + i);
      d = stepRow(d, classes, textD + i);
    } else {
      a = step(a, classes, text + i);
      b = step(b, classes, textB + i);
      c = step(c, classes, textC + i);
      d = step(d, classes, textD + i);
    }
    all = a | b | c | d;
    if (all < 0) {
      const place = <i32>(i >> 1);
      if (a < 0) at = report(args, a, place, 0, at, outEnd);
      if (b < 0) at = report(args, b, quarter + place, 0, at, outEnd);
      if (c < 0) at = report(args, c, 2 * quarter + place, 0, at, outEnd);
      if (d < 0) at = report(args, d, 3 * quarter + place, 0, at, outEnd);
      if (at > outEnd) return -1;
    }
  }
  // The last lane takes the up to three units that four equal segments leave over.
  for (let i = 4 * quarter; i < length; i++) {
    d = step(d, classes, text + (<usize>i << 1));
    if (d < 0) at = report(args, d, i, 0, at, outEnd);
    if (at > outEnd) return -1;
  }

  let last = d;
  for (let lane = 2; lane >= 0; lane--) {
    const from = lane == 0 ? a : lane == 1 ? b : c;
    at = runOn(args, from, (lane + 1) * quarter, at);
    if (at > outEnd) return -1;
    // A lane that is open at the end of the text holds a longer suffix than the lanes after it.
    const open = load<i32>(args, 40);
    if (open != 0) last = open;
  }
  store<i32>(args, last, 28);
  return <i32>((at - out) >> 2);
}

@inline
function stepRow(state: i32, classes: usize, unit: usize): i32 {
  return load<i32>(<usize>(state & addressMask) + <usize>load<u16>(classes + (<usize>load<u16>(unit) << 1)));
}

function step(state: i32, classes: usize, unit: usize): i32 {
  return stepClass(state, <i32>load<u16>(classes + (<usize>load<u16>(unit) << 1)));
}

/** Follows suffixes until one has an edge for the class; a row has one for every class. */
function stepClass(from: i32, unitClass: i32): i32 {
  let state = from;
  while ((state & sparseFlag) != 0) {
    const record = <usize>(state & addressMask);
    let edge = record + 20;
    const end = edge + (<usize>load<u32>(record, 16) << 3);
    for (; edge < end; edge += 8) {
      if (load<i32>(edge) == unitClass) return load<i32>(edge, 4);
    }
    state = load<i32>(record, 12);
  }
  return load<i32>(<usize>(state & addressMask) + <usize>unitClass);
}

/** Address of depth, needle and suffix: at the end of a row, at the start of a record. */
@inline
function fieldsOf(state: i32, columns: usize): usize {
  return <usize>(state & addressMask) + ((state & sparseFlag) == 0 ? columns : 0);
}

/**
 * Walks a lane past its border until its state began behind it, and reports only what began before it. `collapsed`
 * counts the units since the border, a run of white space as one. Leaves the state at `args + 40` when the text
 * ended first, else 0.
 */
function runOn(args: usize, from: i32, border: i32, begin: usize): usize {
  const classes = <usize>load<u32>(args, 4);
  const columns = <usize>load<u32>(args, 8);
  const text = <usize>load<u32>(args, 12);
  const length = load<i32>(args, 16);
  const outEnd = <usize>load<u32>(args, 24);
  const space = load<i32>(args, 32);
  let at = begin;
  let state = from;
  let collapsed = 0;
  let before = border > 0 ? classAt(classes, text, border - 1) : 0;
  let i = border;
  for (; i < length; i++) {
    if (collapsed >= load<i32>(fieldsOf(state, columns))) break;
    const now = classAt(classes, text, i);
    if (!(now == space && before == space)) collapsed++;
    before = now;
    state = stepClass(state, now);
    if (state < 0) {
      at = report(args, state, i, collapsed, at, outEnd);
      if (at > outEnd) return at;
    }
  }
  const isOpen = i == length && collapsed < load<i32>(fieldsOf(state, columns));
  store<i32>(args, isOpen ? state : 0, 40);
  return at;
}

@inline
function classAt(classes: usize, text: usize, index: i32): i32 {
  return <i32>load<u16>(classes + (<usize>load<u16>(text + (<usize>index << 1)) << 1));
}

/** Writes the needles that end here and are longer than `collapsed`; gives an address past `outEnd` when full. */
function report(args: usize, reporting: i32, place: i32, collapsed: i32, begin: usize, outEnd: usize): usize {
  const columns = <usize>load<u32>(args, 8);
  const lengths = <usize>load<u32>(args, 36);
  let at = begin;
  let state = reporting;
  while (state != 0) {
    const fields = fieldsOf(state, columns);
    const needle = load<i32>(fields, 4);
    if (needle >= 0 && load<i32>(lengths + (<usize>needle << 2)) > collapsed) {
      if (at >= outEnd) return outEnd + 4;
      store<i32>(at, (place << 17) | needle);
      at += 4;
    }
    state = load<i32>(fields, 8);
  }
  return at;
}
