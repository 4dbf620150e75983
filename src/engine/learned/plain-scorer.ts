import { FeatureMaker } from './features.js';
import { blockTokens, entryBytes, findSlot, type Model, windowBlocks } from './model.js';
import { eachToken } from './tokens.js';

/** Where a head's sum is highest in a text. */
export interface BestWindow {
  readonly sum: number;
  /** UTF-16 units, half-open: from the window's first token to its last. */
  readonly start: number;
  readonly end: number;
}

/** A text as a model sees it: its tokens, and the features that the model knows. */
export interface Reading {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
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
  const occurrences: Occurrence[] = [];
  // Of an n-gram the class is asked for right after it was taken as a feature.
  let lastHash = Number.NaN;
  let lastSlot = -1;
  const slotOf = (hash: number): number => {
    if (hash !== lastHash) lastSlot = findSlot(model, hash);
    lastHash = hash;
    return lastSlot;
  };
  const classOf = (hash: number): number => {
    const slot = slotOf(hash);
    return slot < 0 ? 0 : model.entries[slot * entryBytes + 1];
  };
  const maker = new FeatureMaker(classOf, (hash, token, first) => {
    const slot = slotOf(hash);
    if (slot >= 0 && model.entries[slot * entryBytes] > 0) occurrences.push({ slot, token, first });
  });
  eachToken(text, (hash, start, end) => {
    starts.push(start);
    ends.push(end);
    maker.add(hash);
  });
  return { starts, ends, occurrences };
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

/**
 * The best window of each head, the first of equals: the plain twin of the kernel, window by window. Empty for a text
 * without tokens.
 */
export function scorePlainly(model: Model, text: string): readonly BestWindow[] {
  const { starts, ends, occurrences } = readText(model, text);
  if (starts.length === 0) return [];
  const best: BestWindow[] = [];
  for (const { from, to } of windowsOf(starts.length)) {
    const slots = new Set(occurrences.filter(({ token }) => token >= from && token < to).map(({ slot }) => slot));
    model.heads.forEach((_, head) => {
      const sum = sumOf(model, head, slots);
      if (best[head] === undefined || sum > best[head].sum)
        best[head] = { sum, start: starts[from], end: ends[to - 1] };
    });
  }
  return best;
}

/** A head's sum over features that are present. */
function sumOf({ heads, entries }: Model, head: number, slots: Iterable<number>): number {
  const { bias, scale } = heads[head];
  let weights = 0;
  let squares = 0;
  for (const slot of slots) {
    const value = entries[slot * entryBytes];
    weights += weightOf(entries, slot, head);
    squares += value * value;
  }
  return finishSum(bias, scale, weights, squares);
}

/** The kernel and its twin reckon in whole numbers up to here, and so agree to the last bit. */
function finishSum(bias: number, scale: number, weights: number, squares: number): number {
  return squares === 0 ? bias : bias + (2 * scale * weights) / Math.sqrt(squares);
}

/** The signed weight of a slot for a head. */
export function weightOf(entries: Uint8Array, slot: number, head: number): number {
  return (entries[slot * entryBytes + 2 + head] << 24) >> 24;
}
