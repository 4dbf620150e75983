import { describe, expect, it } from 'vitest';
import { type Document, featuresIn } from '../../src/train/document.js';
import { fitWeights, type Lesson } from '../../src/train/fit.js';
import type { Example, Learner } from '../../src/train/learner.js';

/** A text of so many tokens, each of which is a feature of its own, told by its place. */
function lesson(tokenCount: number, isAttack: boolean): Lesson {
  const places = Int32Array.from({ length: tokenCount }, (_, place) => place);
  const document: Document = { features: places, tokens: places, tokenCount, units: 5 * tokenCount };
  return { document, tokens: [...places], isAttack, weight: 1 };
}

const featureCount = 300;
const values = new Float32Array(featureCount).fill(1);
const lessons = [lesson(200, true), lesson(250, false)];

/** Learns with a learner that notes what it is shown and says 1 of whole texts, which come first, and 5 of windows. */
function learnFrom(rounds: number, wholeTexts: number) {
  const shown: (readonly Example[])[] = [];
  const learner: Learner = (examples) => {
    shown.push(examples);
    return new Float64Array(featureCount + 1).fill(shown.length === 1 ? 1 : 5);
  };
  const weights = fitWeights(lessons, values, {
    ...{ learner, cost: 4, attackFactor: 2, prior: 5, passes: 1, rounds, wholeTexts, seed: 1 },
    embed: () => lessons[1].document,
  });
  return { weights, shown };
}

describe('fitWeights', () => {
  it.each([
    [0, 5],
    [0.5, 3],
    [1, 1],
  ])('mixes what whole texts teach to a share of %d with what windows do', (share, weight) => {
    const { weights } = learnFrom(3, share);
    expect(new Set(weights)).toEqual(new Set([weight]));
    expect(weights).toHaveLength(featureCount + 1);
  });

  it('shows whole texts first, and windows of them after that', () => {
    const { shown } = learnFrom(3, 0.5);
    const lengths = shown.map((examples) => examples.map(({ features }) => features.length));
    expect(shown).toHaveLength(4);
    expect(lengths[0]).toEqual(lessons.map(({ document }) => featuresIn(document, 0, document.tokenCount).length));
    for (const windows of lengths.slice(1)) expect(Math.max(...windows)).toBeLessThanOrEqual(96);
  });

  it('learns from whole texts alone without rounds', () => {
    const { weights, shown } = learnFrom(0, 0.5);
    expect(shown).toHaveLength(1);
    expect(new Set(weights)).toEqual(new Set([1]));
  });
});
