import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildAutomata } from '../../../src/engine/automaton/build.js';
import { walk } from '../../../src/engine/automaton/search.js';
import { cellUnits, createSearcher, type Searcher } from '../../../src/engine/automaton/searcher.js';
import { startOf } from '../../../src/engine/automaton/start-of.js';
import { allRoles, roleClasses } from '../../../src/engine/program.js';
import { decodeProgram, encodeProgram } from '../../../src/engine/program-layout.js';
import { whiteSpaceUnits } from '../../../src/engine/text/casefold.generated.js';
import { foldTable, foldText, spaceUnit } from '../../../src/engine/text/fold.js';
import { expectSame } from '../../same.js';
import { programOf } from '../program-of.js';

/** Engine and rows: whole or paged. */
const kinds = ['wasm whole', 'wasm paged', 'js whole', 'js paged'] as const;
const rowBytes = { whole: Number.MAX_SAFE_INTEGER, paged: 0 };
type Hit = `${number}:${number}-${number}`;

function searcherOf(kind: (typeof kinds)[number], needles: readonly string[]): Searcher {
  const [engine, rows] = kind.split(' ') as ['wasm' | 'js', keyof typeof rowBytes];
  const parts = { hash: '', rules: [], patterns: [], needles, rowBytes: rowBytes[rows] };
  const program = decodeProgram(encodeProgram(parts));
  for (const { isPaged } of program.automata) expect(isPaged).toBe(rows === 'paged');
  return createSearcher(program, engine === 'wasm' ? 'auto' : 'js');
}

function hitsOf(kind: (typeof kinds)[number], needles: readonly string[], text: string): readonly Hit[] {
  const hits: Hit[] = [];
  let lastEnd = 0;
  const searcher = searcherOf(kind, needles);
  expect(searcher.kind).toBe(kind.startsWith('wasm') && needles.length > 0 ? 'wasm' : 'js');
  searcher.search(text, allRoles, (needle, end) => {
    if (end < lastEnd) expect(end).toBeGreaterThanOrEqual(lastEnd);
    lastEnd = end;
    hits.push(
      `${needle}:${startOf(text, end, (needles[needle].length << 1) | Number(needles[needle].includes(' ')))}-${end}`,
    );
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

  const unit = fc.constantFrom(
    ...['a', 'b', 'A', ' ', '\n', '  ', 'ß', 'ẞ', 'K', 'k', '\u212a', 'İ', '\ud83d', '\ude00', '😀', '之'],
  );
  const needle = fc
    .array(unit, { minLength: 1, maxLength: 6 })
    .map((units) => foldText(units.join('')).trim())
    .filter((text) => text !== '');

  it('equals a naive search on random needles and texts', () => {
    const text = fc.array(unit, { maxLength: 300 }).map((units) => units.join(''));
    fc.assert(
      fc.property(fc.uniqueArray(needle, { maxLength: 8 }), text, (needles, haystack) => {
        expectSame(hitsOf(kind, needles, haystack), naiveHits(needles, haystack));
      }),
      { numRuns: 300 },
    );
  });

  it('equals a naive search where rows have several pages', () => {
    const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789бвгджзиклмнпрстфхцчшщ');
    const manyNeedles = fc.uniqueArray(fc.string({ unit: letters, minLength: 1, maxLength: 3 }), { maxLength: 120 });
    const text = fc.string({ unit: letters, maxLength: 200 });
    fc.assert(
      fc.property(manyNeedles, text, (needles, haystack) => {
        expectSame(hitsOf(kind, needles, haystack), naiveHits(needles, haystack));
      }),
      { numRuns: 60 },
    );
  });

  it('equals a naive search where units beyond ASCII are few', () => {
    const ascii = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'k'), minLength: 40, maxLength: 140 });
    const foreign = fc.constantFrom(
      'ß',
      'ßa',
      'a ß',
      'ß b',
      'bß',
      'ßß',
      'ß ab ß',
      'ßa bß',
      'ß b aßab ß',
      '\u212a',
      '之',
      '\u00a0',
    );
    const text = fc.array(fc.tuple(ascii, foreign), { maxLength: 4 }).map((parts) => parts.flat().join(''));
    const few = fc
      .tuple(needle, fc.constantFrom('ß', 'ß ', ' ß', '之'), needle)
      .map((parts) => foldText(parts.join('')));
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(needle, few), { maxLength: 8 }), text, ascii, (needles, haystack, end) => {
        expectSame(hitsOf(kind, needles, haystack + end), naiveHits(needles, haystack + end));
      }),
      { numRuns: 300 },
    );
  });

  it('finds the few needles beyond ASCII of a long text', () => {
    const needles = ['café crème', 'un café', 'caf', 'mé', 'fé cr', 'n café c'];
    for (const hit of ['un   café   crème', 'un café   cru']) {
      for (const before of [0, 20, 8_000, 32_740, 32_750, 32_755, 32_760, 32_762, 32_764, 32_766, 40_000]) {
        for (const gap of [1, 60, 1_000]) {
          const text = `${'x '.repeat(before / 2)}${hit.replaceAll('   ', ' '.repeat(gap))}${' caf'.repeat(500)}`;
          expectSame(hitsOf(kind, needles, text), naiveHits(needles, text), `${before}, ${gap}`);
        }
      }
    }
  });

  it('finds a needle that begins where the way around another unit ends', () => {
    expect(hitsOf(kind, ['ß a', 'b ß'], `${'x'.repeat(80)}ß b ß${'x'.repeat(80)}`)).toEqual(['1:82-85']);
  });

  it('counts white space that is repeated', () => {
    const units = fc.constantFrom(...whiteSpaceUnits.map((unit) => String.fromCharCode(unit)), 'a', '\u3001', '\u200b');
    const text = fc
      .tuple(fc.string({ unit: units, maxLength: 100 }), fc.constantFrom(1, 700))
      .map(([part, times]) => part.repeat(times));
    const searcher = searcherOf(kind, ['a b', '之 之']);
    fc.assert(
      fc.property(text, (haystack) => {
        expect(searcher.repeatedSpace(haystack)).toBe(haystack.length - foldText(haystack).length);
      }),
    );
  });

  it('equals a naive search at every length from 0 to 300, at every lane border', () => {
    const needles = ['ab a', 'b', 'a b a b', 'ba', 'a'];
    const source = 'ab  a b a\tb ba \n  aab '.repeat(14);
    for (let length = 0; length <= 300; length++) {
      const text = source.slice(length % 13, (length % 13) + length);
      expectSame(hitsOf(kind, needles, text), naiveHits(needles, text), `length ${length}`);
    }
  });

  it('finds needles that stand across the borders of lanes and pieces, also across long white space', () => {
    for (const total of [4_096, 40_000, 70_000]) {
      for (const at of [total / 4, total / 2, (total * 3) / 4, 32_768, 65_536, total - 9].filter(
        (place) => place < total,
      )) {
        for (const gap of [1, 3, 9_000]) {
          const hit = `left${' '.repeat(gap)}right`;
          const text = `${'x'.repeat(Math.max(0, at - 6))}${hit}${'x'.repeat(Math.max(0, total - at))}`;
          expect(hitsOf(kind, ['left right', 'right', 't r'], text)).toHaveLength(3);
        }
      }
    }
  });

  it('finds a needle beyond ASCII whose units of ASCII end a cell', () => {
    const needles = ['don’t ask', 'ask'];
    for (const before of [32_760, 32_764, 32_765, 32_766, 32_768]) {
      const text = `${'x '.repeat(before / 2)}${before % 2 === 0 ? '' : 'x'}don’t ask, … don’t ask`;
      expectSame(hitsOf(kind, needles, text), naiveHits(needles, text), `${before}`);
    }
  });

  it('finds such a needle also where a flood of hits begins in the next cell', () => {
    const needles = ['don’t ask', ...Array.from({ length: 100 }, (_, i) => 'x'.repeat(i + 1))];
    const text = `${'. '.repeat(16_382)} don’t ask${'x'.repeat(3_000)}`;
    expect(text.indexOf('’')).toBe(32_768);
    let found = 0;
    searcherOf(kind, needles).search(text, allRoles, (needle) => {
      if (needle === 0) found++;
    });
    expect(found).toBe(1);
  });

  it('hands out every hit of a flood', () => {
    let hits = 0;
    const text = 'x'.repeat(200_000);
    searcherOf(kind, ['x', 'xx', 'xxx']).search(text, allRoles, () => hits++);
    expect(hits).toBe(3 * text.length - 3);
  });
});

describe('buildAutomata', () => {
  it('pages rows beyond the budget', () => {
    const needles = Array.from({ length: 40_000 }, (_, i) => `needle ${i.toString(36)} of many ${i}`);
    const text = `x ${needles[12_345]} y`;
    const [whole] = buildAutomata(needles, Number.MAX_SAFE_INTEGER).list;
    const [paged] = buildAutomata(needles, whole.rowCount * whole.classCount * 4 - 1).list;
    expect([whole.isPaged, paged.isPaged]).toEqual([false, true]);
    expect(paged.words.length).toBeLessThan(whole.words.length);
    for (const automaton of [whole, paged]) {
      const hits: number[] = [];
      walk(automaton, automaton.root, text, 0, text.length, (found) => hits.push(found));
      expect(hits).toContain(12_345);
    }
  });

  it('gives a state a row of its own where it differs from its suffix in more than one class', () => {
    const [chain] = buildAutomata(['abcdefgh']).list;
    expect([chain.stateCount, chain.rowCount]).toEqual([9, 1]);
    const [fork] = buildAutomata(['abcd', 'abce', 'xabc']).list;
    // The root, "abc", and "xabc", which goes where "abc" goes, has none.
    expect([fork.stateCount, fork.rowCount]).toEqual([10, 2]);
  });

  it.each([
    ['ASCII alone', ['abc', 'b'], ['ascii']],
    ['none of ASCII', ['я', 'пароль key'], ['beyond']],
    ['both', ['abc', 'я'], ['ascii', 'beyond']],
    ['no needles', [], []],
  ])('makes an automaton for each alphabet: %s', (_, needles, expected) => {
    expect(buildAutomata(needles).list.map(({ alphabet }) => alphabet)).toEqual(expected);
  });

  it('keeps what no rule wants of users apart', () => {
    const users = roleClasses.user | roleClasses.system;
    const { list } = buildAutomata(['abc', 'b', 'c'], undefined, Uint8Array.of(users, roleClasses.tool, users));
    expect(list.map(({ alphabet, roles }) => [alphabet, roles])).toEqual([
      ['ascii', users],
      ['ascii', roleClasses.tool],
    ]);
  });

  it('takes more needles than a small number can name', () => {
    const needles = Array.from({ length: 140_000 }, (_, i) => `n${i.toString(36)}~`);
    const [automaton] = buildAutomata(needles).list;
    const found: number[] = [];
    walk(automaton, automaton.root, needles[139_999], 0, needles[139_999].length, (needle) => found.push(needle));
    searcherOf('wasm whole', needles).search(`a text, and in it ${needles[139_999]}`, allRoles, (needle) =>
      found.push(needle),
    );
    expect(found).toEqual([139_999, 139_999]);
  });
});

describe('the room of texts', () => {
  const program = decodeProgram(encodeProgram({ hash: '', rules: [], patterns: [], needles: ['abc'] }));

  it('holds the text that was searched last, where it was searched in one piece', () => {
    const { room, search, repeatedSpace } = createSearcher(program);
    const text = 'xabc  é abc 漢字 '.repeat(8);
    search(text, allRoles, () => undefined);
    expect(room?.holds(text)).toBe(true);
    expect(String.fromCharCode(...(room?.units.subarray(0, text.length) ?? []))).toBe(text);
    repeatedSpace(text);
    expect(room?.holds(text)).toBe(true);
    search(`${text}.`, allRoles, () => undefined);
    expect(room?.holds(text)).toBe(false);
    const long = 'abc '.repeat(cellUnits / 2);
    search(long, allRoles, () => undefined);
    expect([room?.holds(long), room?.holds(long.slice(cellUnits))]).toEqual([false, false]);
  });

  it('counts the white space of the text that is asked about, whichever was searched before', () => {
    const gated = programOf([{ phrase: 'purple <3> elephants' }]);
    const searcher = createSearcher(gated);
    const piece = fc.constantFrom('purple ', 'elephants', '  ', ' ', '\n\n', 'x'.repeat(400), 'ü', '\u3000');
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, (searched, other) => {
        searcher.search(searched, allRoles, () => undefined);
        for (const each of [searched, other, searched]) {
          expect(searcher.repeatedSpace(each)).toBe(each.length - foldText(each).length);
        }
      }),
    );
  });

  it('is not there without the kernel', () => {
    expect(createSearcher(program, 'js').room).toBeUndefined();
  });
});
