import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildAutomaton } from '../../../src/engine/automaton/build.js';
import { search } from '../../../src/engine/automaton/search.js';
import { startOf } from '../../../src/engine/automaton/start-of.js';
import { foldTable, foldText, spaceUnit } from '../../../src/engine/text/fold.js';

const kinds = ['dense', 'compact'] as const;
type Hit = `${number}:${number}-${number}`;

function hitsOf(kind: (typeof kinds)[number], needles: readonly string[], text: string): readonly Hit[] {
  const hits: Hit[] = [];
  search(buildAutomaton(needles, kind), text, (needle, end) => {
    hits.push(`${needle}:${startOf(text, end, needles[needle])}-${end}`);
  });
  return hits.sort();
}

/** Tries every needle at every place; a space in a needle takes a whole run of white space of the text. */
function naiveHits(needles: readonly string[], text: string): readonly Hit[] {
  const hits: Hit[] = [];
  const units = Array.from({ length: text.length }, (_, i) => foldTable[text.charCodeAt(i)]);
  needles.forEach((needle, number) => {
    for (let start = 0; start < text.length; start++) {
      let at = start;
      let i = 0;
      for (; i < needle.length && at < units.length && units[at] === needle.charCodeAt(i); i++) {
        at++;
        if (needle.charCodeAt(i) === spaceUnit) while (units[at] === spaceUnit) at++;
      }
      if (i === needle.length) hits.push(`${number}:${start}-${at}`);
    }
  });
  return hits.sort();
}

describe.each(kinds)('search, %s', (kind) => {
  it.each([
    ['empty text', ['a'], '', []],
    ['no needles', [], 'abc', []],
    ['overlapping and nested needles', ['he', 'she', 'hers'], 'ushers', ['0:2-4', '1:1-4', '2:2-6']],
    ['one-character needle', ['x'], 'xx', ['0:0-1', '0:1-2']],
    ['any case', ['abc'], 'xABcx', ['0:1-4']],
    ['Kelvin sign', ['ok'], 'o\u212a', ['0:0-2']],
    ['İ is not i', ['in'], 'İn in', ['0:3-5']],
    ['ß is not ss', ['strasse'], 'straße strasse', ['0:7-14']],
    ['ẞ is ß', ['straße'], 'STRAẞE', ['0:0-6']],
    ['a run of white space is one', ['a b'], 'a \n\t b a b', ['0:0-6', '0:7-10']],
    ['white space at the ends', ['a'], '  a  ', ['0:2-3']],
    ['astral character', ['😀!'], 'a😀!', ['0:1-4']],
    ['half an astral character', ['\ude00'], '😀', ['0:1-2']],
    ['failure link across white space', ['a b', 'b c'], 'a  b   c', ['0:0-4', '1:3-8']],
  ] as [string, string[], string, Hit[]][])('%s', (_, needles, text, expected) => {
    expect(hitsOf(kind, needles, text)).toEqual(expected.sort());
  });

  it('equals a naive search on random needles and texts', () => {
    const unit = fc.constantFrom(
      'a',
      'b',
      'A',
      ' ',
      '\n',
      'ß',
      'ẞ',
      'K',
      'k',
      '\u212a',
      'İ',
      '\ud83d',
      '\ude00',
      '😀',
      '之',
    );
    const needle = fc
      .array(unit, { minLength: 1, maxLength: 5 })
      .map((units) => foldText(units.join('')).trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(
        fc.uniqueArray(needle, { maxLength: 8 }),
        fc.array(unit, { maxLength: 300 }).map((units) => units.join('')),
        (needles, text) => {
          expect(hitsOf(kind, needles, text)).toEqual(naiveHits(needles, text));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('buildAutomaton', () => {
  it('goes compact where a dense table would be large', () => {
    const needles = Array.from({ length: 20_000 }, (_, i) => `needle ${i.toString(36)} of many ${i}`);
    const automaton = buildAutomaton(needles);
    expect(automaton.kind).toBe('compact');
    const hits: number[] = [];
    search(automaton, `x ${needles[12_345]} y`, (needle) => hits.push(needle));
    expect(hits).toContain(12_345);
  });
});
