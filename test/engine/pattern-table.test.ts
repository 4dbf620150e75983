import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePatterns, encodePatterns } from '../../src/engine/pattern-table.js';
import { detections, type ProgramPattern } from '../../src/engine/program.js';

const count = fc.integer({ min: 0, max: 0x7fff_ffff });
const list = fc.array(fc.string(), { maxLength: 3 });
const text = fc.string({ unit: 'grapheme' });
const orNone = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const pattern: fc.Arbitrary<ProgramPattern> = fc
  .record({
    rule: count,
    kind: fc.constantFrom('exact', 'gated', 'ungated'),
    ignoreCase: fc.boolean(),
    bordered: fc.boolean(),
    gateCount: count,
    windowUnits: count,
    reach: fc.record({ before: count, after: count }),
    validate: list,
    unless: list,
    unlessBefore: orNone(list),
    unlessAfter: orNone(list),
    detect: orNone(fc.constantFrom(...detections)),
    source: text,
    isPhrase: fc.boolean(),
  })
  .map(({ source, isPhrase, ...rest }) => ({ ...rest, ...(isPhrase ? { source: '', phrase: source } : { source }) }));

/** All that a pattern says, what it is read by included. */
const saidBy = ({ rule, kind, ignoreCase, bordered, gateCount, ...others }: ProgramPattern) => ({
  ...{ rule, kind, ignoreCase, bordered, gateCount },
  windowUnits: others.windowUnits,
  reach: others.reach,
  validate: others.validate,
  unless: others.unless,
  unlessBefore: others.unlessBefore,
  unlessAfter: others.unlessAfter,
  detect: others.detect,
});

describe('a table of patterns', () => {
  it('says of each what was put in, whatever that is', () => {
    fc.assert(
      fc.property(fc.array(pattern), (patterns) => {
        const read = decodePatterns(encodePatterns(patterns));
        expect(read.map(saidBy)).toEqual(patterns.map(saidBy));
        expect(read.map(({ source }) => source)).toEqual(patterns.map(({ source }) => source));
        expect(read.map(({ phrase }) => phrase)).toEqual(patterns.map(({ phrase }) => phrase));
      }),
    );
  });

  it('holds what two patterns have in common once', () => {
    const [one] = fc.sample(pattern, 1);
    const { lists } = encodePatterns([
      { ...one, unless: ['a dummy'], validate: [], unlessBefore: ['not'], unlessAfter: undefined },
      { ...one, unless: ['a dummy'], validate: [], unlessBefore: undefined, unlessAfter: ['not'] },
    ]);
    expect(lists).toEqual([[], ['a dummy'], ['not']]);
  });
});
