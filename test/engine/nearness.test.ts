import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellUnits } from '../../src/engine/automaton/searcher.js';
import { allRoles } from '../../src/engine/program.js';
import { expectSame } from '../same.js';
import { bothEngines } from './both-engines.js';
import { programOf } from './program-of.js';

/** Patterns with two and three gates, whose matches span from a few units to as many as a window may have. */
const patterns = [
  { phrase: 'table <8> garden' },
  { phrase: 'table <2> garden <2> winter' },
  { regex: 'table[^#]{0,900}garden' },
  { regex: 'table[^#]{0,1000}garden[^#]{0,900}winter' },
  { regex: 'winter[^#]*table' },
  // White space is counted where needles have some.
  { phrase: 'never ever' },
];
const program = programOf(patterns);
const { mask, plain, fast, callsOf } = bothEngines(program);

const words = ['table', 'garden', 'winter'];
const filler = ['-', 'ab ', 'ab  ', 'x \n \t'];
/** Distances at which a match is just long enough or not, or a piece of the text ends. */
const near = (units: number) => fc.integer({ min: Math.max(0, units - 40), max: units + 40 });
const distance = fc.oneof(...[20, 512, 900, 1_000, 1_900, 2_048, 3_000].map(near));
const place = fc.oneof(...[0, 1_024, 2_048, 4_096, cellUnits / 2, cellUnits, 2 * cellUnits].map(near));
const stretch = fc.tuple(fc.constantFrom(...filler), distance, fc.constantFrom(...words));

describe('gates that stand apart', () => {
  it.each([1, 2, 3, 15, 16, 17, 31, 32])('open across place %i of sixteen in a piece', (part) => {
    const border = (part * cellUnits) / 16;
    for (const behind of [10, 300, 880]) {
      const start = border - 890 + behind;
      const text = `${'-'.repeat(start)} table ${'-'.repeat(880)} garden ${'-'.repeat(2 * cellUnits)}`;
      const found = [{ rule: 2, start: start + 1, end: start + 1 + 5 + 882 + 6 }];
      for (const scanner of fast) expect(scanner.match(text, allRoles, mask).list).toEqual(found);
    }
  });

  it('open where the whole text shows a match, however far they are and wherever the text is cut', () => {
    expect(program.patterns.map(({ gateCount }) => gateCount)).toEqual([2, 3, 2, 3, 2, 1]);
    let found = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...filler),
        place,
        fc.array(stretch, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(0, cellUnits),
        (before, start, stretches, rest) => {
          const fill = (kind: string, units: number) => kind.repeat(Math.ceil(units / kind.length)).slice(0, units);
          const text = [
            fill(before, start),
            ...stretches.flatMap(([kind, units, word]) => [` ${word} `, fill(kind, units)]),
            fill(before, rest),
          ].join('');
          const expected = plain.match(text, allRoles, mask);
          for (const scanner of fast) expectSame(scanner.match(text, allRoles, mask), expected);
          const calls = callsOf('auto', text);
          // At the end of a piece the kernel's flanks know less of what follows, so more may pass.
          if (text.length <= cellUnits) expectSame(calls, callsOf('js', text));
          else expect(calls).toEqual(expect.arrayContaining([...callsOf('js', text)]));
          found += expected.list.length;
        },
      ),
      { numRuns: 600 },
    );
    expect(found).toBeGreaterThan(100);
  });
});
