import { createHash } from 'node:crypto';
import { scoreOf } from '../engine/learned/model.js';
import { rateOf } from '../eval/interval.js';
import type { TrainingSample } from './lesson-book.js';
import type { Recipe } from './recipe.js';
import type { Trained, TrainedHead } from './train.js';

/** Evidence at which a policy of threshold 0.5 triggers; a little less for rounding. */
const conviction = Math.LN2 - 1e-9;

/** How a sample of cross-validation was judged at a threshold of 0.5. */
export interface Outcome {
  readonly sample: TrainingSample;
  readonly isAttack: boolean;
  /** What the head's sum is as a rule's score. */
  readonly score: number;
  readonly byRules: boolean;
  readonly byBoth: boolean;
}

export function outcomesOf(head: TrainedHead): readonly Outcome[] {
  return head.reckoned.map(({ sample, isAttack, sum, alone, evidence }) => {
    const score = alone < head.cut ? 0 : scoreOf(head, sum);
    return {
      ...{ sample, isAttack, score },
      byRules: evidence >= conviction,
      byBoth: evidence - Math.log(1 - score) >= conviction,
    };
  });
}

/** Everything that a person must know of a model before trusting it, in Markdown. No text of any sample. */
export function datasheet(trained: Trained, recipe: Recipe, samples: readonly TrainingSample[], date: string): string {
  const hash = createHash('sha256').update(trained.model).digest('hex');
  const learned = samples.filter(({ isLearned }) => isLearned);
  const attacks = learned.filter(({ isAttack }) => isAttack).length;
  return [
    `# ${recipe.name}`,
    '',
    `Made on ${date} by \`merlon train\`; SHA-256 \`${hash}\`; ${trained.model.length} bytes, ${trained.features} features.`,
    `Learned from ${learned.length} messages (${attacks} attacks, ${learned.length - attacks} benign); ` +
      `${samples.length - learned.length} more were only judged.`,
    '',
    '## Recipe',
    '',
    '```json',
    JSON.stringify(recipe, null, 1),
    '```',
    '',
    '## Cross-validation',
    '',
    'Each message is judged by a model that learned from no attack of its family. *Rules* alone and *both*: share found at',
    'a threshold of 0.5, with 95 % Wilson intervals. Rules were written with these sources in sight, models were not.',
    ...trained.heads.flatMap(headSection),
    '',
    '## Sources',
    '',
    ...markdown(
      ['source', 'family', 'licence', 'attacks', 'benign', 'learned from'],
      groups(samples, ({ source }) => source).map(([source, own]) => [
        source,
        own[0].family,
        [...new Set(own.map(({ license }) => license))].sort().join('; '),
        String(own.filter(({ isAttack }) => isAttack).length),
        String(own.filter(({ isAttack }) => !isAttack).length),
        own.some(({ isLearned }) => isLearned) ? 'yes' : 'no',
      ]),
    ),
    '',
  ].join('\n');
}

function headSection(head: TrainedHead): readonly string[] {
  const outcomes = outcomesOf(head);
  const attacks = outcomes.filter(({ isAttack }) => isAttack);
  const benign = outcomes.filter(({ isAttack }) => !isAttack);
  const row = ([name, own]: readonly [string, readonly Outcome[]]) => [
    name,
    String(own.length),
    share(own, ({ byRules }) => byRules),
    share(own, ({ byBoth }) => byBoth),
  ];
  return [
    '',
    `### ${head.policy}`,
    '',
    `Evidence begins at ${head.offset.toFixed(3)} and grows by ${head.slope} a point: a sum of ` +
      `${(head.offset + Math.LN2 / head.slope).toFixed(3)} convicts alone. Mean recall over the counted sources ` +
      `${percent(head.recall)} with ${percent(head.falsePositives)} of benign messages flagged. ` +
      `${percent(passedOver(head))} of benign messages have too few words of attacks for a second look.`,
    '',
    ...markdown(['attacks of', 'n', 'rules', 'both'], groups(attacks, ({ sample }) => sample.source).map(row)),
    '',
    ...markdown(['attacks in', 'n', 'rules', 'both'], groups(attacks, ({ sample }) => sample.lang).map(row)),
    '',
    ...markdown(
      ['benign of', 'n', 'rules', 'both'],
      groups(benign, ({ sample }) => sample.source)
        .filter(([, own]) => own.some(({ byBoth }) => byBoth))
        .map(row),
    ),
  ];
}

/** Share of the benign messages that the words of their best windows decide. */
function passedOver({ reckoned, cut }: TrainedHead): number {
  const asked = reckoned.filter(({ isAttack, sum }) => !isAttack && Number.isFinite(sum));
  return asked.filter(({ alone }) => alone < cut).length / Math.max(1, asked.length);
}

/** By size, the largest first. */
function groups<T>(list: readonly T[], keyOf: (item: T) => string): readonly (readonly [string, readonly T[]])[] {
  const byKey = new Map<string, T[]>();
  for (const item of list) {
    const key = keyOf(item);
    const own = byKey.get(key);
    if (own) own.push(item);
    else byKey.set(key, [item]);
  }
  return [...byKey].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
}

function share(outcomes: readonly Outcome[], isCounted: (outcome: Outcome) => boolean): string {
  const { rate, low, high } = rateOf(outcomes.filter(isCounted).length, outcomes.length);
  return `${percent(rate)} (${percent(low)}–${percent(high)})`;
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(rate < 0.1 ? 2 : 1)} %`;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}
