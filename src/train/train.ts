import type { PolicyCode } from '../domain/policy.js';
import { isWord } from '../engine/learned/features.js';
import { encodeModel, type Feature, featuresPerBucket, type Head, worthOf } from '../engine/learned/model.js';
import { type Budgets, type Calibration, calibrate, type Reckoned, type Sums, steepSlopes } from './calibrate.js';
import { type Document, featuresIn, readDocument } from './document.js';
import { embeddedTokensMax, type FitOptions, featureValues, fitWeights, type Lesson } from './fit.js';
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
  /** How many times as much attacks may weigh for their language: see `languageWeights`. */
  readonly languageFactor: number;
  readonly passes: number;
  readonly rounds: number;
  /** See `FitOptions`. */
  readonly wholeTexts: number;
  readonly seed: number;
  /** Features with a weight at the most. */
  readonly featuresMax: number;
  /** A feature that fewer samples have is left out. */
  readonly frequencyMin: number;
  readonly folds: number;
  /** A model of words alone, without sequences and classes: for up to eight heads, and cheap. */
  readonly wordsOnly: boolean;
}

/** Budgets: shares of benign samples that may be flagged for the policy, in cross-validation. */
export interface HeadOptions extends Budgets {
  readonly policy: PolicyCode;
  /** Roles of the messages that the model will be asked about. */
  readonly roles: readonly string[];
  /** What stands below the root of every sum: see `Head`. */
  readonly prior: number;
  /** How much more a longer text's sum must be: see `Head`. */
  readonly lengthCost: number;
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

  const best = options.heads.map((): Sums[] => []);
  const embedded = options.heads.map((): (Sums | undefined)[] => []);
  for (let fold = 0; fold < foldCount; fold++) {
    const fitted = fitHeads(book, (place) => folds[place] !== fold, options, step);
    const finder = new WindowFinder(book.index.size);
    book.reads.forEach((read, place) => {
      if (folds[place] !== fold) return;
      fitted.heads.forEach((fittedHead, head) => {
        best[head][place] = bestOf([read.document, ...read.views], fitted, fittedHead, finder);
        const isShown = isShownEmbedded(read) && read.sample.policies.includes(options.heads[head].policy);
        if (isShown) embedded[head][place] = bestOf([fitted.embed(read.tokens)], fitted, fittedHead, finder);
      });
    });
  }
  const heads = options.heads.map(({ policy, roles, falsePositivesMax, addedMax }, head): TrainedHead => {
    const reckoned = samples.flatMap((sample, place) => {
      if (!isJudged(sample, policy)) return [];
      const evidence = sample.evidence[policy] ?? 0;
      const { sum, alone } = roles.includes(sample.role) ? best[head][place] : nothing;
      const { isAttack, isOrdinary, source } = sample;
      return [{ sample, isAttack, isOrdinary, source, sum, alone, evidence, embedded: embedded[head][place] }];
    });
    const fitting = reckoned.filter(({ sample }) => sample.isLearned && sample.isCounted);
    const slopes = options.wordsOnly ? steepSlopes : undefined;
    return { policy, reckoned, ...calibrate(fitting, { falsePositivesMax, addedMax }, slopes) };
  });

  const fitted = fitHeads(book, () => true, options, step);
  const { model, features } = encode(book, fitted, heads, options);
  step();
  return { model, heads, features };
}

interface Fitted {
  readonly values: Float32Array;
  /** Of the features that are words, 0 for all others. */
  readonly wordValues: Float32Array;
  readonly heads: readonly FittedHead[];
  readonly embed: FitOptions['embed'];
}

/** Weights of all features, and of words alone. */
interface FittedHead {
  readonly all: Rounded;
  readonly alone: Rounded;
  readonly prior: number;
  readonly lengthCost: number;
}

/** Rounded as the model keeps them, with the value in them divided out. */
interface Rounded {
  readonly weights: Weights;
  readonly scale: number;
}

function fitHeads(
  book: LessonBook,
  isTaken: (place: number) => boolean,
  options: TrainOptions,
  step: () => void,
): Fitted {
  const taken = book.reads.filter(({ sample }, place) => sample.isLearned && isTaken(place));
  const weights = languageWeights(
    taken.map(({ sample }) => sample),
    options.languageFactor,
  );
  const lessons = taken.map(({ document, tokens, sample }): Lesson & Pick<Read, 'sample'> => {
    const { isAttack, lang } = sample;
    return { document, tokens, sample, isAttack, weight: isAttack ? (weights.get(lang) ?? 1) : 1 };
  });
  // A head learns from its own policy's attacks and from benign samples; attacks of other policies say nothing to it.
  const lessonsOf = (policy: PolicyCode) =>
    lessons.filter(({ isAttack, sample }) => !isAttack || sample.policies.includes(policy));
  const known = featureValues(lessons, book.index.size, options.frequencyMin);
  const ofWords = (some: Float32Array) =>
    some.map((value, feature) => (isWord(book.index.hashes[feature]) ? value : 0));
  const { frequencies } = known;
  const values = options.wordsOnly ? ofWords(known.values) : known.values;
  const fit = fitOptions(book, lessons, options);
  const first = options.heads.map(({ policy, prior }) => fitWeights(lessonsOf(policy), values, { ...fit, prior }));
  keepBest(values, frequencies, first, options.featuresMax);
  const wordValues = ofWords(values);
  const heads = options.heads.map(({ policy, prior, lengthCost }): FittedHead => {
    const own = lessonsOf(policy);
    const fitTo = (some: Float32Array) => roundWeights(some, fitWeights(own, some, { ...fit, prior }));
    const all = fitTo(values);
    const alone = options.wordsOnly ? all : fitTo(wordValues);
    step();
    return { all, alone, prior, lengthCost };
  });
  return { values, wordValues, heads, embed: fit.embed };
}

/** Of a language with fewer attacks chance would decide. */
const languageAttacksMin = 50;

/**
 * How much more the attacks of a language weigh that has fewer of them beside its peace than the language of most attacks, by
 * language: as much as makes up for it, up to `most`. Else the words that every text of a language has say that it is no attack.
 */
export function languageWeights(
  samples: readonly Pick<TrainingSample, 'lang' | 'isAttack'>[],
  most: number,
): ReadonlyMap<string, number> {
  const counts = new Map<string, { attacks: number; benign: number }>();
  for (const { lang, isAttack } of samples) {
    const count = counts.get(lang) ?? { attacks: 0, benign: 0 };
    counts.set(lang, count);
    count[isAttack ? 'attacks' : 'benign']++;
  }
  const usual = [...counts.values()].reduce((one, other) => (other.attacks > one.attacks ? other : one), none);
  return new Map(
    [...counts].flatMap(([lang, { attacks, benign }]) => {
      if (attacks < languageAttacksMin || usual.benign === 0) return [];
      return [[lang, Math.min(most, Math.max(1, ((benign / attacks) * usual.attacks) / usual.benign))]];
    }),
  );
}

const none = { attacks: 0, benign: 0 };

function isJudged(sample: TrainingSample, policy: PolicyCode): boolean {
  return sample.isAttack ? sample.policies.includes(policy) : sample.role !== 'system';
}

function fitOptions(book: LessonBook, lessons: readonly Lesson[], options: TrainOptions): Omit<FitOptions, 'prior'> {
  const learner: Learner = learners[options.learner];
  const random = seededRandom(options.seed + 1);
  const around = lessons.filter(({ isAttack, tokens }) => !isAttack && tokens.length > surroundingTokensMin);
  const pick = () => around[Math.floor(random() * around.length)]?.tokens ?? [];
  const embed = (tokens: readonly number[]) => {
    const room = Math.floor(random() * Math.max(0, embeddedTokens - tokens.length));
    const ahead = Math.floor(random() * (room + 1));
    const before = pick();
    const all = [...before.slice(Math.max(0, before.length - ahead)), ...tokens, ...pick().slice(0, room - ahead)];
    return readDocument(all, all.length * unitsPerToken, book.lexicon, (hash) => book.index.find(hash));
  };
  const { cost, attackFactor, passes, rounds, wholeTexts, seed } = options;
  return { learner, cost, attackFactor, passes, rounds, wholeTexts, seed, embed };
}

/** Benign texts that are long enough to hide an attack in. */
const surroundingTokensMin = 30;
/** Tokens of an attack and what is around it. */
const embeddedTokens = 96;
/** About; with what stands between them. */
const unitsPerToken = 5;

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

function roundWeights(values: Float32Array, exact: Weights): Rounded {
  const products = Float64Array.from(values, (value, feature) => Math.abs(exact[feature] * value))
    .filter((product) => product > 0)
    .sort();
  const scale = (products[Math.floor(largestShare * (products.length - 1))] ?? 1) / 127;
  const weights = new Float64Array(exact.length);
  weights[exact.length - 1] = exact[exact.length - 1];
  values.forEach((value, feature) => {
    if (value > 0) weights[feature] = (byteOf(exact[feature] * value, scale) * scale) / value;
  });
  return { weights, scale };
}

function byteOf(product: number, scale: number): number {
  return Math.max(-127, Math.min(127, Math.round(product / scale)));
}

/** Attacks that are also judged between benign texts. */
function isShownEmbedded({ sample, tokens }: Read): boolean {
  return sample.isAttack && tokens.length < embeddedTokensMax;
}

const nothing: Sums = { sum: Number.NEGATIVE_INFINITY, alone: Number.NEGATIVE_INFINITY };

function bestOf(documents: readonly Document[], fitted: Fitted, head: FittedHead, finder: WindowFinder): Sums {
  let best = nothing;
  for (const each of documents) {
    const { sum: whole, from, to } = finder.best(each, fitted.values, head.all.weights, head.prior);
    const sum = worthOf(head, whole, each.units);
    if (sum > best.sum) best = { sum, alone: sumAlone(featuresIn(each, from, to), fitted.wordValues, head.alone) };
  }
  return best;
}

/** As a model reckons it, with neither bias nor scale. */
function sumAlone(features: Int32Array, wordValues: Float32Array, { weights, scale }: Rounded): number {
  let sum = 0;
  let squares = 0;
  for (const feature of features) {
    sum += weights[feature] * wordValues[feature];
    squares += wordValues[feature] ** 2;
  }
  return squares === 0 ? 0 : sum / scale / (2 * Math.sqrt(squares));
}

/** Of a model without sequences, of which classes are. */
const noLexicon: Lexicon = { names: [], classes: new Map() };

/** Share of the slots that may be taken: look-ups stay short. */
const loadMax = 0.9;

function encode(
  { index, lexicon }: LessonBook,
  { values, heads: fitted }: Fitted,
  calibrations: readonly TrainedHead[],
  options: TrainOptions,
): { readonly model: Uint8Array; readonly features: number } {
  const features = new Map<number, Feature>();
  const { classes, names } = options.wordsOnly ? noLexicon : lexicon;
  index.hashes.forEach((hash, number) => {
    const value = values[number];
    if (value === 0) return;
    const bytesOf = ({ weights, scale }: Rounded) => byteOf(weights[number] * value, scale);
    const weights = fitted.map(({ all }) => bytesOf(all));
    const aloneWeights = isWord(hash) && !options.wordsOnly ? fitted.map(({ alone }) => bytesOf(alone)) : [];
    features.set(hash, { hash, value, wordClass: classes.get(hash) ?? 0, weights, aloneWeights });
  });
  const count = features.size;
  for (const [hash, wordClass] of classes) {
    if (!features.has(hash)) features.set(hash, { hash, value: 0, wordClass, weights: options.heads.map(() => 0) });
  }
  const heads = options.heads.map(({ policy }, head): Head => {
    const { cut, offset, slope } = calibrations[head];
    const { all, prior, lengthCost } = fitted[head];
    const { weights, scale } = all;
    return { policy, bias: weights[weights.length - 1], scale, prior, cut, lengthCost, offset, slope };
  });
  const words = [...features.keys()].filter(isWord).length;
  const bucketsFor = (taken: number) => Math.ceil((taken + 1) / loadMax / featuresPerBucket);
  const gramBuckets = options.wordsOnly ? 0 : bucketsFor(features.size - words);
  const parts = { name: options.name, heads, classes: names, wordBuckets: bucketsFor(words), gramBuckets };
  return {
    model: encodeModel(parts, features.values()),
    features: count,
  };
}
