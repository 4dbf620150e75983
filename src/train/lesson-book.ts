import { limits } from '../domain/limits.js';
import type { PolicyCode } from '../domain/policy.js';
import { type Document, FeatureIndex, featuresIn, readDocument, tokenHashes } from './document.js';
import type { Lexicon } from './lexicon.js';

/** A labelled message as training sees it. */
export interface TrainingSample {
  readonly id: string;
  readonly text: string;
  /** Other readings of the text, as the engine makes them. */
  readonly views: readonly string[];
  readonly isAttack: boolean;
  readonly policies: readonly PolicyCode[];
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly lang: string;
  readonly license: string;
  readonly source: string;
  /** Sources that must not be on both sides of a fold: of one author, or made from one another. */
  readonly family: string;
  /** False for samples that are only judged. */
  readonly isLearned: boolean;
  /** False for samples that say nothing of real traffic: learned from, but no part of what thresholds are set by. */
  readonly isCounted: boolean;
  /** True for benign samples of which whole sources are in a fold, and of which the model may flag few by itself. */
  readonly isOrdinary: boolean;
  /** −ln Π(1 − score) over the rules that hit, by policy. */
  readonly evidence: Readonly<Partial<Record<PolicyCode, number>>>;
}

/** A sample read into features. */
export interface Read {
  readonly sample: TrainingSample;
  readonly tokens: readonly number[];
  readonly document: Document;
  readonly views: readonly Document[];
}

export interface LessonBook {
  readonly reads: readonly Read[];
  readonly index: FeatureIndex;
  readonly lexicon: Lexicon;
}

/**
 * Reads samples into the features that at least `frequencyMin` of those to be learned from have. The engine cuts no
 * text off; here the first `limits.trainTextUnitsMax` units of each are read.
 */
export function readLessons(
  samples: readonly TrainingSample[],
  lexicon: Lexicon,
  frequencyMin: number,
  advance: () => void,
): LessonBook {
  const all = new FeatureIndex();
  const cutOff = (text: string) => text.slice(0, limits.trainTextUnitsMax);
  const texts = samples.map(({ text }) => cutOff(text));
  const tokens = texts.map(tokenHashes);
  let frequencies = new Int32Array(1 << 20);
  samples.forEach(({ isLearned }, place) => {
    advance();
    if (!isLearned) return;
    const document = readDocument(tokens[place], texts[place].length, lexicon, (hash) => all.numberOf(hash));
    if (all.size > frequencies.length) {
      const grown = new Int32Array(2 * all.size);
      grown.set(frequencies);
      frequencies = grown;
    }
    for (const feature of featuresIn(document, 0, document.tokenCount)) frequencies[feature]++;
  });
  const index = new FeatureIndex();
  all.hashes.forEach((hash, number) => {
    if (frequencies[number] >= frequencyMin) index.numberOf(hash);
  });
  const reads = samples.map((sample, place): Read => {
    advance();
    const read = (hashes: readonly number[], { length }: string) =>
      readDocument(hashes, length, lexicon, (hash) => index.find(hash));
    const views = sample.views.map(cutOff).map((view) => read(tokenHashes(view), view));
    return { sample, tokens: tokens[place], document: read(tokens[place], texts[place]), views };
  });
  return { reads, index, lexicon };
}
