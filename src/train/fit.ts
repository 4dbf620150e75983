import { windowTokens } from '../engine/learned/plain-scorer.js';
import { type Document, featuresIn } from './document.js';
import type { Example, Learner, Weights } from './learner.js';
import { seededRandom } from './random.js';
import { WindowFinder, windowStarts } from './windows.js';

/** A text to learn from. */
export interface Lesson {
  readonly document: Document;
  /** Hashes of its tokens. */
  readonly tokens: readonly number[];
  readonly isAttack: boolean;
  /** How many times as much it weighs as others of its kind. */
  readonly weight: number;
}

export interface FitOptions {
  readonly learner: Learner;
  /** The C of benign windows; attacks weigh `attackFactor` times as much. */
  readonly cost: number;
  readonly attackFactor: number;
  /** What is added to the squares of every window: see `Head`. */
  readonly prior: number;
  readonly passes: number;
  /** Times that windows are chosen anew by the weights learned so far. */
  readonly rounds: number;
  /** Share of the weights that is learned from whole texts, from 0 to 1: the rest is from windows. */
  readonly wholeTexts: number;
  readonly seed: number;
  /** Places a short attack between two benign texts; gives the document. */
  readonly embed: (tokens: readonly number[]) => Document;
}

/** Windows of one benign text that are taken at random. */
const benignWindowsMax = 3;
/** Attacks of fewer tokens are also shown between benign texts. */
export const embeddedTokensMax = 60;

/**
 * Learns the weights of one head twice, and mixes them as `wholeTexts` says: from whole texts, and from windows, which are an
 * attack's best one, benign ones at random and, from the second round on, those that look most like an attack. `values` are
 * those of the features; 0 takes a feature out. Without rounds there are only whole texts.
 */
export function fitWeights(lessons: readonly Lesson[], values: Float32Array, options: FitOptions): Weights {
  const finder = new WindowFinder(values.length);
  const random = seededRandom(options.seed);
  const exampleOf = (features: Int32Array, { isAttack, weight }: Lesson): Example => {
    const known = features.filter((feature) => values[feature] > 0);
    let squares = options.prior;
    for (const feature of known) squares += values[feature] * values[feature];
    const norm = Math.sqrt(squares) || 1;
    return {
      features: known,
      values: Float32Array.from(known, (feature) => values[feature] / norm),
      isAttack,
      cost: weight * (isAttack ? options.cost * options.attackFactor : options.cost),
    };
  };
  const allOf = (document: Document) => featuresIn(document, 0, document.tokenCount);
  const wholeOf = (lesson: Lesson) => exampleOf(allOf(lesson.document), lesson);
  const windowOf = (lesson: Lesson, from: number) =>
    exampleOf(featuresIn(lesson.document, from, from + windowTokens), lesson);
  const learn = (examples: readonly Example[]) =>
    options.learner(examples, values.length, options.passes, options.seed);

  const attacks = lessons.filter(({ isAttack }) => isAttack);
  const benign = lessons.filter(({ isAttack }) => !isAttack);
  const benignExamples = benign.flatMap((lesson) => {
    const starts = windowStarts(lesson.document.tokenCount);
    const count = Math.min(benignWindowsMax, starts.length);
    return Array.from({ length: count }, () => windowOf(lesson, starts[Math.floor(random() * starts.length)]));
  });
  const ofWholeTexts = learn([...attacks.map(wholeOf), ...benign.map(wholeOf)]);
  let weights = ofWholeTexts;
  for (let round = 0; round < options.rounds; round++) {
    const best = (lesson: Lesson) =>
      windowOf(lesson, finder.best(lesson.document, values, weights, options.prior).from);
    const attackExamples = attacks.flatMap((lesson) => {
      if (lesson.document.tokenCount >= embeddedTokensMax) return [best(lesson)];
      return [wholeOf(lesson), exampleOf(allOf(options.embed(lesson.tokens)), lesson)];
    });
    if (round > 0) {
      for (const lesson of benign) if (lesson.document.tokenCount > windowTokens) benignExamples.push(best(lesson));
    }
    weights = learn([...attackExamples, ...benignExamples]);
  }
  const { wholeTexts } = options;
  return weights.map((weight, feature) => (1 - wholeTexts) * weight + wholeTexts * ofWholeTexts[feature]);
}

/**
 * Value of each feature: ln((1 + N) / (1 + df)) + 1, rounded to halves as a model keeps it, where df of the N lessons
 * have it; 0 below `frequencyMin`.
 */
export function featureValues(
  lessons: readonly Lesson[],
  featureCount: number,
  frequencyMin: number,
): { readonly values: Float32Array; readonly frequencies: Int32Array } {
  const frequencies = new Int32Array(featureCount);
  for (const { document } of lessons) {
    for (const feature of featuresIn(document, 0, document.tokenCount)) frequencies[feature]++;
  }
  const values = Float32Array.from(frequencies, (frequency) =>
    frequency < frequencyMin ? 0 : Math.round(2 * (Math.log((1 + lessons.length) / (1 + frequency)) + 1)) / 2,
  );
  return { values, frequencies };
}
