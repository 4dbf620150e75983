import { describe, expect, it } from 'vitest';
import { meanOf, rateOf } from '../../src/eval/interval.js';

describe('rateOf', () => {
  // Newcombe 1998, Statistics in Medicine 17:857, table I, method 3; the last three reckoned by hand from the formula.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [29, 29, 0.883, 1],
    [1, 1, 0.2065, 1],
    [0, 31_434, 0, 0.0001],
  ])('%i of %i lies in %f to %f', (k, n, low, high) => {
    const rate = rateOf(k, n);
    expect(rate.rate).toBe(k / n);
    expect(rate.low).toBeCloseTo(low, 4);
    expect(rate.high).toBeCloseTo(high, 4);
  });

  it('knows nothing where nothing was looked at', () => {
    expect(rateOf(0, 0)).toEqual({ k: 0, n: 0, rate: 0, low: 0, high: 1 });
  });
});

describe('meanOf', () => {
  it.each([
    [[], 0],
    [[1, 0.5], 0.75],
  ])('%j is %f', (shares, mean) => expect(meanOf(shares)).toBe(mean));
});
