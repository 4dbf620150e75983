// AssemblyScript, not part of the TypeScript build: scripts/generate/kernel.mjs compiles it. It only loads and stores
// in the shared memory that it imports and keeps nothing of its own, so any number of threads may run it at once,
// each on a scratch of its own. `automaton.ts` draws the table that it reads, `outputs.ts` what a needle is for,
// `regex/flank.ts` the flanks.
//
// Parameters, 32-bit words at `args`; addresses and offsets in bytes:
//
//     0 root      where all lanes but the first begin 48 outputs  the outputs
//     4 classes   class table, in survey of the beyond 52 edges    1: the text begins here, 2: it ends here
//    12 text      the units                           56 rooms    for the hits of eight lanes, one after the other
//    16 length    units                               60 outEnd   where the room for hits ends
//    20 out       room for hits                       84 beyond   left by survey
//    24 laneBytes of each lane's room                104 seen     a word for each pattern: the epoch << 4, and in its lowest
//    28 state     to begin in; on return, to go on in              bits the gates seen since it began
//    32 space     class of white space               108 epoch    16 bits, another one for each piece
//    36 needles   what is kept of each, 16 bytes
//    72 digits    flank of the group that asks of what comes after, or 0; 76, 80: its first output, and after its last
//    92 digits    the same of the group that asks of what stands before; 96, 100
//   144 start     the same of the group that asks of the start of the text; 148, 152
//   156 starts    hits of the start of the text, left by survey
//   160 reports   the first state that reports
//   164 isPaged   1: rows are paged
//   168 chunk     room for the states that eight lanes go through in a chunk
//   172 reach     units at most that a needle has before its first one beyond ASCII
//   176 sector    log2 of the units of a sector: at most sixteen make up the piece; 0 where the text is one piece
//   180 slack     units of white space in the piece that follow on others
//   184 far       where there are sectors, instead of `seen`: for each pattern eight bytes, the epoch and, for each of up to
//                 three gates, a bit for each sector that it was seen in
//    own use: 40 state of an open lane, 44 next free place of `out`, 88 budget of flanks, 112 next free place of each lane
//
// A hit is two words: the place of the last unit, and the output; as long as it is not settled, the output's complement.
// Gives the number of hits, ordered by place and within one place as the plain walk finds them, or −1 when they did not
// fit: then nothing that it left is of use.

/** In the word of a gate; see `outputs.ts`. */
const gatesMask: i32 = 0xf0;
const thirdGate: i32 = 0x40;
const lengthMask: i32 = 0xffff;
const windowShift: i32 = 24;
const windowStepBits: i32 = 7;

const sectors: i32 = 16;
const sectorsMask: i32 = 0xffff;

const endSymbol: i32 = 144;
const classCountAt: i32 = 145;
const rowsAt: i32 = 146;
const flankUnitsMax: i32 = 32;
/** Units that the flanks of one text may read in all, for each of its units; then they say "maybe". */
const flankBudget: i32 = 8;
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
  beginHits(args);
  for (let from = 0; from < length; ) {
    const left = length - from;
    const laneUnits = left >= lanes * laneUnitsMax ? laneUnitsMax : left >> 3;
    // The last lane takes the up to seven units that eight equal segments leave over.
    const to = laneUnits < laneUnitsMax ? length : from + lanes * laneUnits;
    if (!searchBlock(args, from, laneUnits, to) || !expand(args, gather(args))) return -1;
    from = to;
  }
  return hitCount(args);
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
  beginHits(args);
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
  return hitCount(args);
}

@inline
function beginHits(args: usize): void {
  store<i32>(args, load<i32>(args, 16) * flankBudget, 88);
  store<u32>(args, load<u32>(args, 20), 44);
}

@inline
function hitCount(args: usize): i32 {
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
 * Writes the outputs of the needles that end at the raw hits, from the first room up to `end`: as flanks allow, or to be
 * settled. Of what a lane ran on to, needles longer than what it ran over; needles that end in one place come longest first.
 */
function expand(args: usize, end: usize): bool {
  const needles = <usize>load<u32>(args, 36);
  const outputs = <usize>load<u32>(args, 48);
  const outEnd = <usize>load<u32>(args, 60);
  let at = <usize>load<u32>(args, 44);
  for (let raw = <usize>roomOf(args, 0); raw < end; raw += 8) {
    const place = load<i32>(raw) & placeMask;
    const collapsed = load<i32>(raw) >>> collapsedShift;
    let needle = load<i32>(<usize>load<i32>(raw, 4), 12);
    while (needle >= 0) {
      const ofNeedle = needles + (<usize>needle << 4);
      if (load<i32>(ofNeedle) >> 1 <= collapsed) break;
      needle = load<i32>(ofNeedle, 4);
      const outputEnd = load<i32>(ofNeedle, 12);
      for (let output = load<i32>(ofNeedle, 8); output < outputEnd; output++) {
        const record = outputs + (<usize>output << 4);
        const isAlone = (load<i32>(record, 4) & gatesMask) == 0;
        if (!isAlone) see(args, record, place);
        else if (!passesBoth(args, record, place)) continue;
        if (at >= outEnd) return false;
        store<i32>(at, place);
        store<i32>(at, isAlone ? output : ~output, 4);
        at += 8;
      }
    }
  }
  store<u32>(args, <u32>at, 44);
  return true;
}

@inline
function passesBoth(args: usize, record: usize, place: i32): bool {
  const after = load<u32>(record, 12);
  if (after != 0 && !passes(args, <usize>after, place + 1, 1)) return false;
  const before = load<u32>(record, 8);
  return before == 0 || passes(args, <usize>before, startOf(args, place, (load<i32>(record, 4) >> 8) & lengthMask) - 1, -1);
}

/** Notes that a gate of a pattern occurs. */
@inline
function see(args: usize, record: usize, place: i32): void {
  const sectorBits = load<i32>(args, 176);
  const gate = load<i32>(record, 4) & 15;
  if (sectorBits != 0) {
    seeFar(args, record, gate, place >> sectorBits);
    return;
  }
  const slot = <usize>load<u32>(args, 104) + (<usize>load<u32>(record) << 2);
  const epoch = load<i32>(args, 108) << 4;
  const seen = load<i32>(slot);
  const now = (seen ^ epoch) & ~15 ? epoch : seen;
  store<i32>(slot, now | (1 << gate));
}

function seeFar(args: usize, record: usize, gate: i32, sector: i32): void {
  const slot = <usize>load<u32>(args, 184) + (<usize>load<u32>(record) << 3);
  const epoch = <i64>load<i32>(args, 108);
  const seen = load<i64>(slot);
  const now = (seen & sectorsMask) != epoch ? epoch : seen;
  store<i64>(slot, now | (<i64>1 << <i64>(sectors * (gate + 1) + sector)));
}

/** True where every other gate of the record's pattern may stand near enough to a place for one match. */
@inline
function mayHaveNeighbours(args: usize, record: usize, place: i32): bool {
  if (load<i32>(args, 176) != 0) return mayHaveFar(args, record, place);
  const gates = (load<i32>(record, 4) & gatesMask) >> 4;
  const seen = load<i32>(<usize>load<u32>(args, 104) + (<usize>load<u32>(record) << 2));
  return seen == ((load<i32>(args, 108) << 4) | gates);
}

/**
 * The same where there are sectors: gates that come first in a match are looked for in those before the place, the others in those
 * behind it. What lies beyond the piece may hold any.
 */
function mayHaveFar(args: usize, record: usize, place: i32): bool {
  const seen = load<i64>(<usize>load<u32>(args, 184) + (<usize>load<u32>(record) << 3));
  const gateWord = load<i32>(record, 4);
  const edges = load<i32>(args, 52);
  const sector = place >> load<i32>(args, 176);
  const length = load<i32>(args, 16);
  const steps = gateWord >>> windowShift;
  // A pattern without bounds reaches everywhere.
  const units = steps == 0 ? length : (steps << windowStepBits) + load<i32>(args, 180);
  const reach = min(sectors, (units >> load<i32>(args, 176)) + 1);
  const isOpenBefore = place < units && (edges & 1) == 0;
  const isOpenAfter = place + units >= length && (edges & 2) == 0;
  const before = isOpenBefore ? -1 : ((2 << sector) - 1) & ~((1 << max(0, sector - reach)) - 1);
  const after = isOpenAfter ? -1 : ((2 << min(sectors - 1, sector + reach)) - 1) & ~((1 << sector) - 1);
  const own = gateWord & 15;
  const first = own == 0 ? -1 : before;
  const second = own == 1 ? -1 : own == 0 ? after : before;
  const third = own == 2 ? -1 : after;
  return (
    holds(<i32>(seen >> 16), first) &&
    holds(<i32>(seen >> 32), second) &&
    ((gateWord & thirdGate) == 0 || holds(<i32>(seen >>> 48), third))
  );
}

/** Whether a gate was seen in one of the sectors; −1 for those of which not all are known. */
@inline
function holds(seen: i32, wanted: i32): bool {
  return wanted == -1 || (seen & wanted & sectorsMask) != 0;
}

/**
 * Settles the hits of a search: what asks for other gates of its pattern waited until the whole piece was seen. Where one of
 * them does not occur nearby the hit is dropped without a look at its flanks, which is what happens to most. Gives the number
 * of hits that stay.
 */
export function settle(args: usize, count: i32): i32 {
  const outputs = <usize>load<u32>(args, 48);
  const out = <usize>load<u32>(args, 20);
  const end = out + (<usize>count << 3);
  let to = out;
  for (let at = out; at < end; at += 8) {
    const place = load<i32>(at);
    let output = load<i32>(at, 4);
    if (output < 0) {
      output = ~output;
      const record = outputs + (<usize>output << 4);
      if (!mayHaveNeighbours(args, record, place)) continue;
      if (!passesBoth(args, record, place)) continue;
    }
    store<i32>(to, place);
    store<i32>(to, output, 4);
    to += 8;
  }
  return <i32>((to - out) >> 3);
}

/** First unit of the needle whose last one is at `place`; may lie before the piece. */
function startOf(args: usize, place: i32, length: i32): i32 {
  const units = length >> 1;
  return (length & 1) == 0 ? place + 1 - units : backOver(args, place + 1, units, 0);
}

/**
 * Looks the text over: its start, for the outputs that ask for it; whether it has units beyond ASCII that occur in
 * needles, which it leaves at `args + 84` (0 none, 1 few, 2 more); and where runs of digits begin, which it gives to the outputs that ask for them, as far as flanks allow.
 * Eight units are looked at in one step, so a text without digits costs next to nothing. Hits and result are as of
 * `search`, those of the start first.
 */
export function survey(args: usize): i32 {
  const text = <usize>load<u32>(args, 12);
  const length = load<i32>(args, 16);
  const out = <usize>load<u32>(args, 20);
  const end = <usize>load<u32>(args, 60);
  const anyAfter = <usize>load<u32>(args, 72);
  const anyBefore = <usize>load<u32>(args, 92);
  store<i32>(args, length * flankBudget + startBudget, 88);
  const zero = i16x8.splat(48);
  const nine = i16x8.splat(9);
  let at = out;
  const atStart = load<u32>(args, 144);
  if (atStart != 0 && (load<i32>(args, 52) & 1) != 0 && passes(args, atStart, 0, 1)) {
    at = reportGroup(args, 148, 0, at, end);
    if (at > end) return -1;
  }
  store<i32>(args, <i32>((at - out) >> 3), 156);
  const classes = <usize>load<u32>(args, 4);
  const few = length >> fewShift;
  // Without a table there is nothing to be found.
  let beyond = classes == 0 ? few + 1 : 0;
  let carry = 0;
  for (let i = 0; i < length; i += 8) {
    let units = v128.load(text + (<usize>i << 1));
    if (i + 8 > length) units = blank(units, length - i);
    if (beyond <= few) {
      let foreign = beyondAscii(units);
      for (; foreign != 0; foreign &= foreign - 1) {
        if (classAt(classes, text, i + ctz(foreign)) != 0) beyond++;
      }
    }
    if ((anyAfter | anyBefore) == 0) {
      if (beyond > few) break;
      continue;
    }
    const bits = i16x8.bitmask(i16x8.le_u(i16x8.sub(units, zero), nine));
    let starts = bits & ~((bits << 1) | carry);
    carry = (bits >> 7) & 1;
    for (; starts != 0; starts &= starts - 1) {
      const place = i + ctz(starts);
      if (anyAfter != 0 && passes(args, anyAfter, place, 1)) at = reportGroup(args, 76, place, at, end);
      if (anyBefore != 0 && passes(args, anyBefore, place - 1, -1)) at = reportGroup(args, 96, place, at, end);
      if (at > end) return -1;
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
    let units = v128.load(text + (<usize>i << 1));
    if (i + 8 > length) units = blank(units, length - i);
    // Tab, line feed, vertical tab, form feed and carriage return follow each other.
    const isControl = i16x8.le_u(i16x8.sub(units, tab), controls);
    let bits = i16x8.bitmask(v128.or(i16x8.eq(units, blankUnit), isControl));
    let foreign = beyondAscii(units);
    for (; foreign != 0; foreign &= foreign - 1) {
      if (classAt(classes, text, i + ctz(foreign)) == space) bits |= foreign & -foreign;
    }
    count += popcnt(bits & ((bits << 1) | carry));
    carry = bits >> 7;
  }
  return count;
}

/** Writes the outputs of one group; gives an address past `end` when there is no room. */
function reportGroup(args: usize, group: usize, place: i32, begin: usize, end: usize): usize {
  const outputs = <usize>load<u32>(args, 48);
  const last = load<i32>(args + group, 4);
  let at = begin;
  for (let output = load<i32>(args + group); output < last; output++) {
    const record = outputs + (<usize>output << 4);
    const before = load<u32>(record, 8);
    if (before != 0 && !passes(args, <usize>before, place - 1, -1)) continue;
    const after = load<u32>(record, 12);
    if (after != 0 && !passes(args, <usize>after, place, 1)) continue;
    if ((load<i32>(record, 4) & gatesMask) != 0) see(args, record, place);
    if (at >= end) return end + 8;
    store<i32>(at, place);
    store<i32>(at, output, 4);
    at += 8;
  }
  return at;
}

/** The first `kept` units; what stood behind them in the memory is another text's. */
function blank(units: v128, kept: i32): v128 {
  let clean = units;
  if (kept <= 1) clean = i16x8.replace_lane(clean, 1, 0);
  if (kept <= 2) clean = i16x8.replace_lane(clean, 2, 0);
  if (kept <= 3) clean = i16x8.replace_lane(clean, 3, 0);
  if (kept <= 4) clean = i16x8.replace_lane(clean, 4, 0);
  if (kept <= 5) clean = i16x8.replace_lane(clean, 5, 0);
  if (kept <= 6) clean = i16x8.replace_lane(clean, 6, 0);
  return i16x8.replace_lane(clean, 7, 0);
}

/** Runs a flank from a place on; past the edge of a piece that is not the text's it knows nothing. */
function passes(args: usize, flank: usize, from: i32, direction: i32): bool {
  const text = <usize>load<u32>(args, 12);
  const length = load<i32>(args, 16);
  const classCount = <i32>load<u8>(flank, classCountAt);
  const rows = flank + rowsAt - 2 * classCount;
  const budget = load<i32>(args, 88);
  if (budget <= 0) return true;
  let state: i32 = 2;
  let at = from;
  let left = flankUnitsMax;
  for (; left > 0; left--) {
    let symbol = endSymbol;
    if (at >= 0 && at < length) {
      const unit = <i32>load<u16>(text + (<usize>at << 1));
      symbol = unit < 128 ? unit : 128 + (unit & 15);
    } else if ((load<i32>(args, 52) & (at < 0 ? 1 : 2)) == 0) break;
    state = <i32>load<u8>(rows + state * classCount + <i32>load<u8>(flank + symbol));
    if (state <= 1) break;
    at += direction;
  }
  store<i32>(args, budget - flankUnitsMax + left, 88);
  return state != 0;
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
