// AssemblyScript, not part of the TypeScript build: scripts/generate/kernel.mjs compiles it. It only loads and stores in
// the shared memory that it imports; each thread runs it on a scratch of its own. What it reckons is told in
// `plain-scorer.ts`, its twin: tokens.ts (words), features.ts (hashes), model.ts (the table).
//
// The scratch at `args`, 32-bit words unless said otherwise; addresses and offsets in bytes:
//
//       0 units     the unit table             32 block     number of the block that is being filled
//       4 tags      of the model               36 done      blocks of the text before it
//       8 entries   of the model               40 count     its tokens so far
//      12 mask      buckets − 1                44 tokens    of the text before it
//      16 stamps    of the slots, 16 bits each 48 base      units of the text before this piece
//      20 slots                                52 hash      of the word that is open
//      24 heads                                56 start     its first unit, or −1
//      28 text      the piece, room for 64     60 letters   kinds of its units, all of them or-ed
//                   units behind it            64 lastEnd   unit behind the last token
//     584 kinds     of its units, 8 bits each  68 classes   class words kept
//     588 starts    of its tokens, 16 bits     596 power    for the next unit of the open word
//     592 ends      each
//
//      72 class words, newest first: class and token, in pairs
//     128 heads: bias, twice the scale (f64)
//     192 best windows: sum (f64), first unit, unit behind it
//     256 blocks, by the low bits of their numbers: four sums of weights, sum of squares, first unit
//     512 hashes of the block's tokens, the two before it first
//     640 hashes of its n-grams, tagged: of one token, of two, of three
//     832 n-grams that their buckets hold: slots that agree, number of the n-gram
//    1028 n-grams whose buckets are full without them
//    1280 powers of the multiplier of words; 1344 sixteen bytes 10, sixteen 0; 1376 thirty-two bytes 255, thirty-two 0
//    1440 class words of the block: token, n-gram, class
//
// The stamp of a slot is the last block in which its feature occurred, and the block's sums hold it; when it occurs again
// it moves. So six blocks together hold the features that are present in them, each once. Block numbers grow from text to
// text, and no stamp has to be cleared until they would pass 16 bits; then all go down together.

const classesAt: usize = 72;
const headsAt: usize = 128;
const bestAt: usize = 192;
const blocksAt: usize = 256;
const blockRing: i32 = 8;
const tokensAt: usize = 512 + 8;
const gramsAt: usize = 640;
const hitsAt: usize = 832;
const againAt: usize = 1028;

const powersAt: usize = 1280;
const oddAt: usize = 1344;
const keptAt: usize = 1376;
const namedAt: usize = 1440;
const blockTokens: i32 = 16;
const windowBlocks: i32 = 6;
const blockMax: i32 = 0xffff;

/** Kinds of units, as of `unitKind`. */
const runBit: u32 = 0x80;
const letterBit: u32 = 1;
const digitBit: u32 = 2;
const joinerBit: u32 = 8;

/** Of the hash of a word; below its powers. */
const prime: u32 = 0xc2b2ae35;
const numberHash: u32 = 0x5bd1e995;

const classesBack: i32 = 3;
const classesKept: i32 = 6;
const classReach: i32 = 8;

/** Scores the next piece of a text. Edges: 1 where the text begins here, 2 where it ends here. */
export function score(args: usize, length: i32, edges: i32): void {
  if ((edges & 1) != 0) begin(args);
  cut(args, length);
  if ((edges & 2) != 0) finish(args, length);
  store<i32>(args, load<i32>(args, 48) + length, 48);
}

function begin(args: usize): void {
  advance(args, windowBlocks);
  store<i32>(args, 0, 36);
  store<i32>(args, 0, 40);
  store<i32>(args, 0, 44);
  store<i32>(args, 0, 48);
  store<i32>(args, -1, 56);
  store<i32>(args, 0, 68);
  store<u64>(args, 0, 512);
  memory.fill(args + blocksAt, 0, 32 * blockRing);
  for (let at = args + bestAt; at < args + blocksAt; at += 16) {
    store<f64>(at, -Infinity);
    store<i32>(at, -1, 8);
  }
}

/** On to a later block, which is empty. */
function advance(args: usize, by: i32): void {
  let block = load<i32>(args, 32);
  if (block + by > blockMax) {
    // By whole rings, so that blocks keep their places; what is older than the window ends at 0.
    const down = (block - blockRing) & ~(blockRing - 1);
    const downs = i16x8.splat(<i16>down);
    const stamps = <usize>load<u32>(args, 16);
    const bytes = <usize>load<u32>(args, 20) << 1;
    for (let at: usize = 0; at < bytes; at += 16) {
      v128.store(stamps + at, i16x8.sub_sat_u(v128.load(stamps + at), downs));
    }
    block -= down;
  }
  block += by;
  store<i32>(args, block, 32);
  const record = recordOf(args, block);
  v128.store(record, i32x4.splat(0));
  store<i32>(record, 0, 16);
}

@inline
function recordOf(args: usize, block: i32): usize {
  return args + blocksAt + (<usize>(block & (blockRing - 1)) << 5);
}

/**
 * Cuts the piece into tokens. Where words end cannot be foretold, so hardly anything here branches on it: all units are
 * folded, then masks of 64 units tell where tokens begin and end, then each is hashed in one go.
 */
function cut(args: usize, length: i32): void {
  const kinds = <usize>load<u32>(args, 584);
  fold(args, length);
  let from = 0;
  if (load<i32>(args, 56) >= 0) {
    // The word that the piece before left open.
    while (from < length && (load<u8>(kinds + <usize>from) & runBit) != 0) from++;
    hashUnits(args, 0, from);
    if (from == length) return;
    addOpen(args, from);
  }
  let count = mark(args, from, length);
  const base = load<i32>(args, 48);
  const text = <usize>load<u32>(args, 28);
  const starts = <usize>load<u32>(args, 588);
  const ends = <usize>load<u32>(args, 592);
  const isOpen = count > 0 && (load<u8>(kinds + <usize>length - 1) & runBit) != 0;
  if (isOpen) count--;
  for (let i: usize = 0; i < <usize>count << 1; i += 2) {
    const start = <i32>load<u16>(starts + i);
    const end = <i32>load<u16>(ends + i);
    const units = end - start;
    // A load out of a row of bytes that are set and then are not makes a mask of any length.
    const odd = v128.load(args + oddAt + 16 - <usize>min(units, 16));
    if (units > 16 || v128.any_true(v128.and(v128.load(kinds + <usize>start), odd))) {
      hashUnits(args, start, end);
      if (load<i32>(args, 56) >= 0) addOpen(args, end);
      continue;
    }
    const at = text + (<usize>start << 1);
    const kept = args + keptAt + 32 - (<usize>units << 1);
    const first = v128.and(v128.load(at), v128.load(kept));
    const second = v128.and(v128.load(at, 16), v128.load(kept, 16));
    const sum = i32x4.add(
      i32x4.add(
        i32x4.mul(i32x4.extend_low_i16x8_u(first), v128.load(args, powersAt)),
        i32x4.mul(i32x4.extend_high_i16x8_u(first), v128.load(args, powersAt + 16)),
      ),
      i32x4.add(
        i32x4.mul(i32x4.extend_low_i16x8_u(second), v128.load(args, powersAt + 32)),
        i32x4.mul(i32x4.extend_high_i16x8_u(second), v128.load(args, powersAt + 48)),
      ),
    );
    const halves = i32x4.add(sum, i8x16.shuffle(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    add(args, <u32>(i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1)), base + start, base + end);
  }
  if (isOpen) hashUnits(args, <i32>load<u16>(starts + (<usize>count << 1)), length);
}

/** Folds the piece where it lies, and leaves the kind of each unit. */
function fold(args: usize, length: i32): void {
  const units = <usize>load<u32>(args);
  const text = <usize>load<u32>(args, 28);
  const kinds = <usize>load<u32>(args, 584);
  for (let i: usize = 0; i < <usize>length; i++) {
    const entry = load<u32>(units + (<usize>load<u16>(text + (i << 1)) << 2));
    store<u16>(text + (i << 1), <u16>(entry >>> 16));
    store<u8>(kinds + i, <u8>entry);
  }
  memory.fill(kinds + <usize>length, 0, 64);
}

/** Leaves where the tokens from `from` on begin and end, and gives their number; the last may go on beyond the piece. */
function mark(args: usize, from: i32, length: i32): i32 {
  const kinds = <usize>load<u32>(args, 584);
  let starts = <usize>load<u32>(args, 588);
  let ends = <usize>load<u32>(args, 592);
  let inRun: u64 = 0;
  let afterSingle: u64 = 0;
  for (let at = from; at < length; at += 64) {
    let runs: u64 = 0;
    let singles: u64 = 0;
    for (let part = 0; part < 64; part += 16) {
      const some = v128.load(kinds + <usize>(at + part));
      runs |= <u64>(<u32>i8x16.bitmask(some)) << part;
      singles |= <u64>(<u32>i8x16.bitmask(i16x8.shl(some, 1))) << part;
    }
    const before = (runs << 1) | inRun;
    let bits = (runs & ~before) | singles;
    for (; bits != 0; bits &= bits - 1) {
      store<u16>(starts, <u16>(at + <i32>ctz(bits)));
      starts += 2;
    }
    bits = (before & ~runs) | (singles << 1) | afterSingle;
    for (; bits != 0; bits &= bits - 1) {
      store<u16>(ends, <u16>(at + <i32>ctz(bits)));
      ends += 2;
    }
    inRun = runs >> 63;
    afterSingle = singles >> 63;
  }
  store<u16>(ends, <u16>length);
  return <i32>((starts - <usize>load<u32>(args, 588)) >> 1);
}

/** Goes on with the hash of the open word, or begins one: unit by unit, passing apostrophes over. */
function hashUnits(args: usize, from: i32, to: i32): void {
  const text = <usize>load<u32>(args, 28);
  const kinds = <usize>load<u32>(args, 584);
  for (let i: usize = <usize>from; i < <usize>to; i++) {
    const kind = <u32>load<u8>(kinds + i);
    if ((kind & joinerBit) != 0) continue;
    if (load<i32>(args, 56) < 0) {
      store<i32>(args, load<i32>(args, 48) + <i32>i, 56);
      store<u32>(args, 0, 52);
      store<u32>(args, 1, 596);
      store<u32>(args, 0, 60);
    }
    const power = load<u32>(args, 596);
    store<u32>(args, load<u32>(args, 52) + <u32>load<u16>(text + (i << 1)) * power, 52);
    store<u32>(args, power * prime, 596);
    store<u32>(args, load<u32>(args, 60) | kind, 60);
  }
}

/** Ends the open word. */
function addOpen(args: usize, end: i32): void {
  const hash = (load<u32>(args, 60) & letterBit) != 0 ? load<u32>(args, 52) : numberHash;
  add(args, hash, load<i32>(args, 56), load<i32>(args, 48) + end);
  store<i32>(args, -1, 56);
}

function add(args: usize, hash: u32, start: i32, end: i32): void {
  const count = load<i32>(args, 40);
  if (count == 0) store<i32>(recordOf(args, load<i32>(args, 32)), start, 20);
  store<u32>(args + tokensAt + (<usize>count << 2), hash);
  store<i32>(args, end, 64);
  store<i32>(args, count + 1, 40);
  if (count + 1 == blockTokens) endBlock(args);
}

function endBlock(args: usize): void {
  const done = load<i32>(args, 36);
  read(args, blockTokens);
  if (done + 1 >= windowBlocks) evaluate(args, windowBlocks - 1);
  // The last two tokens begin n-grams of the next block.
  store<u64>(args, load<u64>(args + tokensAt + 4 * (blockTokens - 2)), 512);
  store<i32>(args, done + 1, 36);
  store<i32>(args, load<i32>(args, 44) + blockTokens, 44);
  store<i32>(args, 0, 40);
  advance(args, 1);
}

function finish(args: usize, length: i32): void {
  if (load<i32>(args, 56) >= 0) addOpen(args, length);
  const done = load<i32>(args, 36);
  const count = load<i32>(args, 40);
  if (count > 0) {
    read(args, count);
    evaluate(args, min(done, windowBlocks - 1));
  } else if (done < windowBlocks && done > 0) evaluate(args, done);
}

@inline
function mix(a: v128, b: v128): v128 {
  const joined = v128.xor(i32x4.mul(a, i32x4.splat(0x9e3779b1)), b);
  const spread = i32x4.mul(v128.xor(joined, i32x4.shr_u(joined, 16)), i32x4.splat(0x85ebca6b));
  return v128.xor(spread, i32x4.shr_u(spread, 13));
}

/** Looks the n-grams of the block up that end in its first `count` tokens. */
function read(args: usize, count: i32): void {
  // Three plain loops: hash all, look all up without a branch on what is found, then take what was found.
  for (let at: usize = 0; at < <usize>count << 2; at += 16) {
    const tokens = args + tokensAt + at;
    const hash = v128.load(tokens);
    const grams = args + gramsAt + at;
    v128.store(grams, tagged(mix(hash, i32x4.splat(1))));
    const pair = mix(v128.load(tokens - 4), mix(hash, i32x4.splat(2)));
    v128.store(grams, tagged(pair), 64);
    v128.store(grams, tagged(mix(mix(v128.load(tokens - 8), i32x4.splat(3)), pair)), 128);
  }
  const tags = <usize>load<u32>(args, 4);
  const mask = load<u32>(args, 12);
  let hit = args + hitsAt;
  let again = args + againAt;
  for (let token = 0; token < count; token++) {
    for (let gram = 0; gram < 3; gram++) {
      const number = token + blockTokens * gram;
      const gramAt = args + gramsAt + (<usize>number << 2);
      const bucket = tags + (<usize>(load<u32>(gramAt) & mask) << 4);
      const found = i16x8.bitmask(i16x8.eq(v128.load(bucket), v128.load_splat<i16>(gramAt, 2)));
      store<u32>(hit, (found << 8) | number);
      store<u32>(again, number);
      const isFound = (found + 0xff) >> 8;
      const isFull = (<i32>load<u16>(bucket, 14) + 0xffff) >> 16;
      hit += <usize>isFound << 2;
      again += <usize>(isFull & (isFound ^ 1)) << 2;
    }
  }
  const entries = <usize>load<u32>(args, 8);
  const stamps = <usize>load<u32>(args, 16);
  const block = load<i32>(args, 32);
  const before = load<i32>(args, 44);
  let named = args + namedAt;
  let weights = i32x4.splat(0);
  let squares = 0;
  for (let at = args + hitsAt; at < hit; at += 4) {
    const found = load<u32>(at);
    const number = <i32>(found & 63);
    const token = before + (number & (blockTokens - 1));
    if (number >> 4 > token) continue;
    const slot = ((load<u32>(args + gramsAt + (<usize>number << 2)) & mask) << 3) + ctz(found >> 8);
    const entry = entries + (<usize>slot << 3);
    const value = <i32>load<u8>(entry);
    if (value != 0) {
      const stampAt = stamps + (<usize>slot << 1);
      const stamp = <i32>load<u16>(stampAt);
      store<u16>(stampAt, <u16>block);
      const some = i32x4.extend_low_i16x8_s(v128.load_ext<i8>(entry, 2));
      weights = i32x4.add(weights, some);
      squares += value * value;
      // Out of its former block; where there is none, out of one of two that are in no window, and empty when they begin.
      const none = block + 1 + (number & 1);
      const former = recordOf(args, none ^ ((stamp ^ none) & -i32(block - stamp < windowBlocks)));
      v128.store(former, i32x4.sub(v128.load(former), some));
      store<i32>(former, load<i32>(former, 16) - value * value, 16);
    }
    const wordClass = <u32>load<u8>(entry, 1);
    if (wordClass != 0) named = nameClass(args, named, number, wordClass);
  }
  const record = recordOf(args, block);
  v128.store(record, i32x4.add(v128.load(record), weights));
  store<i32>(record, load<i32>(record, 16) + squares, 16);
  for (let at = args + againAt; at < again; at += 4) {
    const number = load<u32>(at);
    const token = before + (number & (blockTokens - 1));
    if (<i32>(number >> 4) > token) continue;
    const slot = find(tags, mask, load<u32>(args + gramsAt + (<usize>number << 2)));
    if (slot < 0) continue;
    const wordClass = <u32>countFeature(args, slot);
    if (wordClass != 0) named = nameClass(args, named, <i32>number, wordClass);
  }
  for (let at = args + namedAt; at < named; at += 4) {
    const entry = load<u32>(at);
    addClass(args, <i32>(entry & 0xff), before + <i32>(entry >>> 12));
  }
}

/** Puts a class word of the block to its place in the order of the text: those of full buckets come late. */
function nameClass(args: usize, end: usize, number: i32, wordClass: u32): usize {
  const entry = (<u32>(((number & (blockTokens - 1)) << 4) | (number >> 4)) << 8) | wordClass;
  let at = end;
  for (; at > args + namedAt && load<u32>(at - 4) > entry; at -= 4) store<u32>(at, load<u32>(at - 4));
  store<u32>(at, entry);
  return end + 4;
}

/** A hash whose upper half is a tag: not 0. */
@inline
function tagged(hash: v128): v128 {
  const isFree = i32x4.eq(i32x4.shr_u(hash, 16), i32x4.splat(0));
  return v128.or(hash, v128.and(isFree, i32x4.splat(0x10000)));
}

@inline
function wantedOf(hash: u32): v128 {
  const upper = hash >>> 16;
  return i16x8.splat(<i16>(upper | <u32>(upper == 0)));
}

/** Slot of a feature, or −1. */
function find(tags: usize, mask: u32, hash: u32): i32 {
  const wanted = wantedOf(hash);
  let bucket = hash & mask;
  while (true) {
    const bits = v128.load(tags + (<usize>bucket << 4));
    const found = i16x8.bitmask(i16x8.eq(bits, wanted));
    if (found != 0) return <i32>(bucket << 3) + ctz(found);
    if (i16x8.extract_lane_u(bits, 7) == 0) return -1;
    bucket = (bucket + 1) & mask;
  }
}

/** Counts a slot's feature into the block that is being filled, and gives its word class. */
@inline
function countFeature(args: usize, slot: i32): i32 {
  const entry = <usize>load<u32>(args, 8) + (<usize>slot << 3);
  const value = <i32>load<u8>(entry);
  const stampAt = <usize>load<u32>(args, 16) + (<usize>slot << 1);
  const block = load<i32>(args, 32);
  const stamp = <i32>load<u16>(stampAt);
  if (value != 0 && stamp != block) {
    const weights = i32x4.extend_low_i16x8_s(v128.load_ext<i8>(entry, 2));
    store<u16>(stampAt, <u16>block);
    const record = recordOf(args, block);
    v128.store(record, i32x4.add(v128.load(record), weights));
    store<i32>(record, load<i32>(record, 16) + value * value, 16);
    if (block - stamp < windowBlocks) {
      const former = recordOf(args, stamp);
      v128.store(former, i32x4.sub(v128.load(former), weights));
      store<i32>(former, load<i32>(former, 16) - value * value, 16);
    }
  }
  return <i32>load<u8>(entry, 1);
}

/** The features that end in a class word: see `FeatureMaker`. */
function addClass(args: usize, wordClass: i32, token: i32): void {
  seek(args, join(wordClass, 0x71));
  const kept = load<i32>(args, 68);
  let first = 0;
  while (first < kept && load<i32>(classAt(args, first), 4) == token) first++;
  let end = first;
  while (end < kept && token - load<i32>(classAt(args, end), 4) <= classReach) end++;
  for (let at = first; at < min(end, first + classesBack); at++) {
    const gap = token - load<i32>(classAt(args, at), 4);
    seek(args, join(join(load<i32>(classAt(args, at)), wordClass), gap == 1 ? 0x74 : gap <= 3 ? 0x75 : 0x76));
  }
  if (end - first > 1) {
    const chain = join(load<i32>(classAt(args, first + 1)), load<i32>(classAt(args, first)));
    seek(args, join(join(chain, wordClass), 0x79));
  }
  memory.copy(classAt(args, 1), classAt(args, 0), 8 * (classesKept - 1));
  store<i32>(classAt(args, 0), wordClass);
  store<i32>(classAt(args, 0), token, 4);
  store<i32>(args, min(kept + 1, classesKept), 68);
}

@inline
function classAt(args: usize, index: i32): usize {
  return args + classesAt + (<usize>index << 3);
}

@inline
function join(a: i32, b: i32): i32 {
  return i32x4.extract_lane(mix(i32x4.splat(a), i32x4.splat(b)), 0);
}

function seek(args: usize, hash: i32): void {
  const slot = find(<usize>load<u32>(args, 4), load<u32>(args, 12), <u32>hash);
  if (slot >= 0) countFeature(args, slot);
}

/** Sums the block that is being filled and those before it, and keeps each head's first best window. */
function evaluate(args: usize, blocksBefore: i32): void {
  const block = load<i32>(args, 32);
  let weights = i32x4.splat(0);
  let squares = 0;
  for (let back = blocksBefore; back >= 0; back--) {
    const record = recordOf(args, block - back);
    weights = i32x4.add(weights, v128.load(record));
    squares += load<i32>(record, 16);
  }
  const start = load<i32>(recordOf(args, block - blocksBefore), 20);
  const end = load<i32>(args, 64);
  const root = sqrt<f64>(<f64>squares);
  const heads = load<i32>(args, 24);
  for (let head = 0; head < heads; head++) {
    const parts = args + headsAt + (<usize>head << 4);
    const bias = load<f64>(parts);
    const sum = squares == 0 ? bias : bias + (load<f64>(parts, 8) * <f64>i32x4.extract_lane(weights, 0)) / root;
    const best = args + bestAt + (<usize>head << 4);
    if (sum > load<f64>(best)) {
      store<f64>(best, sum);
      store<i32>(best, start, 8);
      store<i32>(best, end, 12);
    }
    weights = i8x16.shuffle(weights, weights, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3);
  }
}
