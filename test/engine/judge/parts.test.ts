import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutParts } from '../../../src/engine/judge/parts.js';
import type { FoundMatch } from '../../../src/engine/view/match-views.js';

const scores = [0.3, 0.5, 0.5, 0.7];
const scoreOf = (rule: number) => scores[rule];
const sureness = ({ rule, score }: FoundMatch) => score ?? scoreOf(rule);

/** Whoever stands in nobody else's match stays; so does who is surer than all of them. */
function plain(matches: readonly FoundMatch[]): readonly FoundMatch[] {
  return matches.filter(
    (match) =>
      !matches.some(
        (other) =>
          other.start <= match.start &&
          other.end >= match.end &&
          other.end - other.start > match.end - match.start &&
          sureness(other) >= sureness(match),
      ),
  );
}

const match: fc.Arbitrary<FoundMatch> = fc
  .record({ rule: fc.nat(3), start: fc.nat(12), length: fc.integer({ min: 1, max: 6 }), model: fc.nat(3) })
  .map(({ rule, start, length, model }) => ({
    rule,
    start,
    end: start + length,
    ...(model === 0 ? { score: 0.6 } : {}),
  }));

const inOrder = (matches: readonly FoundMatch[]) => matches.map((each) => JSON.stringify(each)).sort();

describe('withoutParts', () => {
  it('drops what lies within a match that is at least as sure, and nothing else', () => {
    let dropped = 0;
    fc.assert(
      fc.property(fc.array(match, { maxLength: 12 }), (matches) => {
        const kept = withoutParts(matches, scoreOf);
        expect(inOrder(kept)).toEqual(inOrder(plain(matches)));
        dropped += matches.length - kept.length;
      }),
    );
    expect(dropped).toBeGreaterThan(50);
  });

  it('orders by start', () => {
    const at = (start: number): FoundMatch => ({ rule: 1, start, end: start + 2 });
    expect(withoutParts([at(9), at(1), at(5)], scoreOf)).toEqual([at(1), at(5), at(9)]);
  });
});
