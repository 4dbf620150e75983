/** What a head and the rules say of a sample that neither learned from. */
export interface Reckoned {
  readonly isAttack: boolean;
  readonly source: string;
  /** The head's sum. */
  readonly sum: number;
  /** −ln Π(1 − score) of the rules that hit. */
  readonly evidence: number;
  /** True for benign samples that have a budget of their own, too. */
  readonly isOrdinary: boolean;
}

/** Shares of benign samples that may be flagged. */
export interface Budgets {
  /** By rules and model together, of all. */
  readonly falsePositivesMax: number;
  /** Because of the model, of the ordinary ones. */
  readonly addedMax: number;
}

/** How sums become evidence: see `scoreOf` of the engine. */
export interface Calibration {
  readonly offset: number;
  readonly slope: number;
  /** Mean recall over sources and share of benign samples flagged, model and rules together. */
  readonly recall: number;
  readonly falsePositives: number;
}

/** Evidence at which a policy of threshold 0.5 triggers. */
const conviction = Math.LN2;
/** Flatter ones would see a little evidence in every text. */
const slopes = [0.4, 0.6, 1, 1.5, 2.5];

/**
 * Chooses offset and slope such that rules and model together, at a threshold of 0.5, find the most over sources
 * while they flag no more of the benign samples than the budgets allow. Evidence of rules and model adds up, so more
 * of either never makes a verdict milder. Where the rules alone flag more, the model only ever agrees with them.
 */
export function calibrate(reckoned: readonly Reckoned[], { falsePositivesMax, addedMax }: Budgets): Calibration {
  const candidates = slopes.map((slope) => {
    const heightOf = ({ sum, evidence }: Reckoned) =>
      evidence >= conviction ? Number.POSITIVE_INFINITY : sum + evidence / slope;
    const heights = reckoned.map(heightOf);
    const benign = heights.filter((_, place) => !reckoned[place].isAttack).sort((a, b) => b - a);
    const ordinary = heights.filter((height, place) => isOrdinary(reckoned[place]) && Number.isFinite(height));
    const limit = Math.max(
      benign[Math.floor(falsePositivesMax * benign.length)] ?? 0,
      ordinary.sort((a, b) => b - a)[Math.floor(addedMax * ordinary.length)] ?? Number.NEGATIVE_INFINITY,
    );
    // Where the budget is spent before the model says anything, it must not say anything.
    const beyond = heights.reduce((most, height) => (Number.isFinite(height) ? Math.max(most, height) : most), 0) + 1;
    const threshold = Number.isFinite(limit) ? limit + justAbove : beyond;
    const recall = macroRecall(reckoned, (each) => heightOf(each) >= threshold);
    const flagged = benign.filter((height) => height >= threshold).length;
    return {
      offset: threshold - conviction / slope,
      slope,
      recall,
      falsePositives: flagged / Math.max(1, benign.length),
    };
  });
  return candidates.reduce((best, each) => (each.recall > best.recall ? each : best));
}

function isOrdinary(each: Reckoned): boolean {
  return each.isOrdinary && !each.isAttack;
}

/** No two sums are so close but equal ones. */
const justAbove = 1e-6;

/** Mean over the sources of attacks of the share of each that is found. */
export function macroRecall<T extends { readonly isAttack: boolean; readonly source: string }>(
  samples: readonly T[],
  isFound: (sample: T) => boolean,
): number {
  const tallies = new Map<string, { found: number; all: number }>();
  for (const sample of samples) {
    if (!sample.isAttack) continue;
    const tally = tallies.get(sample.source) ?? { found: 0, all: 0 };
    tally.all++;
    if (isFound(sample)) tally.found++;
    tallies.set(sample.source, tally);
  }
  if (tallies.size === 0) return 0;
  return [...tallies.values()].reduce((sum, { found, all }) => sum + found / all, 0) / tallies.size;
}
