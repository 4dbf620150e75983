import { FeatureMaker, isWord } from './features.js';
import {
  aloneFrom,
  blockTokens,
  classOf,
  findSlot,
  type Head,
  type Model,
  slotsPerBucket,
  twiceValueOf,
  weightOf,
  windowBlocks,
} from './model.js';
import { eachToken } from './tokens.js';

/** Where a head's sum is highest in a text. */
export interface BestWindow {
  readonly sum: number;
  /** UTF-16 units, half-open: from the window's first token to its last. */
  readonly start: number;
  readonly end: number;
}

/** What a model says of a text. */
export interface Scores {
  /** Of each head that is asked the best window, the first of equals, if it looks at any. */
  readonly best: readonly (BestWindow | undefined)[];
  /**
   * Offsets of the words that the model does not know, ascending, in windows that have unusually many (see `isStrange`); the
   * first `strangeMax` of them.
   */
  readonly strange: readonly number[];
}

export const strangeMax = 65_536;
export const noneStrange: readonly number[] = [];

/** A text as a model sees it: its tokens, and the features that the model knows. */
export interface Reading {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Tokens that are no word of the model's. */
  readonly unknown: readonly number[];
  /** By the token that ends them. */
  readonly occurrences: readonly Occurrence[];
}

/** A feature that the model knows, by its slot: made of the tokens from `first` to `token`. */
interface Occurrence {
  readonly slot: number;
  readonly token: number;
  readonly first: number;
}

/** Reads a text for a model. Linear in the text. */
export function readText(model: Model, text: string): Reading {
  const starts: number[] = [];
  const ends: number[] = [];
  const unknown: number[] = [];
  const occurrences: Occurrence[] = [];
  // What was taken as a feature was asked for its class right before.
  let lastHash = Number.NaN;
  let lastSlot = -1;
  const slotOf = (hash: number): number => {
    if (hash !== lastHash) lastSlot = findSlot(model, hash);
    lastHash = hash;
    return lastSlot;
  };
  const classNamed = (hash: number): number => {
    const slot = slotOf(hash);
    return slot < 0 ? 0 : classOf(model, slot);
  };
  const maker = new FeatureMaker(classNamed, (hash, token, first) => {
    const slot = slotOf(hash);
    if (slot < 0 && isWord(hash)) unknown.push(token);
    if (slot >= 0 && twiceValueOf(model, slot) > 0) occurrences.push({ slot, token, first });
  });
  eachToken(text, (hash, start, end) => {
    starts.push(start);
    ends.push(end);
    maker.add(hash);
  });
  return { starts, ends, unknown, occurrences };
}

/**
 * The windows of a text of that many tokens: `windowBlocks` blocks each, one block apart, the last one ending with the
 * text. A text that is no longer is one window. A feature is in the window that its last token is in.
 */
export function windowsOf(tokenCount: number): readonly { readonly from: number; readonly to: number }[] {
  const windows: { from: number; to: number }[] = [];
  let from = 0;
  for (; from + windowTokens < tokenCount; from += blockTokens) windows.push({ from, to: from + windowTokens });
  windows.push({ from, to: tokenCount });
  return windows;
}

export const windowTokens: number = blockTokens * windowBlocks;

/** The heads that are asked have a bit, 1 << head. The plain twin of the kernel, window by window. */
export function scorePlainly(model: Model, text: string, asked: number): Scores {
  const { starts, ends, unknown, occurrences } = readText(model, text);
  const best: (BestWindow | undefined)[] = model.heads.map(() => undefined);
  if (starts.length === 0) return { best, strange: noneStrange };
  const words = model.wordBuckets * slotsPerBucket;
  const strange = new Set<number>();
  for (const { from, to } of windowsOf(starts.length)) {
    const unknownHere = unknown.filter((token) => token >= from && token < to);
    if (isStrange(unknownHere.length, to - from, ends[to - 1] - starts[from]))
      for (const token of unknownHere) strange.add(starts[token]);
    const slots = new Set(occurrences.filter(({ token }) => token >= from && token < to).map(({ slot }) => slot));
    const wordSlots = [...slots].filter((slot) => slot < words);
    model.heads.forEach(({ bias, scale, cut }, head) => {
      if (((asked >> head) & 1) === 0) return;
      const alone = sumUp(model, aloneFrom(model) + head, wordSlots);
      if ((alone.squares === 0 ? 0 : alone.weights / Math.sqrt(alone.squares)) < cut) return;
      const { weights, squares } = sumUp(model, head, slots);
      const sum = squares === 0 ? bias : bias + (2 * scale * weights) / rootOf(model.heads[head], squares);
      if (sum > (best[head]?.sum ?? Number.NEGATIVE_INFINITY)) {
        best[head] = { sum, start: starts[from], end: ends[to - 1] };
      }
    });
  }
  return { best, strange: [...strange].sort((a, b) => a - b).slice(0, strangeMax) };
}

/**
 * Whether a window has unusually many unknown words, as misspelt or torn ones are: two, and one in thirty units. Of
 * English messages a seventh have such windows. Where tokens are shorter than a unit and a third on average it is a script
 * without spaces.
 */
function isStrange(unknown: number, tokens: number, units: number): boolean {
  return unknown >= 2 && unknown * 30 >= units && tokens * 4 <= units * 3;
}

/** Sums of features that are present, in whole numbers: so the kernel and its twin agree to the last bit. */
function sumUp(model: Model, weight: number, slots: Iterable<number>): { weights: number; squares: number } {
  let weights = 0;
  let squares = 0;
  for (const slot of slots) {
    weights += weightOf(model, slot, weight);
    squares += twiceValueOf(model, slot) ** 2;
  }
  return { weights, squares };
}

/** What a head's weights are divided by, where the squares of twice the values sum up to so much. */
export function rootOf({ prior }: Head, squares: number): number {
  return Math.sqrt(squares + 4 * prior);
}
