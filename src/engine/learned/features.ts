/**
 * Features of a text, each a 32-bit hash at the token that ends it:
 *
 *     the token; it and the one before; it and the two before
 *     where the n-gram names a word class: the class, in place of a pair or a triple; it after each of up to `classesBack`
 *     class words at most `classReach` tokens before, by three sizes of the gap; it after the last two of them
 *
 * The hash of a single token is below 0, all others are not. Word classes (to ignore, earlier, instructions, to reveal …)
 * are what makes words of a dozen languages one feature. The kernel makes the same ones in the same order.
 */
const classesBack = 3;
/** Tokens between a class word and an earlier one that is a pair with it, at the most. */
const classReach = 8;

/** Kinds of features: seeds of their hashes. */
const featureSeed = {
  token: 1,
  pair: 2,
  triple: 3,
  class: 0x71,
  near: 0x74,
  far: 0x75,
  wide: 0x76,
  chain: 0x79,
} as const;

/** The word class (from 1) of an n-gram by its hash, or 0. */
export type ClassOf = (hash: number) => number;

/** Called for every feature with the number of the token that ends it and of the first one that it is made of. */
export type FeatureSink = (hash: number, token: number, first: number) => void;

/** Makes the features of tokens as they come. One for each text. */
export class FeatureMaker {
  private readonly classOf: ClassOf;
  private readonly sink: FeatureSink;
  private token = 0;
  private last = 0;
  private beforeLast = 0;
  /** Class words: newest first, with the token that ends each. */
  private readonly classes: { readonly wordClass: number; readonly token: number }[] = [];

  constructor(classOf: ClassOf, sink: FeatureSink) {
    this.classOf = classOf;
    this.sink = sink;
  }

  add(hash: number): void {
    const { token, last, beforeLast } = this;
    this.addGram(wordHash(hash), token);
    if (token > 0) {
      const pair = mix(last, mix(hash, featureSeed.pair));
      this.addGram(positive(pair), token - 1);
      if (token > 1) this.addGram(positive(mix(mix(beforeLast, featureSeed.triple), pair)), token - 2);
    }
    this.beforeLast = last;
    this.last = hash;
    this.token = token + 1;
  }

  private addGram(hash: number, first: number): void {
    const { token, sink } = this;
    const wordClass = this.classOf(hash);
    if (wordClass === 0 || isWord(hash)) sink(hash, token, first);
    if (wordClass === 0) return;
    sink(positive(mix(wordClass, featureSeed.class)), token, first);
    const { classes } = this;
    const before = classes.filter((other) => other.token < token && token - other.token <= classReach);
    for (let place = 0; place < before.length && place < classesBack; place++) {
      const other = before[place];
      sink(positive(mix(mix(other.wordClass, wordClass), gapSeed(token - other.token))), token, other.token);
    }
    if (before.length > 1) {
      sink(
        positive(mix(mix(mix(before[1].wordClass, before[0].wordClass), wordClass), featureSeed.chain)),
        token,
        before[1].token,
      );
    }
    classes.unshift({ wordClass, token });
    if (classes.length > classesKept) classes.pop();
  }
}

/** Class words of one token (three n-grams may name one each) and those before it. */
const classesKept = classesBack + 3;

function gapSeed(gap: number): number {
  if (gap === 1) return featureSeed.near;
  return gap <= 3 ? featureSeed.far : featureSeed.wide;
}

/** Joins two hashes: a multiplication and the finish of MurmurHash3 (public domain), shortened. */
function mix(a: number, b: number): number {
  const joined = Math.imul(a, 0x9e3779b1) ^ b;
  const spread = Math.imul(joined ^ (joined >>> 16), 0x85ebca6b);
  return spread ^ (spread >>> 13);
}

/** Whether a feature is a single token. */
export function isWord(feature: number): boolean {
  return feature < 0;
}

function wordHash(token: number): number {
  return mix(token, featureSeed.token) | 0x80000000;
}

function positive(hash: number): number {
  return hash & 0x7fffffff;
}

/** The hash of an n-gram of one to three tokens, as `FeatureMaker` makes it. */
export function gramHash(tokens: readonly number[]): number {
  const [last = 0, before = 0, first = 0] = [...tokens].reverse();
  if (tokens.length === 1) return wordHash(last);
  const pair = mix(before, mix(last, featureSeed.pair));
  return positive(tokens.length === 2 ? pair : mix(mix(first, featureSeed.triple), pair));
}
