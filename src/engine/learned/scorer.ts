import type { Engine } from '../automaton/searcher.js';
import { compileKernel, takeScratch } from '../kernel-loader.js';
import type { Program, ProgramModel } from '../program.js';
import type { TextRoom } from '../text/text-room.js';
import { kernelBase64 } from './kernel.generated.js';
import { entryAt, headsMax, slotsPerBucket } from './model.js';
import { noneStrange, type Scores, scorePlainly, strangeMax } from './plain-scorer.js';
import { hashPowers } from './tokens.js';
import { unitKind } from './units.js';

/** One thread's way to score texts by one of a program's models. Not for use by two threads. */
export interface Scorer {
  readonly kind: 'wasm' | 'js';
  /** To the bit what `scorePlainly` gives. Linear in the text. */
  score(text: string, asked: number): Scores;
}

/** Texts go through the kernel in pieces of this many units. */
export const pieceUnits = 2_048;

/** The kernel reads over the end of a piece. */
const roomUnits = pieceUnits + 64;
/** The piece, the kinds of its units, where its tokens begin and where they end. */
const pieceBytes = roomUnits * (2 + 1 + 2 + 2);

/** The parameters and state of `wasm/kernel.ts`; behind them what belongs to the piece, and the slots' stamps. */
const argsBytes = 10_016;
const headsAt = 128;
const bestAt = 256;
const powersAt = 448;
const oddAt = 512;
const keptAt = 544;
const asciiKindsAt = 3_232;
const strangeAt = 3_872;
/** Longest word that the kernel hashes in one go. */
const wordUnits = 16;
/** Words of the parameters: the tables have five each. */
const word = {
  units: 0,
  text: 1,
  kinds: 2,
  starts: 3,
  ends: 4,
  heads: 5,
  asked: 6,
  words: 7,
  grams: 12,
  stampBytes: 17,
  block: 18,
  strangeEnd: 102,
};
const firstBlock = 8;

interface Kernel {
  /** The scratch, units of the piece, and its edges: 1 where the text begins, 2 where it ends. */
  score(args: number, length: number, edges: number): void;
}

const kernelModule = compileKernel(kernelBase64);

/**
 * The fastest scorer that the platform allows: the WebAssembly kernel, or the plain one, which `engine: 'js'` asks for. What stands in
 * the room is scored there, and changed by it; any other text is copied.
 * The kernel's takes 25 KB and two bytes a slot out of the program's memory, for good.
 */
export function createScorer(
  program: Program,
  { model }: ProgramModel,
  engine: Engine = 'auto',
  room?: TextRoom,
): Scorer {
  const plain: Scorer = { kind: 'js', score: (text, asked) => scorePlainly(model, text, asked) };
  if (engine === 'js' || !kernelModule) return plain;
  const { memory, units } = program;
  const args = takeScratch(memory, argsBytes + pieceBytes + model.tags.length * 2);
  if (args === undefined) return plain;
  const kernel = new WebAssembly.Instance(kernelModule, { env: { memory } }).exports as unknown as Kernel;
  const textAt = args + argsBytes;
  const words = new Int32Array(memory.buffer, args, argsBytes / 4);
  words[word.units] = units.byteOffset;
  words[word.text] = textAt;
  words[word.kinds] = textAt + roomUnits * 2;
  words[word.starts] = textAt + roomUnits * 3;
  words[word.ends] = textAt + roomUnits * 5;
  words[word.heads] = model.heads.length;
  const { wordBuckets, gramBuckets, entrySizes } = model;
  const gramSlot = wordBuckets * slotsPerBucket;
  const table = (firstSlot: number, buckets: number, entryBytes: number) => [
    model.tags.byteOffset + 2 * firstSlot,
    model.entries.byteOffset + entryAt(model, firstSlot),
    buckets,
    Math.log2(entryBytes),
    textAt + pieceBytes + 2 * firstSlot,
  ];
  words.set(table(0, wordBuckets, entrySizes.word), word.words);
  words.set(table(gramSlot, gramBuckets, entrySizes.gram), word.grams);
  words[word.stampBytes] = 2 * model.tags.length;
  words[word.block] = firstBlock;
  const headNumbers = new Float64Array(memory.buffer, args + headsAt, 4 * headsMax);
  headNumbers.set(model.heads.flatMap(({ bias, scale, cut }) => [bias, 2 * scale, cut, 0]));
  new Int32Array(memory.buffer, args + powersAt, wordUnits).set(hashPowers(wordUnits));
  new Uint8Array(memory.buffer, args + oddAt, wordUnits).fill((unitKind.digit | unitKind.joiner) & 0x7f);
  new Uint8Array(memory.buffer, args + keptAt, 2 * wordUnits).fill(0xff);
  new Uint8Array(memory.buffer, args + asciiKindsAt, 128).set(units.subarray(0, 128));
  const piece = Buffer.from(memory.buffer, textAt, pieceUnits * 2);
  const sums = new Float64Array(memory.buffer, args + bestAt, 2 * headsMax);
  const places = new Int32Array(memory.buffer, args + bestAt, 4 * headsMax);
  const strangeOfPiece = (): Int32Array => words.subarray(strangeAt / 4, (words[word.strangeEnd] - args) / 4);
  return {
    kind: 'wasm',
    score: (text, asked) => {
      words[word.asked] = asked;
      const { length } = text;
      const isHere = room?.holds(text) === true;
      let strange: number[] | undefined;
      let from = 0;
      do {
        const to = Math.min(length, from + pieceUnits);
        if (isHere) words[word.text] = room.at + 2 * from;
        else piece.write(length <= pieceUnits ? text : text.slice(from, to), 0, 'utf16le');
        kernel.score(args, to - from, (from === 0 ? 1 : 0) | (to === length ? 2 : 0));
        if (words[word.strangeEnd] > args + strangeAt) strange = joinStrange(strange, strangeOfPiece());
        from = to;
      } while (from < length);
      if (isHere) {
        room.spoil();
        words[word.text] = textAt;
      }
      const best = model.heads.map((_, head) =>
        places[4 * head + 2] < 0
          ? undefined
          : { sum: sums[2 * head], start: places[4 * head + 2], end: places[4 * head + 3] },
      );
      return { best, strange: strange ?? noneStrange };
    },
  };
}

function joinStrange(before: number[] = [], some: Int32Array): number[] {
  for (let i = 0; i < some.length && before.length < strangeMax; i++) before.push(some[i]);
  return before;
}
