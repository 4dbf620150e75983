// AssemblyScript, not part of the TypeScript build: scripts/generate/kernel.mjs compiles it. It only loads and stores in
// the shared memory that it imports; each thread runs it on a scratch of its own. What it reckons is told in
// `plain-scorer.ts`, its twin: tokens.ts (words), features.ts (hashes), model.ts (the tables).
//
// The scratch at `args`, 32-bit words unless said otherwise; addresses and offsets in bytes:
//
//       0 units     the unit table                  72 block    number of the block that is being filled
//       4 text      the piece, room for 64          76 done     blocks of the text before it
//                   units behind it                 80 count    its tokens so far
//       8 kinds     of its units, 8 bits each       84 tokens   of the text before it
//      12 starts    of its tokens, 16 bits          88 base     units of the text before this piece
//      16 ends      each                            92 hash     of the word that is open
//      20 heads                                     96 start    its first unit, or −1
//      24 asked     a bit for each head            100 letters  kinds of its units, all of them or-ed
//      28 words: a table                           104 lastEnd  unit behind the last token
//      48 grams: a table                           108 classes  class words kept
//      68 bytes of the stamps of both              112 power    for the next unit of the open word
//                                                  116 unread   first block of which only words have been read
//     120 ends of the rows of n-grams that were found, and that may be in a later bucket
//     412 scratch of the next model that is asked about the same text, or 0: it takes the tokens of this one
//     416 1 where strange words are to be named
//
// and a table: tags, entries, number of buckets, logarithm of the bytes of an entry, stamps of the slots (16 bits each).
//
//     320 class words, newest first: class and token, in pairs
//     368 weights of a window, summed up: of its words (eight of 16 bits), of its other features (four)
//     448 powers of the multiplier of words; 512 sixteen bytes 10, sixteen 0; 544 thirty-two bytes 255, thirty-two 0
//     640 words of the blocks, by the low bits of their numbers: sums of weights (as above), of squares, tokens
//         that are known
//     896 all other features of the blocks: the same
//    1152 tokens of the blocks: hashes, the two before the block first
//    1792 hashes of a block's n-grams, tagged: of one token, of two, of three
//    1984 n-grams that their buckets hold: slots that agree, number of the n-gram
//    2184 n-grams that may be in a later bucket than theirs
//    2384 class words of the block: token, n-gram, class
//    2592 of the blocks, those that are single words: the same, and behind sixteen of them where they end
//    3232 kinds of the units of ASCII, 8 bits each
//    3360 first units of the tokens of the blocks
//    3872 strange words of the piece: the first unit of each
//   10016 heads: bias, twice the scale, cut, four times the prior (f64)
//   10272 best windows: sum (f64), first unit, unit behind it
//
// The stamp of a slot is the last block in which its feature occurred, and the block's sums hold it; when it occurs again
// it moves. So six blocks together hold the features that are present in them, each once. Block numbers grow from text to
// text, and no stamp has to be cleared until they would pass 16 bits; then all go down together.
//
// Of each block the words are read when it is full. What else is in it is read when a window asks for it whose words a
// head does not pass over; most blocks never are.

const textAt: usize = 4;
const kindsAt: usize = 8;
const startsAt: usize = 12;
const endsAt: usize = 16;
const headCountAt: usize = 20;
const askedAt: usize = 24;
const wordsAt: usize = 28;
const gramsAt: usize = 48;
const stampBytesAt: usize = 68;
const blockAt: usize = 72;
const doneAt: usize = 76;
const countAt: usize = 80;
const tokenCountAt: usize = 84;
const baseAt: usize = 88;
const hashAt: usize = 92;
const startAt: usize = 96;
const lettersAt: usize = 100;
const lastEndAt: usize = 104;
const classCountAt: usize = 108;
const powerAt: usize = 112;
const unreadAt: usize = 116;
const hitEndAt: usize = 120;
const laterEndAt: usize = 124;
const knownAt: usize = 400;
const unnamedAt: usize = 404;
const strangeEndAt: usize = 408;
const nextAt: usize = 412;
const namesStrangeAt: usize = 416;
const classesAt: usize = 320;
const wordWeightsAt: usize = 368;
const gramWeightsAt: usize = 384;
const powersAt: usize = 448;
const oddAt: usize = 512;
const keptAt: usize = 544;
const wordSumsAt: usize = 640;
const gramSumsAt: usize = 896;
const tokensAt: usize = 1152;
const hashesAt: usize = 1792;
const hitsAt: usize = 1984;
const laterAt: usize = 2184;
const namedAt: usize = 2384;
const wordClassesAt: usize = 2592;
const asciiKindsAt: usize = 3232;
const firstUnitsAt: usize = 3360;
const strangeAt: usize = 3872;
const headsAt: usize = 10_016;
const bestAt: usize = 10_272;
const bestEnd: usize = 10_400;

/** Of a table. */
const entriesAt: usize = 4;
const bucketsAt: usize = 8;
const entryBitsAt: usize = 12;
const stampsAt: usize = 16;

/** Of a block's sums. */
const squaresAt: usize = 16;
const knownTokensAt: usize = 20;

const blockRing: i32 = 8;
const blockTokens: i32 = 16;
const windowBlocks: i32 = 6;
const blockMax: i32 = 0xffff;
/** Slots of a bucket that features take. */
const featureBits: i32 = 0x7f;

/** Kinds of units, as of `unitKind`. */
const runBit: u32 = 0x80;
const letterBit: u32 = 1;
const joinerBit: u32 = 8;

/** Of the hash of a word; below its powers. */
const prime: u32 = 0xc2b2ae35;
const numberHash: u32 = 0x5bd1e995;

/** Strange words that a window has at the least, its units for each of them at the most, and those of a piece at the most. */
const strangeMin: i32 = 2;
const strangeUnits: i32 = 30;
const strangeMax: usize = 1_536;

const classesBack: i32 = 3;
const classesKept: i32 = 6;
const classReach: i32 = 8;

/** Scores the next piece of a text. Edges: 1 where the text begins here, 2 where it ends here. */
export function score(args: usize, length: i32, edges: i32): void {
  store<u32>(args, <u32>(args + strangeAt), strangeEndAt);
  if ((edges & 1) != 0) {
    for (let each = args; each != 0; each = nextOf(each)) begin(each);
  }
  cut(args, length);
  if ((edges & 2) != 0) finish(args, length);
  store<i32>(args, load<i32>(args, baseAt) + length, baseAt);
}

/** The next model that is asked about the text, or 0. */
@inline
function nextOf(args: usize): usize {
  return <usize>load<u32>(args, nextAt);
}

function begin(args: usize): void {
  memory.fill(args + wordSumsAt, 0, tokensAt - wordSumsAt);
  advance(args, windowBlocks);
  store<i32>(args, load<i32>(args, blockAt), unreadAt);
  store<i32>(args, load<i32>(args, blockAt), unnamedAt);
  store<i32>(args, 0, doneAt);
  store<i32>(args, 0, countAt);
  store<i32>(args, 0, tokenCountAt);
  store<i32>(args, 0, baseAt);
  store<i32>(args, -1, startAt);
  store<i32>(args, 0, classCountAt);
  for (let at = args + bestAt; at < args + bestEnd; at += 16) {
    store<f64>(at, -Infinity);
    store<i32>(at, -1, 8);
  }
}

/** On to a later block, which is empty. */
function advance(args: usize, by: i32): void {
  let block = load<i32>(args, blockAt);
  if (block + by > blockMax) {
    // By whole rings, so that blocks keep their places; what is older than the window ends at 0.
    const down = (block - blockRing) & ~(blockRing - 1);
    const downs = i16x8.splat(<i16>down);
    const stamps = <usize>load<u32>(args + wordsAt, stampsAt);
    const bytes = <usize>load<u32>(args, stampBytesAt);
    for (let at: usize = 0; at < bytes; at += 16) {
      v128.store(stamps + at, i16x8.sub_sat_u(v128.load(stamps + at), downs));
    }
    block -= down;
    store<i32>(args, load<i32>(args, unreadAt) - down, unreadAt);
    store<i32>(args, load<i32>(args, unnamedAt) - down, unnamedAt);
  }
  block += by;
  store<i32>(args, block, blockAt);
  clear(sumsOf(args + wordSumsAt, block));
  clear(sumsOf(args + gramSumsAt, block));
  store<u32>(wordClassesOf(args, block), <u32>wordClassesOf(args, block), 64);
}

@inline
function clear(sums: usize): void {
  v128.store(sums, i32x4.splat(0));
  v128.store(sums, i32x4.splat(0), 16);
}

/** Of the words, or all other features, of a block. */
@inline
function sumsOf(sums: usize, block: i32): usize {
  return sums + (<usize>(block & (blockRing - 1)) << 5);
}

/** The class words of a block that are single words; 64 bytes on is where they end. */
@inline
function wordClassesOf(args: usize, block: i32): usize {
  return args + wordClassesAt + 80 * <usize>(block & (blockRing - 1));
}

/** The first units of a block's tokens. */
@inline
function firstUnitsOf(args: usize, block: i32): usize {
  return args + firstUnitsAt + (<usize>(block & (blockRing - 1)) << 6);
}

/** The first token of a block. */
@inline
function tokensOf(args: usize, block: i32): usize {
  return args + tokensAt + 80 * <usize>(block & (blockRing - 1)) + 8;
}

/**
 * Cuts the piece into tokens. Where words end cannot be foretold, so hardly anything here branches on it: all units are
 * folded, then masks of 64 units tell where tokens begin and end, then each is hashed in one go.
 */
function cut(args: usize, length: i32): void {
  const kinds = <usize>load<u32>(args, kindsAt);
  fold(args, length);
  let from = 0;
  if (load<i32>(args, startAt) >= 0) {
    // The word that the piece before left open.
    while (from < length && (load<u8>(kinds + <usize>from) & runBit) != 0) from++;
    hashUnits(args, 0, from);
    if (from == length) return;
    addOpen(args, from);
  }
  let count = mark(args, from, length);
  const base = load<i32>(args, baseAt);
  const text = <usize>load<u32>(args, textAt);
  const starts = <usize>load<u32>(args, startsAt);
  const ends = <usize>load<u32>(args, endsAt);
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
      if (load<i32>(args, startAt) >= 0) addOpen(args, end);
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

/** Folds the piece where it lies, and leaves the kind of each unit: sixteen at a time where they are ASCII. */
function fold(args: usize, length: i32): void {
  const text = <usize>load<u32>(args, textAt);
  const kinds = <usize>load<u32>(args, kindsAt);
  const row2 = v128.load(args, asciiKindsAt + 32);
  const row3 = v128.load(args, asciiKindsAt + 48);
  const row4 = v128.load(args, asciiKindsAt + 64);
  const row5 = v128.load(args, asciiKindsAt + 80);
  const row6 = v128.load(args, asciiKindsAt + 96);
  const row7 = v128.load(args, asciiKindsAt + 112);
  const beyondAscii = i16x8.splat(<i16>0xff80);
  for (let i = 0; i < length; i += 16) {
    const at = text + (<usize>i << 1);
    const first = v128.load(at);
    const second = v128.load(at, 16);
    if (v128.any_true(v128.and(v128.or(first, second), beyondAscii))) {
      foldEach(args, i, min(i + 16, length));
      continue;
    }
    const units = i8x16.narrow_i16x8_u(first, second);
    // A swizzle gives 0 for what is not of its row. Controls are gaps.
    const low = v128.or(kindsOf(units, row2, 0x20), kindsOf(units, row3, 0x30));
    const middle = v128.or(kindsOf(units, row4, 0x40), kindsOf(units, row5, 0x50));
    const high = v128.or(kindsOf(units, row6, 0x60), kindsOf(units, row7, 0x70));
    v128.store(kinds + <usize>i, v128.or(v128.or(low, middle), high));
    v128.store(at, lowerCase(first));
    v128.store(at, lowerCase(second), 16);
  }
  memory.fill(kinds + <usize>length, 0, 64);
}

@inline
function kindsOf(units: v128, row: v128, rowStart: i8): v128 {
  return i8x16.swizzle(row, i8x16.sub(units, i8x16.splat(rowStart)));
}

@inline
function lowerCase(units: v128): v128 {
  const isUpper = i16x8.lt_u(i16x8.sub(units, i16x8.splat(0x41)), i16x8.splat(26));
  return i16x8.add(units, v128.and(isUpper, i16x8.splat(0x20)));
}

function foldEach(args: usize, from: i32, to: i32): void {
  const units = <usize>load<u32>(args);
  const text = <usize>load<u32>(args, textAt);
  const kinds = <usize>load<u32>(args, kindsAt);
  for (let i = <usize>from; i < <usize>to; i++) {
    const entry = load<u32>(units + (<usize>load<u16>(text + (i << 1)) << 2));
    store<u16>(text + (i << 1), <u16>(entry >>> 16));
    store<u8>(kinds + i, <u8>entry);
  }
}

/** Leaves where the tokens from `from` on begin and end, and gives their number; the last may go on beyond the piece. */
function mark(args: usize, from: i32, length: i32): i32 {
  const kinds = <usize>load<u32>(args, kindsAt);
  let starts = <usize>load<u32>(args, startsAt);
  let ends = <usize>load<u32>(args, endsAt);
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
  return <i32>((starts - <usize>load<u32>(args, startsAt)) >> 1);
}

/** Goes on with the hash of the open word, or begins one: unit by unit, passing apostrophes over. */
function hashUnits(args: usize, from: i32, to: i32): void {
  const text = <usize>load<u32>(args, textAt);
  const kinds = <usize>load<u32>(args, kindsAt);
  for (let i: usize = <usize>from; i < <usize>to; i++) {
    const kind = <u32>load<u8>(kinds + i);
    if ((kind & joinerBit) != 0) continue;
    if (load<i32>(args, startAt) < 0) {
      store<i32>(args, load<i32>(args, baseAt) + <i32>i, startAt);
      store<u32>(args, 0, hashAt);
      store<u32>(args, 1, powerAt);
      store<u32>(args, 0, lettersAt);
    }
    const power = load<u32>(args, powerAt);
    store<u32>(args, load<u32>(args, hashAt) + <u32>load<u16>(text + (i << 1)) * power, hashAt);
    store<u32>(args, power * prime, powerAt);
    store<u32>(args, load<u32>(args, lettersAt) | kind, lettersAt);
  }
}

/** Ends the open word. */
function addOpen(args: usize, end: i32): void {
  const hash = (load<u32>(args, lettersAt) & letterBit) != 0 ? load<u32>(args, hashAt) : numberHash;
  add(args, hash, load<i32>(args, startAt), load<i32>(args, baseAt) + end);
  store<i32>(args, -1, startAt);
}

function add(args: usize, hash: u32, start: i32, end: i32): void {
  const count = load<i32>(args, countAt);
  const block = load<i32>(args, blockAt);
  store<u32>(tokensOf(args, block) + (<usize>count << 2), hash);
  store<i32>(firstUnitsOf(args, block) + (<usize>count << 2), start);
  store<i32>(args, end, lastEndAt);
  store<i32>(args, count + 1, countAt);
  if (count + 1 != blockTokens) return;
  for (let next = nextOf(args); next != 0; next = nextOf(next)) {
    copyBlock(args, next);
    endBlock(next);
  }
  endBlock(args);
}

/** Gives another model the tokens of the block that is being filled. */
function copyBlock(args: usize, to: usize): void {
  const block = load<i32>(args, blockAt);
  const own = load<i32>(to, blockAt);
  memory.copy(tokensOf(to, own), tokensOf(args, block), 4 * blockTokens);
  memory.copy(firstUnitsOf(to, own), firstUnitsOf(args, block), 4 * blockTokens);
  store<i32>(to, load<i32>(args, countAt), countAt);
  store<i32>(to, load<i32>(args, lastEndAt), lastEndAt);
}

function endBlock(args: usize): void {
  const done = load<i32>(args, doneAt);
  readWords(args, blockTokens);
  if (done + 1 >= windowBlocks) evaluate(args, windowBlocks - 1);
  store<i32>(args, done + 1, doneAt);
  store<i32>(args, load<i32>(args, tokenCountAt) + blockTokens, tokenCountAt);
  store<i32>(args, 0, countAt);
  advance(args, 1);
  // The last two tokens begin n-grams of the next block.
  const block = load<i32>(args, blockAt);
  store<u64>(tokensOf(args, block) - 8, load<u64>(tokensOf(args, block - 1) + 4 * (blockTokens - 2)));
}

function finish(args: usize, length: i32): void {
  if (load<i32>(args, startAt) >= 0) addOpen(args, length);
  for (let next = nextOf(args); next != 0; next = nextOf(next)) {
    copyBlock(args, next);
    finishBlock(next);
  }
  finishBlock(args);
}

function finishBlock(args: usize): void {
  const done = load<i32>(args, doneAt);
  const count = load<i32>(args, countAt);
  if (count > 0) {
    readWords(args, count);
    evaluate(args, min(done, windowBlocks - 1));
  } else if (done < windowBlocks && done > 0) evaluate(args, done);
}

@inline
function mix(a: v128, b: v128): v128 {
  const joined = v128.xor(i32x4.mul(a, i32x4.splat(0x9e3779b1)), b);
  const spread = i32x4.mul(v128.xor(joined, i32x4.shr_u(joined, 16)), i32x4.splat(0x85ebca6b));
  return v128.xor(spread, i32x4.shr_u(spread, 13));
}

@inline
function wordHash(token: v128): v128 {
  return v128.or(mix(token, i32x4.splat(1)), i32x4.splat(0x80000000));
}

/** The hash of what is no word, its upper half a tag: not 0. */
@inline
function tagged(hash: v128): v128 {
  const positive = v128.and(hash, i32x4.splat(0x7fffffff));
  const isFree = i32x4.eq(i32x4.shr_u(positive, 16), i32x4.splat(0));
  return v128.or(positive, v128.and(isFree, i32x4.splat(0x10000)));
}

/** Counts the words of the block that is being filled. */
function readWords(args: usize, count: i32): void {
  const block = load<i32>(args, blockAt);
  const tokens = tokensOf(args, block);
  for (let at: usize = 0; at < <usize>count << 2; at += 16) {
    v128.store(args + hashesAt + at, wordHash(v128.load(tokens + at)));
  }
  lookUpNone(args);
  lookUp(args, args + wordsAt, 0, 0, count);
  const words = wordClassesOf(args, block);
  store<u32>(words, <u32>takeFound(args, true, block, words, words), 64);
}

/** Reads all but the words of a block, from one of its tokens on. */
function readGrams(args: usize, block: i32, from: i32, count: i32): void {
  const tokens = tokensOf(args, block);
  for (let at: usize = 0; at < <usize>count << 2; at += 16) {
    const hash = v128.load(tokens + at);
    const hashes = args + hashesAt + at;
    const pair = mix(v128.load(tokens + at - 4), mix(hash, i32x4.splat(2)));
    v128.store(hashes, tagged(pair), 64);
    v128.store(hashes, tagged(mix(mix(v128.load(tokens + at - 8), i32x4.splat(3)), pair)), 128);
  }
  const before = load<i32>(args, tokenCountAt) - (load<i32>(args, blockAt) - block) * blockTokens;
  const words = wordClassesOf(args, block);
  const wordBytes = <usize>load<u32>(words, 64) - words;
  memory.copy(args + namedAt, words, wordBytes);
  lookUpNone(args);
  lookUp(args, args + gramsAt, 1, max(from, 1 - before), count);
  lookUp(args, args + gramsAt, 2, max(from, 2 - before), count);
  const named = takeFound(args, false, block, args + namedAt, args + namedAt + wordBytes);
  for (let at = args + namedAt; at < named; at += 4) {
    const entry = load<u32>(at);
    const token = <i32>(entry >>> 12);
    if (token >= from) addClass(args, block, <i32>(entry & 0xff), before + token);
  }
}

@inline
function lookUpNone(args: usize): void {
  store<u32>(args, <u32>(args + hitsAt), hitEndAt);
  store<u32>(args, <u32>(args + laterAt), laterEndAt);
}

/** Looks up the n-grams of one to three tokens that end in a row of them, without a branch on what is found. */
function lookUp(args: usize, table: usize, gram: i32, from: i32, count: i32): void {
  const tags = <usize>load<u32>(table);
  const buckets = load<u32>(table, bucketsAt);
  let hit = <usize>load<u32>(args, hitEndAt);
  let later = <usize>load<u32>(args, laterEndAt);
  for (let number = from + blockTokens * gram; number < count + blockTokens * gram; number++) {
    const at = args + hashesAt + (<usize>number << 2);
    const hash = load<u32>(at);
    const bucket = tags + (bucketOf(hash, buckets) << 4);
    const found = i16x8.bitmask(i16x8.eq(v128.load(bucket), v128.load_splat<i16>(at, 2))) & featureBits;
    store<u32>(hit, (found << 8) | number);
    store<u32>(later, number);
    const isFound = (found + featureBits) >> 7;
    hit += <usize>isFound << 2;
    later += <usize>(overflows(bucket, hash >>> 16) & (isFound ^ 1)) << 2;
  }
  store<u32>(args, <u32>hit, hitEndAt);
  store<u32>(args, <u32>later, laterEndAt);
}

@inline
function bucketOf(hash: u32, buckets: u32): usize {
  return <usize>(((hash & 0xffff) * buckets) >>> 16);
}

/** Whether a feature with such a tag found no room in a bucket: 1 or 0. */
@inline
function overflows(bucket: usize, tag: u32): i32 {
  return <i32>((<u32>load<u16>(bucket, 14) >> (tag & 15)) & 1);
}

/** The slot of what `lookUp` found. */
@inline
function slotOf(args: usize, table: usize, found: u32): usize {
  const hash = load<u32>(args + hashesAt + (<usize>(found & 63) << 2));
  return (bucketOf(hash, load<u32>(table, bucketsAt)) << 3) + <usize>ctz(found >> 8);
}

/**
 * Takes what was looked up: its class words are put among those from `first` to `end`, whose new end is given, and its
 * features are counted into the block.
 */
@inline
function takeFound(args: usize, isWords: bool, block: i32, first: usize, end: usize): usize {
  const table = args + (isWords ? wordsAt : gramsAt);
  const sums = args + (isWords ? wordSumsAt : gramSumsAt);
  const entries = <usize>load<u32>(table, entriesAt);
  const entryBits = <usize>load<u32>(table, entryBitsAt);
  const stamps = <usize>load<u32>(table, stampsAt);
  const newest = load<i32>(args, blockAt);
  const hitEnd = <usize>load<u32>(args, hitEndAt);
  let weights = i32x4.splat(0);
  let squares = 0;
  let known = <i32>((hitEnd - (args + hitsAt)) >> 2);
  for (let at = args + hitsAt; at < hitEnd; at += 4) {
    const found = load<u32>(at);
    const slot = slotOf(args, table, found);
    const entry = entries + (slot << entryBits);
    const value = <i32>load<u8>(entry);
    if (isWords) {
      // They come in the order of the text, and which of them have a class cannot be foretold.
      const wordClass = <u32>load<u8>(entry, 1);
      store<u32>(end, ((found & 63) << 12) | wordClass);
      end += <usize>(wordClass != 0) << 2;
    } else if (value == 0) {
      end = nameClass(first, end, found & 63, <u32>load<u8>(entry, 1));
      continue;
    }
    const stamp = <i32>load<u16>(stamps + (slot << 1));
    store<u16>(stamps + (slot << 1), <u16>block);
    const some = weightsOf(entry, isWords);
    weights = plus(weights, some, isWords);
    squares += value * value;
    // Out of its former block; where there is none, out of one of two that are in no window, and empty when they begin.
    const none = newest + 1 + <i32>(found & 1);
    const former = sumsOf(sums, none ^ ((stamp ^ none) & -i32(newest - stamp < windowBlocks)));
    v128.store(former, minus(v128.load(former), some, isWords));
    store<i32>(former, load<i32>(former, squaresAt) - value * value, squaresAt);
  }
  const own = sumsOf(sums, block);
  v128.store(own, plus(v128.load(own), weights, isWords));
  store<i32>(own, load<i32>(own, squaresAt) + squares, squaresAt);
  const laterEnd = <usize>load<u32>(args, laterEndAt);
  for (let at = args + laterAt; at < laterEnd; at += 4) {
    const number = load<u32>(at);
    const slot = find(table, load<u32>(args + hashesAt + (<usize>number << 2)));
    if (slot < 0) continue;
    known++;
    const entry = entries + (<usize>slot << entryBits);
    const wordClass = isWords || load<u8>(entry) == 0 ? <u32>load<u8>(entry, 1) : 0;
    if (wordClass != 0) end = nameClass(first, end, number, wordClass);
    countSlot(args, isWords, block, slot);
  }
  if (isWords) store<i32>(own, known, knownTokensAt);
  return end;
}

/** Counts a feature into a block; nothing where it only names a class. */
@inline
function countSlot(args: usize, isWords: bool, block: i32, slot: i32): void {
  const table = args + (isWords ? wordsAt : gramsAt);
  const sums = args + (isWords ? wordSumsAt : gramSumsAt);
  const entry = <usize>load<u32>(table, entriesAt) + (<usize>slot << <usize>load<u32>(table, entryBitsAt));
  const value = <i32>load<u8>(entry);
  if (value == 0) return;
  const stampAt = <usize>load<u32>(table, stampsAt) + (<usize>slot << 1);
  const stamp = <i32>load<u16>(stampAt);
  if (stamp == block) return;
  store<u16>(stampAt, <u16>block);
  const some = weightsOf(entry, isWords);
  const own = sumsOf(sums, block);
  v128.store(own, plus(v128.load(own), some, isWords));
  store<i32>(own, load<i32>(own, squaresAt) + value * value, squaresAt);
  if (load<i32>(args, blockAt) - stamp >= windowBlocks) return;
  const former = sumsOf(sums, stamp);
  v128.store(former, minus(v128.load(former), some, isWords));
  store<i32>(former, load<i32>(former, squaresAt) - value * value, squaresAt);
}

// Words have up to eight weights, and a window 96 words: 16 bits hold their sums. All others have four.

@inline
function weightsOf(entry: usize, isWords: bool): v128 {
  return isWords ? v128.load_ext<i8>(entry, 2) : i32x4.extend_low_i16x8_s(v128.load_ext<i8>(entry, 1));
}

@inline
function plus(a: v128, b: v128, isWords: bool): v128 {
  return isWords ? i16x8.add(a, b) : i32x4.add(a, b);
}

@inline
function minus(a: v128, b: v128, isWords: bool): v128 {
  return isWords ? i16x8.sub(a, b) : i32x4.sub(a, b);
}

/** Slot of a feature, or −1. */
function find(table: usize, hash: u32): i32 {
  const tags = <usize>load<u32>(table);
  const buckets = load<u32>(table, bucketsAt);
  const tag = hash >>> 16;
  const wanted = i16x8.splat(<i16>tag);
  let bucket = bucketOf(hash, buckets);
  while (true) {
    const at = tags + (bucket << 4);
    const found = i16x8.bitmask(i16x8.eq(v128.load(at), wanted)) & featureBits;
    if (found != 0) return <i32>(bucket << 3) + ctz(found);
    if (overflows(at, tag) == 0) return -1;
    bucket = bucket + 1 == <usize>buckets ? 0 : bucket + 1;
  }
}

/** Puts the class word that an n-gram is among others, in the order of the text, and gives their new end. */
function nameClass(first: usize, end: usize, number: u32, wordClass: u32): usize {
  const entry = ((((number & (blockTokens - 1)) << 4) | (number >> 4)) << 8) | wordClass;
  let at = end;
  for (; at > first && load<u32>(at - 4) > entry; at -= 4) store<u32>(at, load<u32>(at - 4));
  store<u32>(at, entry);
  return end + 4;
}

/** Keeps a class word, and counts the features that end in it: see `FeatureMaker`. */
function addClass(args: usize, block: i32, wordClass: i32, token: i32): void {
  countJoined(args, block, i32x4.splat(wordClass), 0x71);
  const kept = load<i32>(args, classCountAt);
  let first = 0;
  while (first < kept && load<i32>(classAt(args, first), 4) == token) first++;
  let end = first;
  while (end < kept && token - load<i32>(classAt(args, end), 4) <= classReach) end++;
  for (let at = first; at < min(end, first + classesBack); at++) {
    const gap = token - load<i32>(classAt(args, at), 4);
    const pair = mix(v128.load_splat<i32>(classAt(args, at)), i32x4.splat(wordClass));
    countJoined(args, block, pair, gap == 1 ? 0x74 : gap <= 3 ? 0x75 : 0x76);
  }
  if (end - first > 1) {
    const chain = mix(v128.load_splat<i32>(classAt(args, first + 1)), v128.load_splat<i32>(classAt(args, first)));
    countJoined(args, block, mix(chain, i32x4.splat(wordClass)), 0x79);
  }
  memory.copy(classAt(args, 1), classAt(args, 0), 8 * (classesKept - 1));
  store<i32>(classAt(args, 0), wordClass);
  store<i32>(classAt(args, 0), token, 4);
  store<i32>(args, min(kept + 1, classesKept), classCountAt);
}

@inline
function classAt(args: usize, index: i32): usize {
  return args + classesAt + (<usize>index << 3);
}

function countJoined(args: usize, block: i32, classes: v128, seed: i32): void {
  const hash = i32x4.extract_lane(tagged(mix(classes, i32x4.splat(seed))), 0);
  const slot = find(args + gramsAt, hash);
  if (slot >= 0) countSlot(args, false, block, slot);
}

/**
 * Sums the words of the block that is being filled and of those before it. Heads that do not pass over those get the
 * rest of the window, too, and each keeps its first best window.
 */
function evaluate(args: usize, blocksBefore: i32): void {
  const block = load<i32>(args, blockAt);
  const wordSquares = sumUp(args, true, blocksBefore);
  if (load<i32>(args, namesStrangeAt) != 0) nameStrange(args, blocksBefore);
  const wordRoot = sqrt<f64>(<f64>wordSquares);
  const heads = load<i32>(args, headCountAt);
  // A model of words alone has one weight for both sums.
  const isOfWords = load<i32>(args + gramsAt, bucketsAt) == 0;
  const aloneFrom = isOfWords ? 0 : heads;
  let looking: u32 = 0;
  for (let head = 0; head < heads; head++) {
    const alone = <f64>load<i16>(args + wordWeightsAt + (<usize>(aloneFrom + head) << 1));
    const sum = wordSquares == 0 ? 0 : alone / wordRoot;
    looking |= <u32>(sum >= load<f64>(args + headsAt + (<usize>head << 5), 16)) << head;
  }
  looking &= load<u32>(args, askedAt);
  if (looking == 0) return;
  let squares = wordSquares;
  if (!isOfWords) {
    readRest(args, block - blocksBefore);
    squares += sumUp(args, false, blocksBefore);
  }
  const start = load<i32>(firstUnitsOf(args, block - blocksBefore));
  for (let head = 0; head < heads; head++) {
    if (((looking >> head) & 1) == 0) continue;
    const ofWords = <i32>load<i16>(args + wordWeightsAt + (<usize>head << 1));
    const ofOthers = isOfWords ? 0 : load<i32>(args + gramWeightsAt + (<usize>head << 2));
    const weights = <f64>(ofWords + ofOthers);
    const parts = args + headsAt + (<usize>head << 5);
    const bias = load<f64>(parts);
    const root = sqrt<f64>(<f64>squares + load<f64>(parts, 24));
    const sum = squares == 0 ? bias : bias + (load<f64>(parts, 8) * weights) / root;
    const best = args + bestAt + (<usize>head << 4);
    if (sum > load<f64>(best)) {
      store<f64>(best, sum);
      store<i32>(best, start, 8);
      store<i32>(best, load<i32>(args, lastEndAt), 12);
    }
  }
}

/** Sums up the newest blocks, and gives the sum of squares. */
@inline
function sumUp(args: usize, isWords: bool, blocksBefore: i32): i32 {
  const block = load<i32>(args, blockAt);
  let weights = i32x4.splat(0);
  let squares = 0;
  let known = 0;
  for (let back = blocksBefore; back >= 0; back--) {
    const some = sumsOf(args + (isWords ? wordSumsAt : gramSumsAt), block - back);
    weights = plus(weights, v128.load(some), isWords);
    squares += load<i32>(some, squaresAt);
    known += load<i32>(some, knownTokensAt);
  }
  if (isWords) store<i32>(args, known, knownAt);
  v128.store(args + (isWords ? wordWeightsAt : gramWeightsAt), weights);
  return squares;
}

/** Names the strange words of a window that has many; see `isStrange`. */
@inline
function nameStrange(args: usize, blocksBefore: i32): void {
  const block = load<i32>(args, blockAt);
  const first = block - blocksBefore;
  const tokens = blocksBefore * blockTokens + load<i32>(args, countAt);
  const units = load<i32>(args, lastEndAt) - load<i32>(firstUnitsOf(args, first));
  const strange = tokens - load<i32>(args, knownAt);
  if (strange < strangeMin || strange * strangeUnits < units || 4 * tokens > 3 * units) return;
  for (let each = max(first, load<i32>(args, unnamedAt)); each <= block; each++) {
    nameStrangeOf(args, each, each < block ? blockTokens : load<i32>(args, countAt));
  }
  store<i32>(args, block + 1, unnamedAt);
}

function nameStrangeOf(args: usize, block: i32, count: i32): void {
  const tokens = tokensOf(args, block);
  const units = firstUnitsOf(args, block);
  let end = <usize>load<u32>(args, strangeEndAt);
  for (let at: usize = 0; at < <usize>count << 2; at += 4) {
    const hash = i32x4.extract_lane(wordHash(v128.load32_zero(tokens + at)), 0);
    if (find(args + wordsAt, hash) >= 0 || end == args + strangeAt + 4 * strangeMax) continue;
    store<i32>(end, load<i32>(units + at));
    end += 4;
  }
  store<u32>(args, <u32>end, strangeEndAt);
}

/** Reads all but the words of the newest blocks, as far as that has not been done. */
function readRest(args: usize, first: i32): void {
  const newest = load<i32>(args, blockAt);
  const unread = load<i32>(args, unreadAt);
  const from = max(first, unread);
  // Class words within reach of the first block to be read; the block before it is in no window, nor what is counted of it.
  if (from > unread) readGrams(args, from - 1, blockTokens - classReach, blockTokens);
  for (let block = from; block < newest; block++) readGrams(args, block, 0, blockTokens);
  readGrams(args, newest, 0, load<i32>(args, countAt));
  store<i32>(args, newest + 1, unreadAt);
}
