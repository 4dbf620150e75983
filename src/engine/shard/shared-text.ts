import { cellUnits } from '../automaton/searcher.js';

/**
 * One text that several threads scan together, and all that they tell each other about it, in one shared memory. Threads
 * claim cells of the search and items of the rest by counting up, so each is done once, by whoever is free; a thread
 * that comes late finds less to do, and one that never comes delays nobody.
 *
 *     control   32-bit words: those of `word`; for each cell the number of its hits, plus one; for each item where its
 *               result begins, plus one, and its length
 *     text      UTF-16 units
 *     hits      for each cell `hitsMax` pairs of output and end
 *     results   words of the items, one after the other
 *
 * What does not fit says so, and whoever needs it works it out again: memory is bounded by the text, answers are exact.
 */
export interface SharedText {
  readonly memory: SharedArrayBuffer;
  readonly units: number;
}

/** A text is cut into so many items at the most. The last one is its views. */
const itemsMax = 64;
export const viewsItem: number = itemsMax - 1;

const word = {
  nextCell: 0,
  nextItem: 1,
  viewsClaimed: 2,
  progress: 3,
  state: 4,
  resultsEnd: 5,
  called: 6,
  crowded: 7,
  first: 8,
} as const;
/** States of the scan as a whole. */
const open = 0;
const over = 1;
const failed = 2;

/** Hits of a cell for which there is room: four times what ordinary text has. */
const hitsMax = 1 << 13;
/** With a larger share of crowded cells a text is a flood: its hits are not shared, each thread searches for itself. */
const crowdedShareMax = 1 / 8;
const resultWordsMax = 1 << 16;
/** In the place of a count or an offset: there was no room. */
const noRoom = -1;
/** Ends a search whose hits find no room. */
const crowdedSignal = new Error('more hits in a cell than there is room for');
/** Longest time that a thread sleeps before it looks again whether the scan has failed. */
const sleepMs = 1_000;

/** Copies a text into shared memory. Cost: a copy. */
export function shareText(text: string): SharedText {
  const { textAt, bytes } = layoutOf(text.length);
  const memory = new SharedArrayBuffer(bytes);
  Buffer.from(memory, textAt, text.length * 2).write(text, 'utf16le');
  return { memory, units: text.length };
}

/** Says to all threads that nobody needs the scan any more, or that one of them was lost. Wakes those that wait. */
export function endSharing({ memory }: SharedText, isFailed: boolean): void {
  const control = new Int32Array(memory, 0, word.first);
  Atomics.compareExchange(control, word.state, open, isFailed ? failed : over);
  Atomics.add(control, word.progress, 1);
  Atomics.notify(control, word.progress);
}

/** Asks the threads that help to come back as soon as what they do is done, or tells them that they may stay. */
export function callHelpersBack({ memory }: SharedText, isCalled: boolean): void {
  Atomics.store(new Int32Array(memory, 0, word.first), word.called, isCalled ? 1 : 0);
}

/** A thread that the scan needs was lost before it told what it found. */
export class ShardLostError extends Error {
  constructor() {
    super('a thread of a sharded scan was lost');
    this.name = 'ShardLostError';
  }
}

/** A shared text as one thread sees it. */
export class TextShare {
  readonly text: string;
  readonly cells: number;
  private readonly control: Int32Array;
  private readonly hits: Int32Array;
  private readonly results: Int32Array;

  constructor({ memory, units }: SharedText) {
    const { cells, controlWords, textAt, hitsAt, resultsAt } = layoutOf(units);
    this.cells = cells;
    this.control = new Int32Array(memory, 0, controlWords);
    this.text = Buffer.from(memory, textAt, units * 2).toString('utf16le');
    this.hits = new Int32Array(memory, hitsAt, cells * hitsMax * 2);
    this.results = new Int32Array(memory, resultsAt, resultWordsMax);
  }

  /** True once nobody needs the scan any more. */
  get isOver(): boolean {
    return Atomics.load(this.control, word.state) !== open;
  }

  /** Says so: all is found. */
  end(): void {
    Atomics.compareExchange(this.control, word.state, open, over);
  }

  /** True while those who only help are needed elsewhere. */
  get isCalledBack(): boolean {
    return Atomics.load(this.control, word.called) !== 0;
  }

  /** True if there are so many hits that it is no use to share them. */
  get isFlooded(): boolean {
    return Atomics.load(this.control, word.crowded) > this.cells * crowdedShareMax;
  }

  /** A cell that nobody has searched and that is worth it, or −1. */
  claimCell(): number {
    if (this.isFlooded) return -1;
    const cell = Atomics.add(this.control, word.nextCell, 1);
    return cell < this.cells ? cell : -1;
  }

  /** Keeps the hits of a claimed cell, which `search` hands out; gives up where there is no room for them. */
  keepHits(cell: number, search: (sink: (output: number, end: number) => void) => void): void {
    const { hits, control } = this;
    const first = cell * hitsMax * 2;
    const end = first + hitsMax * 2;
    let at = first;
    try {
      search((output, hitEnd) => {
        if (at === end) throw crowdedSignal;
        hits[at] = output;
        hits[at + 1] = hitEnd;
        at += 2;
      });
      Atomics.store(control, word.first + cell, (at - first) / 2 + 1);
    } catch (error) {
      if (error !== crowdedSignal) throw error;
      Atomics.store(control, word.first + cell, noRoom);
      Atomics.add(control, word.crowded, 1);
    }
  }

  /** Pairs of output and end; undefined where nobody has them ready. */
  hitsOf(cell: number): Int32Array | undefined {
    const kept = Atomics.load(this.control, word.first + cell);
    const first = cell * hitsMax * 2;
    return kept > 0 ? this.hits.subarray(first, first + 2 * (kept - 1)) : undefined;
  }

  /** The next of `count` items that nobody has taken, or −1. */
  claimItem(count: number): number {
    const item = Atomics.add(this.control, word.nextItem, 1);
    return item < count ? item : -1;
  }

  /** True for the one thread that is to look at the text's views. */
  claimViews(): boolean {
    return Atomics.exchange(this.control, word.viewsClaimed, 1) === 0;
  }

  /** Keeps the result of a claimed item. */
  keepResult(item: number, words: readonly number[]): void {
    const at = this.itemAt(item);
    const begin = Atomics.add(this.control, word.resultsEnd, words.length);
    const fits = begin >= 0 && begin + words.length <= resultWordsMax;
    if (fits) {
      this.results.set(words, begin);
      Atomics.store(this.control, at + 1, words.length);
    }
    Atomics.store(this.control, at, fits ? begin + 1 : noRoom);
    Atomics.add(this.control, word.progress, 1);
    Atomics.notify(this.control, word.progress);
  }

  /**
   * Result of an item that somebody has claimed: waits for it. Undefined where there was no room for it. Throws
   * `ShardLostError` when it will never come.
   */
  resultOf(item: number): Int32Array | undefined {
    const { control } = this;
    const at = this.itemAt(item);
    for (;;) {
      const seen = Atomics.load(control, word.progress);
      const begin = Atomics.load(control, at);
      if (begin === noRoom) return undefined;
      if (begin > 0) return this.results.subarray(begin - 1, begin - 1 + Atomics.load(control, at + 1));
      if (this.isOver) throw new ShardLostError();
      Atomics.wait(control, word.progress, seen, sleepMs);
    }
  }

  private itemAt(item: number): number {
    return word.first + this.cells + 2 * item;
  }
}

function layoutOf(units: number) {
  const cells = Math.ceil(units / cellUnits);
  const controlWords = word.first + cells + 2 * itemsMax;
  const textAt = controlWords * 4;
  const hitsAt = (textAt + units * 2 + 3) & ~3;
  const resultsAt = hitsAt + cells * hitsMax * 2 * 4;
  return { cells, controlWords, textAt, hitsAt, resultsAt, bytes: resultsAt + resultWordsMax * 4 };
}
