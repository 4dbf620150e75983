import { seededRandom } from './random.js';

/** What a learner sees of one window: numbers of its features, ascending, their values, and what it should say. */
export interface Example {
  readonly features: Int32Array;
  readonly values: Float32Array;
  readonly isAttack: boolean;
  /** Upper bound of its weight in the solution: the C of the literature. */
  readonly cost: number;
}

/** Weights by feature number; the last one is the bias. */
export type Weights = Float64Array;

export type Learner = (examples: readonly Example[], featureCount: number, passes: number, seed: number) => Weights;

/** Both minimise ½|w|² + Σ cost · loss over the examples, the bias being one more feature that is always 1. */
export const learners: Readonly<Record<'logistic' | 'hinge', Learner>> = { logistic: learnLogistic, hinge: learnHinge };

/**
 * L2-regularised logistic regression by dual coordinate descent: H.-F. Yu, F.-L. Huang, C.-J. Lin, "Dual coordinate
 * descent methods for logistic regression and maximum entropy models", Machine Learning 85 (2011), algorithm 5.
 */
function learnLogistic(examples: readonly Example[], featureCount: number, passes: number, seed: number): Weights {
  const begin = (cost: number) => Math.min(1e-3 * cost, 1e-8);
  return descend(examples, featureCount, passes, seed, begin, (alpha, slope, square, cost) => {
    // The nearer of both ends of the interval is where the steps are stable.
    const isLow = 0.5 * square * (cost - 2 * alpha) + slope < 0;
    const from = isLow ? alpha : cost - alpha;
    const linear = isLow ? slope : -slope;
    let at = cost - from < 0.5 * cost ? 0.1 * from : from;
    let gradient = square * (at - from) + linear + Math.log(at / (cost - at));
    for (let step = 0; step < newtonStepsMax && Math.abs(gradient) > 1e-2; step++) {
      const next = at - gradient / (square + cost / ((cost - at) * at));
      at = next <= 0 ? at * 0.1 : Math.min(next, cost - 1e-12);
      gradient = square * (at - from) + linear + Math.log(at / (cost - at));
    }
    return isLow ? at : cost - at;
  });
}

const newtonStepsMax = 50;

/**
 * Linear support vectors with squared hinge loss, also by dual coordinate descent: C.-J. Hsieh et al., "A dual
 * coordinate descent method for large-scale linear SVM", ICML 2008.
 */
function learnHinge(examples: readonly Example[], featureCount: number, passes: number, seed: number): Weights {
  const update: Update = (alpha, slope, square, cost) => {
    const diagonal = 0.5 / cost;
    return Math.max(0, alpha - (slope - 1 + diagonal * alpha) / (square + diagonal));
  };
  return descend(examples, featureCount, passes, seed, () => 0, update);
}

/** The best value of one dual variable, the others fixed: `slope` is the margin of its example, `square` its length. */
type Update = (alpha: number, slope: number, square: number, cost: number) => number;

function descend(
  examples: readonly Example[],
  featureCount: number,
  passes: number,
  seed: number,
  begin: (cost: number) => number,
  update: Update,
): Weights {
  const weights = new Float64Array(featureCount + 1);
  const alphas = Float64Array.from(examples, ({ cost }) => begin(cost));
  const squares = Float64Array.from(examples, ({ values }) => values.reduce((sum, value) => sum + value * value, 1));
  const addTo = ({ features, values }: Example, factor: number): void => {
    for (let k = 0; k < features.length; k++) weights[features[k]] += factor * values[k];
    weights[featureCount] += factor;
  };
  examples.forEach((example, index) => {
    if (alphas[index] !== 0) addTo(example, example.isAttack ? alphas[index] : -alphas[index]);
  });
  const order = Int32Array.from(examples, (_, index) => index);
  const random = seededRandom(seed);
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, random);
    for (const index of order) {
      const example = examples[index];
      const sign = example.isAttack ? 1 : -1;
      const alpha = update(alphas[index], sign * dot(weights, example), squares[index], example.cost);
      if (alpha === alphas[index]) continue;
      addTo(example, sign * (alpha - alphas[index]));
      alphas[index] = alpha;
    }
  }
  return weights;
}

function dot(weights: Weights, { features, values }: Example): number {
  let sum = weights[weights.length - 1];
  for (let k = 0; k < features.length; k++) sum += weights[features[k]] * values[k];
  return sum;
}

function shuffle(order: Int32Array, random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}
