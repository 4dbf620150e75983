import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CollapsedText } from '../../../src/engine/text/collapsed-text.js';
import { isSpaceUnit } from '../../../src/engine/text/fold.js';

/** Collapsed units before each place of a text. */
function countsOf(text: string): readonly number[] {
  const counts = [0];
  for (let i = 0; i < text.length; i++) {
    const repeats = i > 0 && isSpaceUnit(text.charCodeAt(i)) && isSpaceUnit(text.charCodeAt(i - 1));
    counts.push(counts[i] + (repeats ? 0 : 1));
  }
  return counts;
}

const pieces = fc.constantFrom('word', 'a', ' ', '\n', '\t \n', ' '.repeat(70), '\u3000', 'x'.repeat(100));
const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

describe('a collapsed text', () => {
  it('finds the furthest place at a distance, or the edge of the text', () => {
    const collapsed = new CollapsedText();
    fc.assert(
      fc.property(texts, fc.nat(), fc.integer({ min: -500, max: 500 }), (text, place, units) => {
        const offset = place % (text.length + 1);
        const counts = countsOf(text);
        collapsed.read(text);
        expect(collapsed.placeFrom(offset, units)).toBe(
          Math.max(
            0,
            counts.findLastIndex((count) => count <= counts[offset] + units),
          ),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('is that of the text that was read last', () => {
    const collapsed = new CollapsedText();
    collapsed.read(`one${' '.repeat(500)}two`);
    expect(collapsed.placeFrom(0, 5)).toBe(504);
    collapsed.read('one two');
    expect(collapsed.placeFrom(0, 5)).toBe(5);
    expect(collapsed.placeFrom(7, -3)).toBe(4);
  });
});
