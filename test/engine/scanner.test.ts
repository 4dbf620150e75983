import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { roleClassOf } from '../../src/domain/role.js';
import { allRoles, roleClasses } from '../../src/engine/program.js';
import { createScanner } from '../../src/engine/scanner.js';
import type { PatternSource } from '../../src/rules/pack-schema.js';
import { programOf, programOfRules } from './program-of.js';

function marksOf(pattern: PatternSource, text: string, prefilter = true): readonly string[] {
  const scanner = createScanner(programOf([pattern]), { prefilter });
  return scanner.match(text, allRoles, Uint8Array.of(1)).list.map(({ start, end }) => text.slice(start, end));
}

/** Three digits between characters that are none, which the matches take in: two of a point and what follows it. */
const numberOf3 = '(?:^|[^0-9])(?<hit>[0-9]{3})(?:[^0-9.]|\\.[^0-9]|\\.?$)';

describe('regexes', () => {
  it.each([
    ['exact span', { regex: 'AKIA[0-9A-Z]{4}' }, 'x AKIA0000 y', ['AKIA0000']],
    ['case matters unless told', { regex: 'AKIA[0-9]{2}' }, 'akia00 AKIA00', ['AKIA00']],
    ['ignore_case', { regex: 'akia[0-9]{2}', ignore_case: true }, 'Akia00', ['Akia00']],
    ['group hit is the span', { regex: 'key = (?<hit>[a-z]{3})\\b' }, 'key = abc', ['abc']],
    ['span after astral and accented text', { regex: 'AKIA[0-9]{2}' }, '😀é AKIA00', ['AKIA00']],
    [
      'word border at a window edge',
      { regex: '\\bAKIA\\b' },
      `${'x'.repeat(600)}AKIA ${'y'.repeat(600)} AKIA`,
      ['AKIA'],
    ],
    ['end of text anchor', { regex: 'AKIA$' }, 'AKIA AKIA', ['AKIA']],
    [
      'white space longer than any window',
      { regex: 'from\\s+table' },
      `from${' '.repeat(5_000)}table`,
      [`from${' '.repeat(5_000)}table`],
    ],
    [
      'validator rejects',
      { regex: '\\b\\d{4} \\d{4} \\d{4} \\d{4}\\b', validate: ['luhn'] },
      '4111 1111 1111 1112',
      [],
    ],
    [
      'validator accepts',
      { regex: '\\b\\d{4} \\d{4} \\d{4} \\d{4}\\b', validate: ['luhn'] },
      '4111 1111 1111 1111',
      ['4111 1111 1111 1111'],
    ],
    ['neighbours that share a border', { regex: numberOf3 }, '123 456\n789;123', ['123', '456', '789', '123']],
    ['… of two units', { regex: numberOf3 }, '123😀456\ud83d789', ['123', '456', '789']],
    ['… of two characters', { regex: numberOf3 }, '123. 456. 789.', ['123', '456', '789']],
    ['neighbours that are no numbers', { regex: numberOf3 }, '123 4567 890 123.4 567', ['123', '890', '567']],
    ['behind a hit is no start of the text', { regex: '^(?<hit>ab)(?:;|$)|x' }, 'ab;ab;abx', ['ab', 'x']],
    ['behind a hit is no word border', { regex: '\\b(?<hit>ab)(?:[^c]|$)' }, 'abab ab', ['ab', 'ab']],
    ['a hit may end where the next begins', { regex: '(?<hit>ab)(?:;|a|$)' }, 'abab;ab', ['ab', 'ab', 'ab']],
    [
      'what is longer than a border is used up',
      { regex: '(?<hit>[0-9]{2}) name(?: [0-9]{2})?' },
      '12 name 34 name',
      ['12'],
    ],
    ['a hit that may be empty', { regex: '(?<hit>x{0,2})[ab]' }, 'ab xa xxb', ['x', 'xx']],
    ['known dummy', { regex: 'AKIA[0-9A-Z]{7}', unless: ['example'] }, 'AKIAEXAMPLE AKIA0000000', ['AKIA0000000']],
    ['NUL and lone surrogates around', { regex: 'AKIA[0-9]{2}' }, '\0\ud800AKIA00\udc00', ['AKIA00']],
  ] as [string, PatternSource, string, string[]][])('%s', (_, pattern, text, expected) => {
    expect(marksOf(pattern, text), 'with prefilter').toEqual(expected);
    expect(marksOf(pattern, text, false), 'plain').toEqual(expected);
  });

  it('finds the same with and without prefilter on random text', () => {
    const patterns: PatternSource[] = [
      { regex: '\\bak(?:ia|ib)[0-9a]{2,4}\\b', ignore_case: true },
      { regex: 'from\\s+(?:the\\s+)?table\\b', ignore_case: true },
      { regex: 'k[a0]{0,6}k\\s*=', ignore_case: true },
      { regex: '"[^"]{1,12}from[^"]{1,12}"' },
      { regex: 'table$' },
      { named: ['table', 'ak'], value: '[0a]{1,3}', within: 6 },
      // Neighbours share the characters between them.
      { regex: '(?:^|[^0a])(?<hit>[0a]{1,2})(?:[^0a]|$)' },
      { regex: '(?:^|[^a-z])(?<hit>from|ak|the)(?:[^a-z]{1,3}|$)' },
      { regex: '(?:^|\\s)(?<hit>table|=)(?:\\s|$)', ignore_case: true },
    ];
    // Every third rule speaks of users, every third of assistants and tools: automata of their own.
    const rolesOf = (place: number): { roles?: ('user' | 'assistant' | 'tool')[] } =>
      place % 3 === 0 ? {} : { roles: place % 3 === 1 ? ['user'] : ['assistant', 'tool'] };
    const program = programOfRules(patterns.map((pattern, place) => ({ patterns: [pattern], ...rolesOf(place) })));
    expect(program.automata.filter(({ alphabet }) => alphabet === 'ascii')).toHaveLength(2);
    const mask = new Uint8Array(patterns.length).fill(1);
    const fast = createScanner(program);
    const plain = createScanner(program, { prefilter: false });
    const piece = fc.constantFrom(
      'ak',
      'AKIA',
      'akib',
      '0',
      'a',
      '\u212a',
      'from',
      ' ',
      '  ',
      '\n',
      '\u00a0',
      'the',
      'table',
      '=',
      '"',
      '😀',
      'é',
      '\ud83d',
    );
    const roles = [...Object.values(roleClasses), allRoles];
    let matched = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), fc.constantFrom(...roles), (pieces, role) => {
        const text = pieces.join('');
        const found = fast.match(text, role, mask);
        expect(found).toEqual(plain.match(text, role, mask));
        matched += found.list.length;
      }),
      { numRuns: 3_000 },
    );
    expect(matched).toBeGreaterThan(30);
  });
});

describe('borders that matches take in', () => {
  it.each([
    ['(?:^|[^0-9])(?<hit>[0-9]{1,3})(?:[^0-9]|$)', /(?<=^|[^0-9])[0-9]{1,3}(?=[^0-9]|$)/gu],
    ['(?:^|[^0-9.])(?<hit>[0-9]{2})(?:[^0-9.]|\\.[^0-9]|$)', /(?<=^|[^0-9.])[0-9]{2}(?=[^0-9.]|\.[^0-9]|$)/gu],
    ['(?:^|;)(?<hit>ab|1)(?:;|$)', /(?<=^|;)(?:ab|1)(?=;|$)/gu],
  ])('are shared by neighbours, as if the matches only looked at them: %s', (regex, twin) => {
    const piece = fc.constantFrom('1', '23', '456', 'ab', '1;ab', ';', ' ', '.', '. ', '\n', '😀', '\ud83d');
    const scanner = createScanner(programOf([{ regex }]));
    let neighbours = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const { list } = scanner.match(text, allRoles, Uint8Array.of(1));
        const marks = list.map(({ start, end }) => text.slice(start, end));
        expect(marks).toEqual(text.match(twin) ?? []);
        neighbours += Math.max(0, marks.length - 1);
      }),
      { numRuns: 500 },
    );
    expect(neighbours).toBeGreaterThan(30);
  });
});

describe('what stands before a hit', () => {
  const scanner = createScanner(programOf([{ regex: 'key=(?<hit>[0-9]{4})' }], { unless_before: ['Public'] }));
  const hitsIn = (text: string) =>
    scanner.match(text, allRoles, Uint8Array.of(1)).list.map(({ start, end }) => text.slice(start, end));

  it.each([
    ['key=1234', ['1234']],
    ['PUBLICkey=1234 key=5678', []],
    ['publickey=1234\nkey=5678', ['5678']],
    [`public ${'-'.repeat(40)} key=1234`, ['1234']],
    ['This is public. key=1234', ['1234']],
    ['public; key=1234', ['1234']],
    ['public, e.g. key=1234', []],
  ])('decides in its sentence only, and only near it: %j', (text, hits) => {
    expect(hitsIn(text)).toEqual(hits);
  });

  it('decides on phrases of every kind', () => {
    for (const phrase of ['wipe the disk', 'wipe <2> disk', 'wip* the disk']) {
      const phrases = createScanner(programOf([{ phrase }], { unless_before: ['never '] }));
      const found = (text: string) => phrases.match(text, allRoles, Uint8Array.of(1)).list.length;
      expect([phrase, found('wipe the disk'), found('never wipe the disk')]).toEqual([phrase, 1, 0]);
    }
  });
});

describe('the word before a hit', () => {
  const scanner = createScanner(programOf([{ regex: '[0-9]{5}' }], { unless_after: ['Ticket', 'case no', 'заказ'] }));
  const hitsIn = (text: string) =>
    scanner.match(text, allRoles, Uint8Array.of(1)).list.map(({ start, end }) => text.slice(start, end));

  it.each([
    ['12345', ['12345']],
    ['ticket 12345', []],
    ['"ticket": "12345", 67890', ['67890']],
    ['see TICKET#12345', []],
    ['ticket of 12345', ['12345']],
    ['my_ticket 12345, tickets 67890, aticket 55555', ['12345', '67890', '55555']],
    ['case no. 12345', []],
    ['заказ № 12345', []],
    ['ticket\n12345', ['12345']],
    ['ticket: - - 12345', []],
    ['ticket : - - 12345', ['12345']],
  ])('decides where it stands directly before it: %j', (text, hits) => {
    expect(hitsIn(text)).toEqual(hits);
  });

  it.each([
    ['never wipe the disk', 0],
    ['Never, "wipe the disk"', 0],
    ['Never! Wipe the disk', 1],
    ['Why never? wipe the disk', 1],
    ['I said never. Wipe the disk', 1],
    ['never; wipe the disk', 1],
    ['never。wipe the disk', 1],
  ])('is one of the same sentence: %j', (text, hits) => {
    const never = createScanner(programOf([{ phrase: 'wipe the disk' }], { unless_after: ['never'] }));
    expect(never.match(text, allRoles, Uint8Array.of(1)).list).toHaveLength(hits);
  });
});

describe('masks and limits', () => {
  it('looks only at rules that are on and speak of the role', () => {
    const scanner = createScanner(programOf([{ phrase: 'abc' }, { regex: 'abc' }], { roles: ['tool'] }));
    expect(scanner.match('abc', roleClasses.tool, Uint8Array.of(1, 1)).list).toHaveLength(2);
    expect(scanner.match('abc', roleClasses.tool, Uint8Array.of(0, 1)).list).toHaveLength(1);
    expect(scanner.match('abc', roleClasses.user, Uint8Array.of(1, 1)).list).toHaveLength(0);
  });

  it.each([
    ['user', 'user'],
    ['SYSTEM', 'system'],
    ['developer', 'system'],
    ['model', 'assistant'],
    ['function', 'tool'],
    [' Tool ', 'tool'],
    ['tool-result', 'tool'],
    ['observation', 'tool'],
    ['AI', 'assistant'],
    ['human', 'user'],
    ['anything else', 'user'],
  ])('role %s counts as %s', (role, expected) => {
    expect(roleClassOf(role)).toBe(expected);
  });

  it.each([
    ['exact', { phrase: 'x' }],
    ['gated', { regex: 'xq|yq', validate: [] }],
  ] as [string, PatternSource][])('caps the matches of a rule and says so: %s', (_, pattern) => {
    const scanner = createScanner(programOf([pattern]));
    const flood = 'x xq '.repeat(5_000);
    const { list, truncated } = scanner.match(flood, allRoles, Uint8Array.of(1));
    expect(list).toHaveLength(limits.matchesPerRuleMax);
    expect(truncated).toBe(true);
    expect(scanner.match('x xq', allRoles, Uint8Array.of(1)).truncated).toBe(false);
  });
});

describe('regexes are compiled', () => {
  const patterns: readonly PatternSource[] = [
    { regex: 'AKIA[0-9A-Z]{4}' },
    { regex: 'secret=[^\\n]{1,900}!' },
    { phrase: 'ignore (all|any) <2> rules now' },
  ];
  const compiled: number[] = [];
  const scannerOf = () =>
    createScanner(programOf(patterns), {
      probe: {
        watchSink: (sink) => sink,
        watchRegex: (pattern, regex) => {
          compiled.push(pattern);
          return regex;
        },
      },
    });

  it('once each, when a text first asks for them', () => {
    compiled.length = 0;
    const scanner = scannerOf();
    const on = Uint8Array.of(1, 1, 1);
    scanner.match('nothing of the kind', allRoles, on);
    expect(compiled).toEqual([]);
    for (const text of ['AKIA0000', 'AKIA1111', 'ignore all the rules now', 'ignore any rules now']) {
      expect(scanner.match(text, allRoles, on).list).toHaveLength(1);
    }
    expect(compiled).toEqual([0, 2]);
  });
});
