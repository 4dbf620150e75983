import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowsOf } from '../../src/engine/learned/plain-scorer.js';
import { type Document, featuresIn } from '../../src/train/document.js';
import { WindowFinder, windowStarts } from '../../src/train/windows.js';

const featureCount = 40;

/** Few features, so that most recur; some tokens end none, some several. */
const documents = fc
  .array(fc.array(fc.nat(featureCount - 1), { maxLength: 3 }), { minLength: 1, maxLength: 260 })
  .map((byToken): Document => {
    const places = byToken.flatMap((features, token) => features.map((feature) => ({ feature, token })));
    return {
      features: Int32Array.from(places, ({ feature }) => feature),
      tokens: Int32Array.from(places, ({ token }) => token),
      tokenCount: byToken.length,
      units: 5 * byToken.length,
    };
  });

describe('WindowFinder', () => {
  it.each([0, 70])('gives the best of all windows, looked at one by one, with a prior of %d', (prior) => {
    const values = Float32Array.from({ length: featureCount }, (_, feature) =>
      feature % 5 === 0 ? 0 : 1 + (feature % 7),
    );
    const weights = Float64Array.from({ length: featureCount + 1 }, (_, feature) => ((feature * 37) % 11) - 5);
    const finder = new WindowFinder(featureCount);
    fc.assert(
      fc.property(documents, (document) => {
        const sums = windowsOf(document.tokenCount).map(({ from, to }) => {
          let sum = 0;
          let squares = 0;
          for (const feature of featuresIn(document, from, to)) {
            sum += weights[feature] * values[feature];
            squares += values[feature] ** 2;
          }
          return weights[featureCount] + (squares > 0 ? sum / Math.sqrt(squares + prior) : 0);
        });
        const best = finder.best(document, values, weights, prior);
        expect(best.sum).toBeCloseTo(Math.max(...sums), 6);
        const windows = windowsOf(document.tokenCount);
        const place = windows.findIndex(({ from }) => from === best.from);
        expect(sums[place]).toBeCloseTo(best.sum, 6);
        expect(windows[place].to).toBe(best.to);
      }),
      { numRuns: 300 },
    );
  });
});

describe('windowStarts', () => {
  it.each([1, 15, 16, 95, 96, 97, 111, 112, 113, 500])('begins where the windows of %d tokens begin', (tokenCount) => {
    expect(windowStarts(tokenCount)).toEqual(windowsOf(tokenCount).map(({ from }) => from));
  });
});
