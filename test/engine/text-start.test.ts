import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRoles } from '../../src/engine/program.js';
import { bothEngines } from './both-engines.js';
import { programOf } from './program-of.js';

/** Anchored at the start of the text: alone, and with one and two more gates. */
const patterns = [
  { regex: '^[^a-zA-Z0-9 ]{3}' },
  { regex: '^[;|][^#]{0,60}garden' },
  { regex: '^[;|][^#]{0,60}garden[^#]{0,60}winter' },
  { regex: 'garden[^#]{0,60}winter' },
  // White space is counted where needles have some.
  { phrase: 'never ever' },
];
const program = programOf(patterns);
const { mask, plain, fast, callsOf } = bothEngines(program);

const { from, to } = program.outputs.textStart;

describe('patterns that are anchored at the start of the text', () => {
  it('have the start as one of their gates', () => {
    expect(program.patterns.map(({ gateCount }) => gateCount)).toEqual([1, 2, 3, 2, 1]);
    expect(to - from).toBe(3);
  });

  it('are found as every regex on the whole text finds them, and by both engines with the same calls', () => {
    const part = fc.constantFrom(';', '|', 'ab!', 'garden', 'winter', ' ', '#', 'x'.repeat(50));
    let found = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        const expected = plain.match(text, allRoles, mask);
        for (const scanner of fast) expect(scanner.match(text, allRoles, mask)).toEqual(expected);
        expect(callsOf('auto', text)).toEqual(callsOf('js', text));
        found += expected.list.filter(({ rule }) => rule < 3).length;
      }),
      { numRuns: 2_000 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it('are shown only where the text holds their other gates', () => {
    const starts = (text: string) => callsOf('auto', text).filter((call) => Number.parseInt(call, 10) >= from);
    expect(starts(';|; in the house')).toHaveLength(1);
    expect(starts('; in the garden')).toHaveLength(1);
    expect(starts('; in the garden of winter')).toHaveLength(2);
    expect(starts('; in the house')).toEqual([]);
  });
});
