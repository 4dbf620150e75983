// AssemblyScript, not part of the TypeScript build: scripts/generate/kernel.mjs compiles it. It only loads and stores
// in the shared memory that it imports and keeps nothing of its own, so any number of threads may run it at once,
// each on a scratch of its own. `automaton.ts` draws the table that it reads, `outputs.ts` what a needle is for,
// `regex/flank.ts` the flanks.
//
// Parameters, 32-bit words at `args`; addresses and offsets in bytes:
//
//     0 root      where all lanes but the first begin  60 roomEnd   where the room for notes ends
//     4 classes   class table, in survey of the beyond  84 beyond    left by survey
//    12 text      the units                            104 seen      a byte for each pattern: which of its gates the
//    16 length    units                                              text has, where the piece is all of it
//    20 notes     room for them; in survey for hits    108 epoch     16 bits, another one for each piece
//    24 laneBytes of each lane's room                  160 reports   the first state that reports
//    28 state     to begin in; on return, to go on in  164 isPaged   1: rows are paged
//    32 space     class of white space                 168 chunk     room for the states that eight lanes go through in a
//    36 needles   what is kept of each, 16 bytes                     chunk
//    48 outputs   the outputs                          172 reach     units at most that a needle has before its first one
//    52 edges     1: the text begins here, 2: it ends                beyond ASCII
//                 here                                 188 slots     a word for each needle: its number among those met in
//    56 rooms     for the hits of eight lanes, one                   the piece, and above it the epoch
//                 after the other                      192 met       how many they are, in eight bytes; then of each its
//                                                                    first output and the one after its last; when they
//                                                                    are sifted, where those lie that are kept
//                                                      244 kinds     kind of each symbol that may stand beside a needle
// of survey and settle alone:
//
//    72 groups    of digit runs: 16 bytes for each, its flanks before and after, or 0, its first output, and the one after its
//                 last; 76: where they end
//   144 start     flank after of the start of the text, or 0 where nothing asks of it; 148, 152: its first output, and after its last
//   156 starts    left by settle: where the hits of the start of the text end, in the room for hits
//   180 slack     units of white space in the piece that follow on others, or −1: not counted
//   184 links     four words for each pattern: where each of its gates stood last
//   196 kept      room for outputs that are kept
//   200 walkers   parameters of the search of each automaton: three, 0 for none
//   212 spacer    those of one that knows white space, or 0
//   216 settled   room for hits; 220: where it ends; 224: the first of them; 228: what stands behind the last note
//   240 patterns  how many there are
//
//    own use: 40 state of an open lane, 44 where the notes end, 88 budget of flanks, 112 next free place of each lane
//
// A note is two words: the place of a needle's last unit, and its number among those met. A hit is two words: such a place, and an
// output. Notes and hits are ordered by place, within one place as the plain walk finds them. Each function gives their number, or −1
// when they did not fit: then nothing that it left is of use.

/** In the word of a gate; see `outputs.ts`. */
const gateMask: i32 = 15;
const gatesMask: i32 = 0xf0;
const outputLengthMask: i32 = 0xffff;
const windowShift: i32 = 24;
const windowStepBits: i32 = 7;

/** Both edges of a text. */
const wholeText: i32 = 3;

/** Of a link: the place, and above it the epoch and whether it was noted from the end on. */
const linkShift: i32 = 15;
const linkMask: i32 = 0x7fff;
/** Behind the last note. */
const noPlace: i32 = i32.MAX_VALUE;
const noneAt: usize = 228;

/** In the form of a needle; see `automaton.ts`. */
const lengthMask: i32 = 0x3ff;
const beforeShift: i32 = 10;
const behindShift: i32 = 21;
const anyNeighbour: i32 = 0x7ff;

const endSymbol: i32 = 144;
const classCountAt: i32 = 145;
const rowsAt: usize = 146;
const flankUnitsMax: i32 = 32;
/**
 * Units that the flanks of one text may read in all, for each of its units; then they say "maybe". What they let pass costs more than
 * they do, so only a flood that is made for them comes so far.
 */
const flankBudget: i32 = 256;
/** Units that they may read besides where the text begins: all flanks that ask of it, as far as they look. */
const startBudget: i32 = 2048;

/** Of units beyond ASCII few are one in 64: so long is the way that is walked for each, in lanes of eight. */
const fewShift: i32 = 6;

/** Lanes, and units of each in a block of the greatest size; of a shorter text the lanes are shorter. */
const lanes: i32 = 8;
const laneUnitsMax: i32 = 512;
/** Units of each lane in a chunk: their states are kept until all lanes are through with it, four bytes each. */
const chunkUnits: i32 = 32;
const chunkBits: i32 = 7;
/** In a raw hit, above its place: the units since the border that its lane ran over. */
const collapsedShift: i32 = 16;
const placeMask: i32 = 0xffff;

/**
 * One walk waits for memory at each step, so the text is cut into blocks of eight segments and eight walks step in one
 * loop, their waits overlapping. All lanes but the first begin in the root; what crosses a border is found by running on.
 * A walk branches on nothing that it meets: it keeps the states that it goes through, and a look at many of them at once
 * tells which report. What that means is looked up afterwards, one after the other.
 */
export function search(args: usize): i32 {
  const length = load<i32>(args, 16);
  beginNotes(args);
  for (let from = 0; from < length; ) {
    const left = length - from;
    const laneUnits = left >= lanes * laneUnitsMax ? laneUnitsMax : left >> 3;
    // The last lane takes the up to seven units that eight equal segments leave over.
    const to = laneUnits < laneUnitsMax ? length : from + lanes * laneUnits;
    if (!searchBlock(args, from, laneUnits, to) || !expand(args, gather(args))) return -1;
    from = to;
  }
  return noteCount(args);
}

/**
 * What `search` finds where every needle has a unit beyond ASCII and the text has few of them: walks from where a needle
 * with the next one may begin up to where no needle that goes on holds it. In the end of a text that lies between two walks the state
 * is the root, whatever it would be after all of the text.
 */
export function searchAround(args: usize): i32 {
  const length = load<i32>(args, 16);
  const root = load<i32>(args, 0);
  const classes = <usize>load<u32>(args, 4);
  const text = <usize>load<u32>(args, 12);
  const space = load<i32>(args, 32);
  const isPaged = load<i32>(args, 164) != 0;
  beginNotes(args);
  store<u32>(laneOf(args, 0), roomOf(args, 0));
  let state = load<i32>(args, 28);
  let isOpen = state != root;
  let at = 0;
  let before = 0;
  while (at < length) {
    let last = at - 1;
    if (!isOpen) {
      last = nextBeyond(args, at);
      if (last == length) break;
      const start = backOver(args, last, load<i32>(args, 172), at);
      if (start > at) {
        state = root;
        before = 0;
        at = start;
      }
    }
    // Collapsed units since the last one beyond ASCII.
    let since = 0;
    isOpen = true;
    while (isOpen && at < length) {
      const unit = <i32>load<u16>(text + (<usize>at << 1));
      const now = <i32>load<u16>(classes + (<usize>unit << 1));
      if (!(now == space && before == space)) since++;
      if (unit > 127 && now != 0) since = 0;
      before = now;
      state = stepClass(state, now, isPaged);
      if (reports(args, state) && !note(args, state, at, 0)) return -1;
      isOpen = at < last || depthOf(state) > since;
      at++;
    }
  }
  store<i32>(args, isOpen ? state : root, 28);
  if (!expand(args, <usize>load<u32>(laneOf(args, 0)))) return -1;
  return noteCount(args);
}

@inline
function beginNotes(args: usize): void {
  store<u32>(args, load<u32>(args, 20), 44);
}

@inline
function noteCount(args: usize): i32 {
  return <i32>((load<u32>(args, 44) - load<u32>(args, 20)) >> 3);
}

/** Place of the first unit beyond ASCII from a place on that occurs in needles, or the length. */
function nextBeyond(args: usize, from: i32): i32 {
  const text = <usize>load<u32>(args, 12);
  const length = load<i32>(args, 16);
  const classes = <usize>load<u32>(args, 4);
  for (let i = from; i < length; i += 8) {
    let bits = beyondAscii(v128.load(text + (<usize>i << 1)));
    for (; bits != 0; bits &= bits - 1) {
      const place = i + ctz(bits);
      if (place >= length) return length;
      if (classAt(classes, text, place) != 0) return place;
    }
  }
  return length;
}

/** A bit for each of eight units. */
@inline
function beyondAscii(units: v128): i32 {
  return i16x8.bitmask(i16x8.gt_u(units, i16x8.splat(127)));
}

/** So many collapsed units before a place, but not before `limit`. */
function backOver(args: usize, place: i32, units: i32, limit: i32): i32 {
  const classes = <usize>load<u32>(args, 4);
  const text = <usize>load<u32>(args, 12);
  const space = load<i32>(args, 32);
  let at = place;
  for (let left = units; left > 0 && at > limit; left--) {
    at--;
    if (classAt(classes, text, at) == space) while (at > limit && classAt(classes, text, at - 1) == space) at--;
  }
  return at;
}

function searchBlock(args: usize, from: i32, laneUnits: i32, to: i32): bool {
  return load<i32>(args, 164) == 0
    ? walkBlock(args, from, laneUnits, to, false)
    : walkBlock(args, from, laneUnits, to, true);
}

@inline
function walkBlock(args: usize, from: i32, laneUnits: i32, to: i32, isPaged: bool): bool {
  const root = load<i32>(args, 0);
  const classes = <usize>load<u32>(args, 4);
  const states = <usize>load<u32>(args, 168);
  const textA = <usize>load<u32>(args, 12) + (<usize>from << 1);
  const bytes = <usize>laneUnits << 1;
  const textB = textA + bytes;
  const textC = textB + bytes;
  const textD = textC + bytes;
  const textE = textD + bytes;
  const textF = textE + bytes;
  const textG = textF + bytes;
  const textH = textG + bytes;
  let a = load<i32>(args, 28);
  let b = root;
  let c = root;
  let d = root;
  let e = root;
  let f = root;
  let g = root;
  let h = root;
  for (let lane = 0; lane < lanes; lane++) store<u32>(laneOf(args, lane), roomOf(args, lane));

  for (let unit = 0; unit < laneUnits; unit += chunkUnits) {
    const units = min(chunkUnits, laneUnits - unit);
    const end = <usize>(unit + units) << 1;
    let kept = states;
    for (let i = <usize>unit << 1; i < end; i += 2) {
      a = step(a, classes, textA + i, isPaged);
      b = step(b, classes, textB + i, isPaged);
      c = step(c, classes, textC + i, isPaged);
      d = step(d, classes, textD + i, isPaged);
      e = step(e, classes, textE + i, isPaged);
      f = step(f, classes, textF + i, isPaged);
      g = step(g, classes, textG + i, isPaged);
      h = step(h, classes, textH + i, isPaged);
      store<i32>(kept, a);
      store<i32>(kept, b, 1 << chunkBits);
      store<i32>(kept, c, 2 << chunkBits);
      store<i32>(kept, d, 3 << chunkBits);
      store<i32>(kept, e, 4 << chunkBits);
      store<i32>(kept, f, 5 << chunkBits);
      store<i32>(kept, g, 6 << chunkBits);
      store<i32>(kept, h, 7 << chunkBits);
      kept += 4;
    }
    for (let lane = 0; lane < lanes; lane++) noteChunk(args, lane, from + lane * laneUnits + unit, units);
  }
  for (let at = from + lanes * laneUnits; at < to; at++) {
    h = step(h, classes, textA + (<usize>(at - from) << 1), isPaged);
    if (reports(args, h) && !note(args, h, at, 7)) return false;
  }

  let last = h;
  for (let lane = 6; lane >= 0; lane--) {
    const state = lane == 0 ? a : lane == 1 ? b : lane == 2 ? c : lane == 3 ? d : lane == 4 ? e : lane == 5 ? f : g;
    if (!runOn(args, state, from + (lane + 1) * laneUnits, to, lane, isPaged)) return false;
    // A lane that is open at the end of the block holds a longer suffix than the lanes after it.
    const open = load<i32>(args, 40);
    if (open != 0) last = open;
  }
  store<i32>(args, last, 28);
  return true;
}

@inline
function laneOf(args: usize, lane: i32): usize {
  return args + 112 + (<usize>lane << 2);
}

@inline
function roomOf(args: usize, lane: i32): u32 {
  return load<u32>(args, 56) + <u32>lane * load<u32>(args, 24);
}

@inline
function reports(args: usize, state: i32): bool {
  return state >= load<i32>(args, 160);
}

@inline
function step(state: i32, classes: usize, unit: usize, isPaged: bool): i32 {
  return stepClass(state, <i32>load<u16>(classes + (<usize>load<u16>(unit) << 1)), isPaged);
}

/** Where a state goes: by its edge, or by its row. The address of the next state is chosen, so that nothing is guessed. */
@inline
function stepClass(state: i32, unitClass: i32, isPaged: bool): i32 {
  const row = load<i32>(<usize>state);
  const byRow = isPaged
    ? load<i32>(<usize>(row + ((unitClass >> 2) & ~3))) + ((unitClass & 15) << 2)
    : row + (unitClass << 2);
  const isEdge = <i32>load<u16>(<usize>state, 8) == unitClass;
  return load<i32>(<usize>select<i32>(state + 4, byRow, isEdge));
}

@inline
function depthOf(state: i32): i32 {
  return <i32>load<u16>(<usize>state, 10);
}

/**
 * Walks a lane past its border until its state began behind it, and reports only what began before it. `collapsed`
 * counts the units since the border, a run of white space as one. Leaves the state at `args + 40` when the limit
 * came first, else 0.
 */
function runOn(args: usize, from: i32, border: i32, limit: i32, lane: i32, isPaged: bool): bool {
  const classes = <usize>load<u32>(args, 4);
  const text = <usize>load<u32>(args, 12);
  const space = load<i32>(args, 32);
  let state = from;
  let collapsed = 0;
  let before = border > 0 ? classAt(classes, text, border - 1) : 0;
  let i = border;
  for (; i < limit; i++) {
    if (collapsed >= depthOf(state)) break;
    const now = classAt(classes, text, i);
    if (!(now == space && before == space)) collapsed++;
    before = now;
    state = stepClass(state, now, isPaged);
    if (reports(args, state) && !note(args, state, i | (collapsed << collapsedShift), lane)) return false;
  }
  const isOpen = i == limit && collapsed < depthOf(state);
  store<i32>(args, isOpen ? state : 0, 40);
  return true;
}

@inline
function classAt(classes: usize, text: usize, index: i32): i32 {
  return <i32>load<u16>(classes + (<usize>load<u16>(text + (<usize>index << 1)) << 1));
}

/** Notes which of the states that a lane went through in a chunk report. A lane has room for all its own units. */
function noteChunk(args: usize, lane: i32, place: i32, units: i32): void {
  const states = <usize>load<u32>(args, 168) + (<usize>lane << chunkBits);
  const last = i32x4.splat(load<i32>(args, 160) - 1);
  const known = <i32>(<u32>0xffffffff >> (chunkUnits - units));
  let bits = (reportBits(states, last) | (reportBits(states + 64, last) << 16)) & known;
  let at = <usize>load<u32>(laneOf(args, lane));
  for (; bits != 0; bits &= bits - 1) {
    const index = ctz(bits);
    store<i32>(at, place + index);
    store<i32>(at, load<i32>(states + (<usize>index << 2)), 4);
    at += 8;
  }
  store<u32>(laneOf(args, lane), <u32>at);
}

/** A bit for each of sixteen states: whether it lies behind `last`. */
@inline
function reportBits(states: usize, last: v128): i32 {
  const low = i16x8.narrow_i32x4_s(
    i32x4.gt_s(v128.load(states), last),
    i32x4.gt_s(v128.load(states, 16), last),
  );
  const high = i16x8.narrow_i32x4_s(
    i32x4.gt_s(v128.load(states, 32), last),
    i32x4.gt_s(v128.load(states, 48), last),
  );
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

/** A raw hit: the place, and the state that reports there. */
@inline
function note(args: usize, state: i32, place: i32, lane: i32): bool {
  const at = <usize>load<u32>(laneOf(args, lane));
  if (at >= <usize>roomOf(args, lane + 1)) return false;
  store<i32>(at, place);
  store<i32>(at, state, 4);
  store<u32>(laneOf(args, lane), <u32>(at + 8));
  return true;
}

/**
 * Notes which needles end at the raw hits, from the first room up to `end`; of what a lane ran on to, needles longer than what it
 * ran over. Needles that end in one place come longest first; those beside which something stands that leaves them without use are left
 * out. Each needle is counted among those of the piece when it is first met.
 */
function expand(args: usize, end: usize): bool {
  const needles = <usize>load<u32>(args, 36);
  const roomEnd = <usize>load<u32>(args, 60);
  const slots = <usize>load<u32>(args, 188);
  const met = <usize>load<u32>(args, 192);
  const epoch = load<u32>(args, 108);
  let count = load<i32>(met);
  const kinds = <usize>load<u32>(args, 244);
  let at = <usize>load<u32>(args, 44);
  for (let raw = <usize>roomOf(args, 0); raw < end; raw += 8) {
    const place = load<i32>(raw) & placeMask;
    const collapsed = load<i32>(raw) >>> collapsedShift;
    let needle = load<i32>(<usize>load<i32>(raw, 4), 12);
    const behind = neighbourAt(args, kinds, place + 1) << behindShift;
    while (needle >= 0) {
      const ofNeedle = needles + (<usize>needle << 4);
      const form = load<i32>(ofNeedle);
      const units = (form & lengthMask) >> 1;
      if (units <= collapsed) break;
      needle = load<i32>(ofNeedle, 4);
      if ((form & behind) == 0) continue;
      if ((form & 1) == 0 && ((form >>> beforeShift) & neighbourAt(args, kinds, place - units)) == 0) continue;
      if (at >= roomEnd) return false;
      const slot = slots + ((ofNeedle - needles) >> 2);
      let number = load<u32>(slot);
      if (number >>> 16 != epoch) {
        count++;
        number = (epoch << 16) | count;
        store<u32>(slot, number);
        store<i64>(met + (<usize>count << 3), load<i64>(ofNeedle, 8));
      }
      store<i32>(at, place);
      store<i32>(at, number & 0xffff, 4);
      at += 8;
    }
  }
  store<i32>(met, count);
  store<u32>(args, <u32>at, 44);
  return true;
}

/** A bit for the kind of what stands at a place; all where nobody knows. */
@inline
function neighbourAt(args: usize, kinds: usize, at: i32): i32 {
  const symbol = symbolAt(args, at);
  return symbol < 0 ? anyNeighbour : 1 << <i32>load<u8>(kinds + <usize>symbol);
}

/** Notes of all needles that were met which gates they are of. */
function seeAll(args: usize): void {
  const outputs = <usize>load<u32>(args, 48);
  const met = <usize>load<u32>(args, 192);
  const seen = <usize>load<u32>(args, 104);
  const end = met + ((<usize>load<u32>(met) + 1) << 3);
  memory.fill(seen, 0, <usize>load<u32>(args, 240));
  for (let at = met + 8; at < end; at += 8) {
    const recordEnd = outputs + (<usize>load<i32>(at, 4) << 4);
    for (let record = outputs + (<usize>load<i32>(at) << 4); record < recordEnd; record += 16) {
      const slot = seenOf(seen, record);
      store<u8>(slot, load<u8>(slot) | gateBit(record));
    }
  }
}

/** Keeps of each needle that was met the outputs that can be hits: in a whole text, those of patterns whose gates were all seen. */
function sift(args: usize): void {
  const outputs = <usize>load<u32>(args, 48);
  const met = <usize>load<u32>(args, 192);
  const seen = <usize>load<u32>(args, 104);
  const end = met + ((<usize>load<u32>(met) + 1) << 3);
  const isPart = load<i32>(args, 52) != wholeText;
  let kept = <usize>load<u32>(args, 196);
  for (let at = met + 8; at < end; at += 8) {
    const outputEnd = load<i32>(at, 4);
    const first = kept;
    for (let output = load<i32>(at); output < outputEnd; output++) {
      const record = outputs + (<usize>output << 4);
      const gates = (load<i32>(record, 4) & gatesMask) >> 4;
      store<i32>(kept, output);
      kept += <usize>(isPart || gates == 0 || <i32>load<u8>(seenOf(seen, record)) == gates) << 2;
    }
    store<u32>(at, <u32>first);
    store<u32>(at, <u32>kept, 4);
  }
}

/**
 * Outputs of the start of the text, as far as flanks allow; in a whole text, where all other gates of their patterns were met. Gives
 * where they end in the room for hits, or 0 when they do not fit.
 */
function reportStart(args: usize): usize {
  const outputs = <usize>load<u32>(args, 48);
  const edges = load<i32>(args, 52);
  const seen = <usize>load<u32>(args, 104);
  const settledEnd = <usize>load<u32>(args, 220);
  const ofGroup = load<u32>(args, 144);
  let to = <usize>load<u32>(args, 216);
  if (ofGroup == 0 || (edges & 1) == 0 || !passes(args, ofGroup, 0, 1)) return to;
  const last = load<i32>(args, 152);
  for (let output = load<i32>(args, 148); output < last; output++) {
    const record = outputs + (<usize>output << 4);
    const gates = (load<i32>(record, 4) & gatesMask) >> 4;
    const slot = seenOf(seen, record);
    if (gates != 0 && edges == wholeText && <i32>load<u8>(slot) != (gates & ~gateBit(record))) continue;
    const after = load<u32>(record, 12);
    if (after != 0 && !passes(args, <usize>after, 0, 1)) continue;
    if (gates != 0) {
      store<u8>(slot, load<u8>(slot) | gateBit(record));
      store<i32>(linkOf(args, record), load<i32>(args, 108) << (linkShift + 1));
    }
    if (to >= settledEnd) return 0;
    store<i32>(to, 0);
    store<i32>(to, output, 4);
    to += 8;
  }
  return to;
}

@inline
function passesBoth(args: usize, record: usize, place: i32): bool {
  const after = load<u32>(record, 12);
  if (after != 0 && !passes(args, <usize>after, place + 1, 1)) return false;
  const before = load<u32>(record, 8);
  return before == 0 || passes(args, <usize>before, startOf(args, place, (load<i32>(record, 4) >> 8) & outputLengthMask) - 1, -1);
}

/** What was seen of the gates of a record's pattern. */
@inline
function seenOf(seen: usize, record: usize): usize {
  return seen + <usize>load<u32>(record);
}

/** The bit of a record's gate. */
@inline
function gateBit(record: usize): i32 {
  return 1 << (load<i32>(record, 4) & gateMask);
}

/**
 * What remains of the needles that the searches of a piece have noted: outputs whose flanks allow it and whose pattern's other
 * gates stand near enough for a match. Gives the number of hits, of which the first lies at `args + 224`, or −1 when they do not
 * fit. The plain twin is `NearGates`.
 */
export function settle(args: usize): i32 {
  store<i32>(args, load<i32>(args, 16) * flankBudget + startBudget, 88);
  store<i32>(args, -1, 180);
  if (load<i32>(args, 52) == wholeText) seeAll(args);
  const starts = reportStart(args);
  if (starts == 0) return -1;
  sift(args);
  store<u32>(args, <u32>starts, 156);
  const end = linkOn(args);
  return end == 0 ? -1 : linkBack(args, end);
}

/**
 * Goes through the notes of all automata by place and writes the outputs that are kept: those that are alone where their flanks allow
 * it; of all others the complements, unless they ask for a gate before them and stand too far behind the last one. Each of these
 * is a link for those behind it. Gives where they end, or 0.
 */
function linkOn(args: usize): usize {
  const outputs = <usize>load<u32>(args, 48);
  const settledEnd = <usize>load<u32>(args, 220);
  const met = <usize>load<u32>(args, 192);
  const isStart = (load<i32>(args, 52) & 1) != 0;
  const tag = load<i32>(args, 108) << 1;
  let to = <usize>load<u32>(args, 156);
  let a = notesOf(args, 0);
  let b = notesOf(args, 1);
  let c = notesOf(args, 2);
  while (true) {
    const atA = load<i32>(a);
    const atB = load<i32>(b);
    const atC = load<i32>(c);
    const place = min(atA, min(atB, atC));
    if (place == noPlace) return to;
    let note = a;
    if (place == atA) a += 8;
    else if (place == atB) {
      note = b;
      b += 8;
    } else {
      note = c;
      c += 8;
    }
    const ofNeedle = met + (<usize>load<u32>(note, 4) << 3);
    const end = <usize>load<u32>(ofNeedle, 4);
    for (let kept = <usize>load<u32>(ofNeedle); kept < end; kept += 4) {
      const output = load<i32>(kept);
      const record = outputs + (<usize>output << 4);
      const gateWord = load<i32>(record, 4);
      const isAlone = (gateWord & gatesMask) == 0;
      if (isAlone) {
        if (!passesBoth(args, record, place)) continue;
      } else {
        const link = linkOf(args, record);
        const isFirst = (gateWord & gateMask) == 0;
        const edge = isStart ? i32.MAX_VALUE : place + 1;
        if (!isFirst && !isNear(args, record, min(edge, unitsTo(load<i32>(link - 4), tag, place)))) continue;
        store<i32>(link, (tag << linkShift) | place);
      }
      if (to >= settledEnd) return 0;
      store<i32>(to, place);
      store<i32>(to, isAlone ? output : ~output, 4);
      to += 8;
    }
  }
}

/** The first note of an automaton; a last one, whose place is none, is put behind them. */
@inline
function notesOf(args: usize, index: usize): usize {
  const ofWalker = <usize>load<u32>(args + (index << 2), 200);
  if (ofWalker == 0) {
    store<i32>(args, noPlace, noneAt);
    return args + noneAt;
  }
  store<i32>(<usize>load<u32>(ofWalker, 44), noPlace);
  return <usize>load<u32>(ofWalker, 20);
}

/** The same for gates behind, from the end; and of what then remains flanks are asked. Gives the number of hits. */
function linkBack(args: usize, end: usize): i32 {
  const outputs = <usize>load<u32>(args, 48);
  const isEnd = (load<i32>(args, 52) & 2) != 0;
  const tag = (load<i32>(args, 108) << 1) | 1;
  const length = load<i32>(args, 16);
  const begin = <usize>load<u32>(args, 156);
  let to = end;
  for (let at = end; at > begin; ) {
    at -= 8;
    const place = load<i32>(at);
    let output = load<i32>(at, 4);
    if (output < 0) {
      output = ~output;
      const record = outputs + (<usize>output << 4);
      const link = linkOf(args, record);
      const gateWord = load<i32>(record, 4);
      const isLast = (gateWord & gatesMask) >> 4 >> ((gateWord & gateMask) + 1) == 0;
      const edge = isEnd ? i32.MAX_VALUE : length - place;
      if (!isLast && !isNear(args, record, min(edge, unitsTo(load<i32>(link, 4), tag, place)))) continue;
      if (!passesBoth(args, record, place)) continue;
      store<i32>(link, (tag << linkShift) | place);
    }
    to -= 8;
    store<i32>(to, place);
    store<i32>(to, output, 4);
  }
  store<u32>(args, <u32>to, 224);
  return <i32>((end - to) >> 3);
}

/** Where it is noted where a gate of a pattern stood last. */
@inline
function linkOf(args: usize, record: usize): usize {
  return <usize>load<u32>(args, 184) + (<usize>load<u32>(record) << 4) + (<usize>(load<i32>(record, 4) & gateMask) << 2);
}

/** How far a link is from a place, if it was noted with a tag. */
@inline
function unitsTo(link: i32, tag: i32, place: i32): i32 {
  return link >>> linkShift == tag ? abs<i32>(place - (link & linkMask)) : i32.MAX_VALUE;
}

/** True where two gates of a pattern may stand so far apart in a match. */
@inline
function isNear(args: usize, record: usize, distance: i32): bool {
  const units = load<i32>(record, 4) >>> windowShift << windowStepBits;
  return distance <= units || (distance != i32.MAX_VALUE && (units == 0 || distance - units <= slackOf(args)));
}

/** Repeated white space of the piece; counted when first asked for. */
function slackOf(args: usize): i32 {
  let slack = load<i32>(args, 180);
  if (slack < 0) {
    const spacer = <usize>load<u32>(args, 212);
    slack = spacer == 0 ? load<i32>(args, 16) : repeatedSpace(spacer);
    store<i32>(args, slack, 180);
  }
  return slack;
}

/** First unit of the needle whose last one is at `place`; may lie before the piece. */
function startOf(args: usize, place: i32, length: i32): i32 {
  const units = length >> 1;
  return (length & 1) == 0 ? place + 1 - units : backOver(<usize>load<u32>(args, 212), place + 1, units, 0);
}

/**
 * Looks the text over: whether it has units beyond ASCII that occur in needles, which it leaves at `args + 84` (0 none, 1 few, 2 more);
 * and where runs of digits begin, which it gives to the outputs that ask for them, as far as flanks allow.
 * Sixteen units are looked at in one step, so a text without digits costs next to nothing. Hits and result are as of
 * `search`.
 */
export function survey(args: usize): i32 {
  const text = <usize>load<u32>(args, 12);
  const length = load<i32>(args, 16);
  const out = <usize>load<u32>(args, 20);
  const end = <usize>load<u32>(args, 60);
  const groups = <usize>load<u32>(args, 72);
  const groupsEnd = <usize>load<u32>(args, 76);
  store<i32>(args, length * flankBudget, 88);
  store<i32>(<usize>load<u32>(args, 192), 0);
  const zero = i8x16.splat(48);
  const nine = i8x16.splat(9);
  const ascii = i16x8.splat(<i16>0xff80);
  let at = out;
  const classes = <usize>load<u32>(args, 4);
  const few = length >> fewShift;
  // Without a table there is nothing to be found.
  let beyond = classes == 0 ? few + 1 : 0;
  let carry = 0;
  for (let i = 0; i < length; i += 16) {
    const first = v128.load(text + (<usize>i << 1));
    const second = v128.load(text + (<usize>i << 1), 16);
    // What stood behind the text in the memory is another one's.
    const known = i + 16 <= length ? 0xffff : (1 << (length - i)) - 1;
    if (beyond <= few && v128.any_true(v128.and(v128.or(first, second), ascii))) {
      let foreign = (beyondAscii(first) | (beyondAscii(second) << 8)) & known;
      for (; foreign != 0; foreign &= foreign - 1) {
        if (classAt(classes, text, i + ctz(foreign)) != 0) beyond++;
      }
    }
    if (groups == groupsEnd) {
      if (beyond > few) break;
      continue;
    }
    // Units from U+8000 on become 0, others beyond ASCII 255.
    const bits = i8x16.bitmask(i8x16.le_u(i8x16.sub(i8x16.narrow_i16x8_u(first, second), zero), nine)) & known;
    let starts = bits & ~((bits << 1) | carry);
    carry = bits >> 15;
    for (; starts != 0; starts &= starts - 1) {
      const place = i + ctz(starts);
      for (let group = groups; group < groupsEnd; group += 16) {
        if (!passesFlanks(args, group, place)) continue;
        at = reportDigits(args, group, place, at, end);
        if (at > end) return -1;
      }
    }
  }
  store<i32>(args, beyond == 0 ? 0 : beyond <= few ? 1 : 2, 84);
  return <i32>((at - out) >> 3);
}

/** Units of white space that follow on others. */
export function repeatedSpace(args: usize): i32 {
  const classes = <usize>load<u32>(args, 4);
  const text = <usize>load<u32>(args, 12);
  const length = load<i32>(args, 16);
  const space = load<i32>(args, 32);
  const blankUnit = i16x8.splat(32);
  const tab = i16x8.splat(9);
  const controls = i16x8.splat(4);
  let count = 0;
  let carry = 0;
  for (let i = 0; i < length; i += 8) {
    const units = v128.load(text + (<usize>i << 1));
    const known = i + 8 <= length ? 0xff : (1 << (length - i)) - 1;
    // Tab, line feed, vertical tab, form feed and carriage return follow each other.
    const isControl = i16x8.le_u(i16x8.sub(units, tab), controls);
    let bits = i16x8.bitmask(v128.or(i16x8.eq(units, blankUnit), isControl));
    let foreign = beyondAscii(units);
    for (; foreign != 0; foreign &= foreign - 1) {
      if (classAt(classes, text, i + ctz(foreign)) == space) bits |= foreign & -foreign;
    }
    bits &= known;
    count += popcnt(bits & ((bits << 1) | carry));
    carry = bits >> 7;
  }
  return count;
}

/** True if the flanks before and after, two words at an address, pass at the first digit of a number. */
@inline
function passesFlanks(args: usize, flanks: usize, place: i32): bool {
  const before = load<u32>(flanks);
  if (before != 0 && !passes(args, <usize>before, place - 1, -1)) return false;
  const after = load<u32>(flanks, 4);
  return after == 0 || passes(args, <usize>after, place, 1);
}

/** Writes the outputs of one group of digit runs; gives an address past `end` when there is no room. */
function reportDigits(args: usize, group: usize, place: i32, begin: usize, end: usize): usize {
  const outputs = <usize>load<u32>(args, 48);
  const last = load<i32>(group, 12);
  let at = begin;
  for (let output = load<i32>(group, 8); output < last; output++) {
    if (!passesFlanks(args, outputs + (<usize>output << 4) + 8, place)) continue;
    if (at >= end) return end + 8;
    store<i32>(at, place);
    store<i32>(at, output, 4);
    at += 8;
  }
  return at;
}

/**
 * Runs a flank from a place on; past the edge of a piece that is not the text's it knows nothing. Of three flanks two are through after
 * the first unit, so that one is looked at where the flank is asked.
 */
@inline
function passes(args: usize, flank: usize, from: i32, direction: i32): bool {
  if (load<i32>(args, 88) <= 0) return true;
  const symbol = symbolAt(args, from);
  if (symbol < 0) return true;
  // The row of the first state, 2.
  const state = <i32>load<u8>(flank + <usize>load<u8>(flank + <usize>symbol), rowsAt);
  return state <= 1 ? state != 0 : passesOn(args, flank, state, from + direction, direction);
}

/** From the second unit on. */
function passesOn(args: usize, flank: usize, from: i32, second: i32, direction: i32): bool {
  const classCount = <i32>load<u8>(flank, classCountAt);
  const rows = flank + rowsAt - 2 * classCount;
  let state = from;
  let at = second;
  let left = flankUnitsMax - 1;
  for (; left > 0; left--) {
    const symbol = symbolAt(args, at);
    if (symbol < 0) break;
    state = <i32>load<u8>(rows + state * classCount + <i32>load<u8>(flank + <usize>symbol));
    if (state <= 1) break;
    at += direction;
  }
  store<i32>(args, load<i32>(args, 88) - flankUnitsMax + left, 88);
  return state != 0;
}

/** What flanks read at a place: a unit, the end of the text, or −1 where nobody knows. */
@inline
function symbolAt(args: usize, at: i32): i32 {
  if (at >= 0 && at < load<i32>(args, 16)) {
    const unit = <i32>load<u16>(<usize>load<u32>(args, 12) + (<usize>at << 1));
    return unit < 128 ? unit : 128 + (unit & 15);
  }
  return (load<i32>(args, 52) & (at < 0 ? 1 : 2)) == 0 ? -1 : endSymbol;
}

/**
 * Puts the lanes' raw hits one behind the other, from the first room on, and gives where they end. Each lane's are in
 * order, but what ran on lies among the next lanes' first ones.
 */
function gather(args: usize): usize {
  const begin = <usize>roomOf(args, 0);
  let at = begin;
  for (let lane = 0; lane < lanes; lane++) {
    const from = <usize>roomOf(args, lane);
    const size = <usize>load<u32>(laneOf(args, lane)) - from;
    if (size == 0) continue;
    memory.copy(at, from, size);
    const end = at + size;
    for (; at < end; at += 8) {
      const word = load<i32>(at);
      const place = word & placeMask;
      if (at == begin || (load<i32>(at - 8) & placeMask) <= place) break;
      const state = load<i32>(at, 4);
      let hole = at;
      for (; hole > begin && (load<i32>(hole - 8) & placeMask) > place; hole -= 8) {
        store<i64>(hole, load<i64>(hole - 8));
      }
      store<i32>(hole, word);
      store<i32>(hole, state, 4);
    }
    at = end;
  }
  return at;
}
