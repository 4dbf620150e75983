import type { PolicyCode } from '../domain/policy.js';
import { encodeModel, type Feature, type Head, slotsPerBucket } from '../engine/learned/model.js';
import { type Budgets, type Calibration, calibrate, type Reckoned } from './calibrate.js';
import { readDocument } from './document.js';
import { type FitOptions, featureValues, fitWeights, type Lesson } from './fit.js';
import { assignFolds } from './folds.js';
import { type Learner, learners, type Weights } from './learner.js';
import { type LessonBook, type Read, readLessons, type TrainingSample } from './lesson-book.js';
import type { Lexicon } from './lexicon.js';
import { seededRandom } from './random.js';
import { WindowFinder } from './windows.js';

export interface TrainOptions {
  readonly name: string;
  readonly heads: readonly HeadOptions[];
  readonly lexicon: Lexicon;
  readonly learner: keyof typeof learners;
  readonly cost: number;
  readonly attackFactor: number;
  readonly passes: number;
  readonly rounds: number;
  readonly seed: number;
  /** Features with a weight at the most. */
  readonly featuresMax: number;
  /** A feature that fewer samples have is left out. */
  readonly frequencyMin: number;
  readonly folds: number;
}

/** Budgets: shares of benign samples that may be flagged for the policy, in cross-validation. */
export interface HeadOptions extends Budgets {
  readonly policy: PolicyCode;
  /** Roles of the messages that the model will be asked about. */
  readonly roles: readonly string[];
}

/** What is being done, out of how much in all. */
export type TrainProgress = (done: number, all: number) => void;

export interface Trained {
  readonly model: Uint8Array;
  readonly heads: readonly TrainedHead[];
  /** Features with a weight. */
  readonly features: number;
}

export interface TrainedHead extends Calibration {
  readonly policy: PolicyCode;
  /** Samples as they were judged in the fold that had not learned from them. */
  readonly reckoned: readonly (Reckoned & { readonly sample: TrainingSample })[];
}

/**
 * Learns a model: cross-validation tells how sums become evidence, and then all samples are learned from. The same
 * samples and options give the same bytes.
 */
export function train(samples: readonly TrainingSample[], options: TrainOptions, progress: TrainProgress): Trained {
  const folds = assignFolds(samples, options.folds, options.seed);
  const foldCount = folds.reduce((most, fold) => Math.max(most, fold + 1), 0);
  const steps = 2 + (foldCount + 1) * options.heads.length;
  let done = 0;
  const step = () => progress(++done, steps);
  const book = readLessons(samples, options.lexicon, options.frequencyMin, () => undefined);
  step();

  const sums = options.heads.map(() => new Float64Array(samples.length));
  for (let fold = 0; fold < foldCount; fold++) {
    const fitted = fitHeads(book, (place) => folds[place] !== fold, options, step);
    const finder = new WindowFinder(book.index.size);
    book.reads.forEach((read, place) => {
      if (folds[place] !== fold) return;
      fitted.weights.forEach((weights, head) => {
        sums[head][place] = bestSum(read, fitted.values, weights, finder);
      });
    });
  }
  const heads = options.heads.map(({ policy, roles, falsePositivesMax, addedMax }, head): TrainedHead => {
    const reckoned = samples.flatMap((sample, place) => {
      if (!isJudged(sample, policy)) return [];
      const evidence = sample.evidence[policy] ?? 0;
      const sum = roles.includes(sample.role) ? sums[head][place] : Number.NEGATIVE_INFINITY;
      const { isAttack, isOrdinary, source } = sample;
      return [{ sample, isAttack, isOrdinary, source, sum, evidence }];
    });
    const fitting = reckoned.filter(({ sample }) => sample.isLearned && sample.isCounted);
    return { policy, reckoned, ...calibrate(fitting, { falsePositivesMax, addedMax }) };
  });

  const fitted = fitHeads(book, () => true, options, step);
  const { model, features } = encode(book, fitted, heads, options);
  step();
  return { model, heads, features };
}

interface Fitted {
  readonly values: Float32Array;
  /** By head; rounded as the model keeps them, with the value in them divided out. */
  readonly weights: readonly Weights[];
  readonly scales: readonly number[];
}

function fitHeads(
  book: LessonBook,
  isTaken: (place: number) => boolean,
  options: TrainOptions,
  step: () => void,
): Fitted {
  const taken = book.reads.filter(({ sample }, place) => sample.isLearned && isTaken(place));
  const lessonsOf = (policy: PolicyCode) => taken.flatMap((read) => lessonOf(read, policy));
  const everything = taken.map(({ document, tokens, sample }) => ({ document, tokens, isAttack: sample.isAttack }));
  const { values, frequencies } = featureValues(everything, book.index.size, options.frequencyMin);
  const fit = fitOptions(book, everything, options);
  const first = options.heads.map(({ policy }) => fitWeights(lessonsOf(policy), values, fit));
  keepBest(values, frequencies, first, options.featuresMax);
  const weights = options.heads.map(({ policy }) => {
    const fitted = fitWeights(lessonsOf(policy), values, fit);
    step();
    return fitted;
  });
  return { values, ...roundWeights(values, weights) };
}

/** A head learns from its own policy's attacks and from benign samples; attacks of other policies say nothing to it. */
function lessonOf({ sample, document, tokens }: Read, policy: PolicyCode): readonly Lesson[] {
  if (sample.isAttack && !sample.policies.includes(policy)) return [];
  return [{ document, tokens, isAttack: sample.isAttack }];
}

function isJudged(sample: TrainingSample, policy: PolicyCode): boolean {
  return sample.isAttack ? sample.policies.includes(policy) : sample.role !== 'system';
}

function fitOptions(book: LessonBook, lessons: readonly Lesson[], options: TrainOptions): FitOptions {
  const learner: Learner = learners[options.learner];
  const random = seededRandom(options.seed + 1);
  const around = lessons.filter(({ isAttack, tokens }) => !isAttack && tokens.length > surroundingTokensMin);
  const pick = () => around[Math.floor(random() * around.length)]?.tokens ?? [];
  const embed = (tokens: readonly number[]) => {
    const room = Math.floor(random() * Math.max(0, embeddedTokens - tokens.length));
    const ahead = Math.floor(random() * (room + 1));
    const before = pick();
    const all = [...before.slice(Math.max(0, before.length - ahead)), ...tokens, ...pick().slice(0, room - ahead)];
    return readDocument(all, book.lexicon, (hash) => book.index.find(hash));
  };
  const { cost, attackFactor, passes, rounds, seed } = options;
  return { learner, cost, attackFactor, passes, rounds, seed, embed };
}

/** Benign texts that are long enough to hide an attack in. */
const surroundingTokensMin = 30;
/** Tokens of an attack and what is around it. */
const embeddedTokens = 96;

/** Takes out all but the features that matter most to some head: |weight · value| · √df. */
function keepBest(values: Float32Array, frequencies: Int32Array, heads: readonly Weights[], most: number): void {
  const importance = Float64Array.from(values, (value, feature) =>
    value === 0
      ? 0
      : Math.max(...heads.map((weights) => Math.abs(weights[feature]))) * value * Math.sqrt(frequencies[feature]),
  );
  const sorted = Float64Array.from(importance).sort().reverse();
  const least = sorted[Math.min(most, sorted.length) - 1] ?? 0;
  let left = most;
  for (let feature = 0; feature < values.length; feature++) {
    if (importance[feature] >= least && importance[feature] > 0 && left-- > 0) continue;
    values[feature] = 0;
  }
}

/** Weights beyond this share of all are cut to the largest byte. */
const largestShare = 0.9995;

function roundWeights(values: Float32Array, heads: readonly Weights[]): Pick<Fitted, 'weights' | 'scales'> {
  const scales = heads.map((weights) => {
    const products = Float64Array.from(values, (value, feature) => Math.abs(weights[feature] * value))
      .filter((product) => product > 0)
      .sort();
    return (products[Math.floor(largestShare * (products.length - 1))] ?? 1) / 127;
  });
  const weights = heads.map((exact, head) => {
    const rounded = new Float64Array(exact.length);
    rounded[exact.length - 1] = exact[exact.length - 1];
    values.forEach((value, feature) => {
      if (value > 0) rounded[feature] = (byteOf(exact[feature] * value, scales[head]) * scales[head]) / value;
    });
    return rounded;
  });
  return { weights, scales };
}

function byteOf(product: number, scale: number): number {
  return Math.max(-127, Math.min(127, Math.round(product / scale)));
}

function bestSum({ document, views }: Read, values: Float32Array, weights: Weights, finder: WindowFinder): number {
  return [document, ...views].reduce(
    (most, each) => Math.max(most, finder.best(each, values, weights).sum),
    Number.NEGATIVE_INFINITY,
  );
}

/** Share of the slots that may be taken: look-ups stay short. */
const loadMax = 0.8;

function encode(
  { index, lexicon }: LessonBook,
  { values, weights, scales }: Fitted,
  calibrations: readonly TrainedHead[],
  options: TrainOptions,
): { readonly model: Uint8Array; readonly features: number } {
  const features = new Map<number, Feature>();
  index.hashes.forEach((hash, number) => {
    const value = values[number];
    if (value === 0) return;
    const bytes = weights.map((each, head) => byteOf(each[number] * value, scales[head]));
    features.set(hash, { hash, value, wordClass: lexicon.classes.get(hash) ?? 0, weights: bytes });
  });
  const count = features.size;
  for (const [hash, wordClass] of lexicon.classes) {
    if (!features.has(hash)) features.set(hash, { hash, value: 0, wordClass, weights: options.heads.map(() => 0) });
  }
  const heads = options.heads.map(({ policy }, head): Head => {
    const { offset, slope } = calibrations[head];
    return { policy, bias: weights[head][weights[head].length - 1], scale: scales[head], offset, slope };
  });
  const bucketCount = 2 ** Math.ceil(Math.log2(features.size / loadMax / slotsPerBucket));
  return {
    model: encodeModel({ name: options.name, heads, classes: lexicon.names, bucketCount }, features.values()),
    features: count,
  };
}
