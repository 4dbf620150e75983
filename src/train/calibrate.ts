/** What a head's sum in the best window is worth (`worthOf`), and how much the words alone of it speak for an attack. */
export interface Sums {
  readonly sum: number;
  readonly alone: number;
}

/** What a head and the rules say of a sample that neither learned from. */
export interface Reckoned extends Sums {
  readonly isAttack: boolean;
  readonly source: string;
  /** Of an attack: the same between benign texts, if it was shown so. */
  readonly embedded?: Sums | undefined;
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

/** How sums become evidence: see `Head` and `scoreOf` of the engine. */
export interface Calibration {
  readonly cut: number;
  readonly offset: number;
  readonly slope: number;
  /** Mean recall over sources and share of benign samples flagged, model and rules together. */
  readonly recall: number;
  readonly falsePositives: number;
}

/** Evidence at which a policy of threshold 0.5 triggers. */
const conviction = Math.LN2;
/** Flatter ones would see a little evidence in every text. */
const allSlopes: readonly number[] = [0.4, 0.6, 1, 1.5, 2.5];
/** Of a model of words alone: a little of what it says, and a rule's hint, are found in too many ordinary texts. */
export const steepSlopes: readonly number[] = [2.5];

/**
 * Chooses offset and slope such that rules and model together, at a threshold of 0.5, find the most over sources
 * while they flag no more of the benign samples than the budgets allow. Evidence of rules and model adds up, so more
 * of either never makes a verdict milder. Where the rules alone flag more, the model only ever agrees with them.
 */
export function calibrate(
  reckoned: readonly Reckoned[],
  { falsePositivesMax, addedMax }: Budgets,
  slopes: readonly number[] = allSlopes,
): Calibration {
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
      cut: cutOf(reckoned, (each) => each.evidence < conviction && heightOf(each) >= threshold),
      offset: threshold - conviction / slope,
      slope,
      recall,
      falsePositives: flagged / Math.max(1, benign.length),
    };
  });
  return candidates.reduce((best, each) => (each.recall > best.recall ? each : best));
}

/** Mean recall over sources that a cut may cost. */
const lostMax = 0.001;
/** A source of fewer attacks counts as one of so many: one of a dozen would decide how much of all texts is read. */
const countedMin = 100;
/** Share of benign samples that are looked at in any case: where attacks are few, those to come may be less plain. */
const lookedAtMin = 0.1;

/**
 * The highest cut that costs next to nothing of what the model finds, of attacks as they stand as well as of those between
 * benign texts: words around an attack thin its own out.
 */
function cutOf(reckoned: readonly Reckoned[], isFoundByModel: (each: Reckoned) => boolean): number {
  const attacks = reckoned.filter(({ isAttack }) => isAttack);
  const embedded = attacks.flatMap((each) => (each.embedded ? [{ ...each, ...each.embedded }] : []));
  const counts = new Map<string, number>();
  for (const { source } of attacks) counts.set(source, (counts.get(source) ?? 0) + 1);
  const highest = (all: readonly Reckoned[]): number => {
    let lost = 0;
    for (const { source, alone } of all.filter(isFoundByModel).sort((a, b) => a.alone - b.alone)) {
      lost += 1 / Math.max(countedMin, counts.get(source) ?? 1) / counts.size;
      if (lost > lostMax) return alone;
    }
    return Number.POSITIVE_INFINITY;
  };
  const benign = reckoned.flatMap(({ isAttack, alone }) => (isAttack || !Number.isFinite(alone) ? [] : [alone]));
  const ofBenign = benign.sort((a, b) => b - a)[Math.floor(lookedAtMin * benign.length)] ?? 0;
  const cut = Math.min(ofBenign, highest(attacks), highest(embedded));
  return Number.isFinite(cut) ? cut : 0;
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
