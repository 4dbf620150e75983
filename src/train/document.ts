import { lowerBound } from '../domain/lower-bound.js';
import { FeatureMaker } from '../engine/learned/features.js';
import { eachToken } from '../engine/learned/tokens.js';
import type { Lexicon } from './lexicon.js';

/** A text as a list of features: their numbers, each with the token that ends it, in order of tokens. */
export interface Document {
  readonly features: Int32Array;
  readonly tokens: Int32Array;
  readonly tokenCount: number;
  /** UTF-16 units of the text. */
  readonly units: number;
}

/** Hashes of features and their numbers, given in order of appearance. */
export class FeatureIndex {
  /** By number. */
  readonly hashes: number[] = [];
  private readonly numbers = new Map<number, number>();

  get size(): number {
    return this.hashes.length;
  }

  numberOf(hash: number): number {
    const known = this.numbers.get(hash);
    if (known !== undefined) return known;
    this.numbers.set(hash, this.hashes.length);
    return this.hashes.push(hash) - 1;
  }

  find(hash: number): number | undefined {
    return this.numbers.get(hash);
  }
}

/** The hashes of a text's tokens. */
export function tokenHashes(text: string): readonly number[] {
  const hashes: number[] = [];
  eachToken(text, (hash) => hashes.push(hash));
  return hashes;
}

/** Reads the tokens of a text of so many units. Features that `numberOf` has no number for are left out. */
export function readDocument(
  tokens: readonly number[],
  units: number,
  lexicon: Lexicon,
  numberOf: (hash: number) => number | undefined,
): Document {
  const features: number[] = [];
  const places: number[] = [];
  const maker = new FeatureMaker(
    (hash) => lexicon.classes.get(hash) ?? 0,
    (hash, token) => {
      const number = numberOf(hash);
      if (number === undefined) return;
      features.push(number);
      places.push(token);
    },
  );
  for (const hash of tokens) maker.add(hash);
  return { features: Int32Array.from(features), tokens: Int32Array.from(places), tokenCount: tokens.length, units };
}

/** The features of a window of tokens, each once, in ascending order. */
export function featuresIn({ features, tokens }: Document, from: number, to: number): Int32Array {
  const found = features.slice(lowerBound(tokens, from), lowerBound(tokens, to)).sort();
  let kept = 0;
  for (let i = 0; i < found.length; i++) if (i === 0 || found[i] !== found[i - 1]) found[kept++] = found[i];
  return found.subarray(0, kept);
}
