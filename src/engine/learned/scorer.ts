import type { Engine } from '../automaton/searcher.js';
import { compileKernel, takeScratch } from '../kernel-loader.js';
import type { Program, ProgramModel } from '../program.js';
import type { TextRoom } from '../text/text-room.js';
import { kernelBase64 } from './kernel.generated.js';
import { entryAt, headsMax, type Model, slotsPerBucket } from './model.js';
import { type BestWindow, noneStrange, type Scores, scorePlainly, strangeMax } from './plain-scorer.js';
import { hashPowers } from './tokens.js';
import { unitKind } from './units.js';

/** One thread's way to score texts by models. Not for use by two threads. */
export interface Scorer {
  readonly kind: 'wasm' | 'js';
  /**
   * What each of the models says: to the bit what `scorePlainly` gives. Linear in the text, which is cut into tokens once.
   *
   * @param asked for each model a bit for each of its heads, 1 << head; of a model without one nothing is said
   */
  score(text: string, asked: ArrayLike<number>): readonly Scores[];
}

/** Texts go through the kernel in pieces of this many units. */
export const pieceUnits = 2_048;

/** The kernel reads over the end of a piece. */
const roomUnits = pieceUnits + 64;
/** The piece, the kinds of its units, where its tokens begin and where they end. */
const pieceBytes = roomUnits * (2 + 1 + 2 + 2);

/** The parameters and state of `wasm/kernel.ts`; behind them what belongs to the piece, and the slots' stamps. */
const argsBytes = 10_400;
const headsAt = 10_016;
const bestAt = 10_272;
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
  next: 103,
  namesStrange: 104,
};
const firstBlock = 8;

interface Kernel {
  /** The scratch, units of the piece, and its edges: 1 where the text begins, 2 where it ends. */
  score(args: number, length: number, edges: number): void;
}

const kernelModule = compileKernel(kernelBase64);

/**
 * The fastest scorer that the platform allows: the WebAssembly kernel, or the plain one, which `engine: 'js'` asks for. What stands in
 * the room is scored there, and changed by it; any other text is copied. Of the models that are asked the first one names strange words.
 * The kernel's takes 26 KB and two bytes a slot for each model out of the program's memory, for good, where it is asked first.
 */
export function createScorer(
  program: Program,
  models: readonly ProgramModel[],
  engine: Engine = 'auto',
  room?: TextRoom,
): Scorer {
  const plain: Scorer = { kind: 'js', score: (text, asked) => scoreAllPlainly(models, text, asked) };
  if (engine === 'js' || !kernelModule) return plain;
  const { memory } = program;
  const pieceAt = takeScratch(memory, pieceBytes);
  if (pieceAt === undefined) return plain;
  const { score } = new WebAssembly.Instance(kernelModule, { env: { memory } }).exports as unknown as Kernel;
  const piece = Buffer.from(memory.buffer, pieceAt, pieceUnits * 2);
  const desks: (Desk | undefined)[] = [];
  const deskOf = (number: number): Desk | undefined => {
    desks[number] ??= createDesk(program, models[number].model, pieceAt);
    return desks[number];
  };
  /** Has the first of the models that are asked read a text, and with it the others. */
  const read = ({ at: args, words }: Desk, text: string): readonly number[] => {
    const { length } = text;
    const isHere = room?.holds(text) === true;
    let strange: number[] | undefined;
    let from = 0;
    do {
      const to = Math.min(length, from + pieceUnits);
      if (isHere) words[word.text] = room.at + 2 * from;
      else piece.write(length <= pieceUnits ? text : text.slice(from, to), 0, 'utf16le');
      score(args, to - from, (from === 0 ? 1 : 0) | (to === length ? 2 : 0));
      if (words[word.strangeEnd] > args + strangeAt) {
        strange = joinStrange(strange, words.subarray(strangeAt / 4, (words[word.strangeEnd] - args) / 4));
      }
      from = to;
    } while (from < length);
    if (isHere) {
      room.spoil();
      words[word.text] = pieceAt;
    }
    return strange ?? noneStrange;
  };
  return {
    kind: 'wasm',
    score: (text, asked) => {
      let next = 0;
      let first: Desk | undefined;
      for (let number = models.length - 1; number >= 0; number--) {
        if (asked[number] === 0) continue;
        const desk = deskOf(number);
        if (desk === undefined) return plain.score(text, asked);
        desk.words[word.asked] = asked[number];
        desk.words[word.next] = next;
        desk.words[word.namesStrange] = 0;
        next = desk.at;
        first = desk;
      }
      if (first === undefined) return models.map(() => nothingSaid);
      first.words[word.namesStrange] = 1;
      const strange = read(first, text);
      return models.map((_, number) => {
        const desk = asked[number] === 0 ? undefined : desks[number];
        if (desk === undefined) return nothingSaid;
        return { best: desk.best(), strange: desk === first ? strange : noneStrange };
      });
    },
  };
}

const nothingSaid: Scores = { best: [], strange: noneStrange };

/** The plain twin. */
function scoreAllPlainly(models: readonly ProgramModel[], text: string, asked: ArrayLike<number>): readonly Scores[] {
  let isFirst = true;
  return models.map(({ model }, number) => {
    if (asked[number] === 0) return nothingSaid;
    const { best, strange } = scorePlainly(model, text, asked[number]);
    const named = isFirst ? strange : noneStrange;
    isFirst = false;
    return { best, strange: named };
  });
}

/** A model's scratch, as `wasm/kernel.ts` lays it out. */
interface Desk {
  readonly at: number;
  readonly words: Int32Array;
  /** The best windows of the text that was read last. */
  best(): readonly (BestWindow | undefined)[];
}

/** Undefined where the memory is at its maximum. */
function createDesk({ memory, units }: Program, model: Model, textAt: number): Desk | undefined {
  const at = takeScratch(memory, argsBytes + model.tags.length * 2);
  if (at === undefined) return undefined;
  const words = new Int32Array(memory.buffer, at, argsBytes / 4);
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
    at + argsBytes + 2 * firstSlot,
  ];
  words.set(table(0, wordBuckets, entrySizes.word), word.words);
  words.set(table(gramSlot, gramBuckets, entrySizes.gram), word.grams);
  words[word.stampBytes] = 2 * model.tags.length;
  words[word.block] = firstBlock;
  const headNumbers = new Float64Array(memory.buffer, at + headsAt, 4 * headsMax);
  headNumbers.set(model.heads.flatMap(({ bias, scale, cut, prior }) => [bias, 2 * scale, cut, 4 * prior]));
  new Int32Array(memory.buffer, at + powersAt, wordUnits).set(hashPowers(wordUnits));
  new Uint8Array(memory.buffer, at + oddAt, wordUnits).fill((unitKind.digit | unitKind.joiner) & 0x7f);
  new Uint8Array(memory.buffer, at + keptAt, 2 * wordUnits).fill(0xff);
  new Uint8Array(memory.buffer, at + asciiKindsAt, 128).set(units.subarray(0, 128));
  const sums = new Float64Array(memory.buffer, at + bestAt, 2 * headsMax);
  const places = new Int32Array(memory.buffer, at + bestAt, 4 * headsMax);
  const none = model.heads.map(() => undefined);
  const startOf = (head: number) => places[4 * head + 2];
  return {
    at,
    words,
    best: () => {
      if (none.every((_, head) => startOf(head) < 0)) return none;
      return none.map((_, head) =>
        startOf(head) < 0 ? undefined : { sum: sums[2 * head], start: startOf(head), end: places[4 * head + 3] },
      );
    },
  };
}

function joinStrange(before: number[] = [], some: Int32Array): number[] {
  for (let i = 0; i < some.length && before.length < strangeMax; i++) before.push(some[i]);
  return before;
}
