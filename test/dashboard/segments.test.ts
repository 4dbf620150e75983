import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, segmentText, shownRanges, shownUnitsMax } from '../../src/dashboard/text/segments.js';

/** `a` at 0–3, `b` at 2–5 and so on: spans of the text `abcdefgh`. */
const span = (start: number, end: number) => ({ start, end });

describe('segments of a text', () => {
  it.each([
    ['no span', [], ['abcdefgh:']],
    ['one span', [span(2, 4)], ['ab:', 'cd:0', 'efgh:']],
    ['spans that overlap', [span(0, 3), span(2, 5)], ['ab:0', 'c:0,1', 'de:1', 'fgh:']],
    ['a span within another', [span(1, 7), span(3, 4)], ['a:', 'bc:0', 'd:0,1', 'efg:0', 'h:']],
    ['two spans of the same place', [span(2, 4), span(2, 4)], ['ab:', 'cd:0,1', 'efgh:']],
    ['spans side by side', [span(0, 2), span(2, 4)], ['ab:0', 'cd:1', 'efgh:']],
    ['a span beyond the text', [span(6, 99)], ['abcdef:', 'gh:0']],
    ['empty and turned spans', [span(3, 3), span(5, 2)], ['abcdefgh:']],
  ])('are cut at every border: %s', (_, spans, expected) => {
    const text = 'abcdefgh';
    const found = segmentText(span(0, text.length), spans);
    expect(found.map(({ start, end, spans: at }) => `${text.slice(start, end)}:${at.join()}`)).toEqual(expected);
  });

  it('lose and double nothing, whatever the spans', () => {
    const place = fc.tuple(fc.integer({ min: -5, max: 60 }), fc.integer({ min: -5, max: 60 }));
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.array(place, { maxLength: 12 }), (text, places) => {
        const spans = places.map(([start, end]) => span(start, end));
        const segments = segmentText(span(0, text.length), spans);
        expect(segments.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        for (let unit = 0; unit < text.length; unit++) {
          const naive = spans.flatMap(({ start, end }, index) => (start <= unit && unit < end ? [index] : []));
          expect(segments.find(({ start, end }) => start <= unit && unit < end)?.spans).toEqual(naive);
        }
      }),
    );
  });
});

describe('the shown parts of a text', () => {
  it('are all of a short one', () => {
    expect(shownRanges('', [])).toEqual([]);
    expect(shownRanges('abc', [span(1, 2)])).toEqual([span(0, 3)]);
  });

  it('are the beginning of a long one and what stands around its spans', () => {
    const ranges = shownRanges('x'.repeat(1_000_000), [span(500_000, 500_010), span(999_990, 1_000_000)]);
    expect(ranges).toEqual([span(0, 1_200), span(499_760, 500_250), span(999_750, 1_000_000)]);
  });

  it('of a line are its whole characters', () => {
    expect([2, 3, 4, 9].map((max) => cutText('x🙂🙂', max))).toEqual(['x', 'x🙂', 'x🙂', 'x🙂🙂']);
  });

  it('end before a character of which the bound leaves half', () => {
    const places = [12_799, 15_279, 17_759, 3_920, 6_400, 1_440, 10_319].map((start) => span(start, start + 2_000));
    const ranges = shownRanges('🙂'.repeat(40_000), [...places, span(53_046, 53_046), span(8_880, 9_839)]);
    expect(ranges.length).toBeGreaterThan(0);
    expect(ranges.filter(({ start, end }) => start >= end)).toEqual([]);
  });

  it('never go through a character, nor beyond the bound, nor twice over the same place', () => {
    const text = '🙂'.repeat(40_000);
    const place = fc.tuple(fc.integer({ min: 0, max: 80_000 }), fc.integer({ min: 0, max: 6_000 }));
    fc.assert(
      fc.property(fc.array(place, { maxLength: 30 }), (places) => {
        const ranges = shownRanges(
          text,
          places.map(([start, length]) => span(start, start + length)),
        );
        expect(ranges.every(({ start, end }) => start % 2 === 0 && end % 2 === 0 && start < end)).toBe(true);
        expect(ranges.every(({ start }, at) => start >= (ranges[at - 1]?.end ?? 0))).toBe(true);
        const units = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
        expect(units).toBeLessThanOrEqual(shownUnitsMax + ranges.length);
      }),
      { numRuns: 400 },
    );
  });
});
