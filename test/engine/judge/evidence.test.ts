import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/domain/limits.js';
import { weigh } from '../../../src/engine/judge/evidence.js';
import type { FoundMatch } from '../../../src/engine/view/match-views.js';

const scores = [0.2, 0.3, 0.35, 0.6, 0.9, 1];
const scoreOf = (rule: number) => scores[rule];
const roundScore = (score: number) => Math.round(score * 10_000) / 10_000;

/** Every stretch of the greatest length that begins with a match, weighed by itself. */
function plainly(matches: readonly FoundMatch[], threshold: number) {
  const stretches = matches.map(({ start }) =>
    matches.filter((match) => match.start >= start && match.start - start <= limits.evidenceUnits),
  );
  const combined = (stretch: readonly FoundMatch[]) => {
    const byRule = new Map<number, number>();
    for (const { rule, score = scoreOf(rule) } of stretch) byRule.set(rule, Math.max(score, byRule.get(rule) ?? 0));
    return roundScore(1 - [...byRule.values()].reduce((product, score) => product * (1 - score), 1));
  };
  const sureOnly = (stretch: readonly FoundMatch[]) => combined(stretch.filter(({ score }) => score === undefined));
  const isSure = stretches.some((stretch) => sureOnly(stretch) >= threshold);
  const guilty = stretches.filter((stretch) => combined(stretch) >= threshold).flat();
  return {
    score: Math.max(0, ...stretches.map(combined)),
    convicting: new Set(isSure ? guilty.filter(({ score = 1 }) => score >= threshold) : guilty),
  };
}

const place = fc.nat(3 * limits.evidenceUnits).map((start) => ({ start, end: start + 5 }));
/** The first rule is a model's, the others are sure. */
const someMatch: fc.Arbitrary<FoundMatch> = fc.oneof(
  fc.tuple(place, fc.constantFrom(0.1, 0.4, 0.7)).map(([span, score]) => ({ ...span, rule: 0, score })),
  fc.tuple(place, fc.integer({ min: 1, max: scores.length - 1 })).map(([span, rule]) => ({ ...span, rule })),
);
const someMatches = fc.array(someMatch, { maxLength: 24 });

describe('weigh', () => {
  it('says what every stretch by itself says', () => {
    fc.assert(
      fc.property(someMatches, fc.constantFrom(0.1, 0.3, 0.5, 0.8, 1), (matches, threshold) => {
        const { score, convicting } = weigh(matches, scoreOf, threshold);
        const expected = plainly(matches, threshold);
        expect(score).toBe(expected.score);
        expect(new Set(convicting)).toEqual(expected.convicting);
        expect(convicting).toHaveLength(expected.convicting.size);
        expect(convicting.every((match, at) => at === 0 || convicting[at - 1].start <= match.start)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('gives all of a flood', () => {
    const flood = Array.from({ length: 120_000 }, (_, at) => ({ rule: at % 6, start: at * 8, end: at * 8 + 5 }));
    expect(weigh(flood, scoreOf, 0.5).convicting).toHaveLength(flood.length);
  });

  it('has nothing to say of nothing', () => {
    expect(weigh([], scoreOf, 0)).toEqual({ score: 0, convicting: [] });
  });
});
