import { describe, expect, it } from 'vitest';
import { gatesOf } from '../../src/engine/regex/literals.js';
import { compileRegex } from '../../src/engine/regex/re2.js';
import { readRegex } from '../../src/engine/regex/read-regex.js';
import { compilePattern } from '../../src/rules/compile-pattern.js';
import { namedRegexes } from '../../src/rules/named-pattern.js';

/** What a pattern finds in a text, by either of its regexes. */
function hitsOf(pattern: Parameters<typeof namedRegexes>[0], text: string): readonly string[] {
  const hits = new Set<string>();
  for (const { regex, ignore_case: ignoreCase = false } of namedRegexes(pattern)) {
    compileRegex(regex, ignoreCase).each(text, 0, text.length, (start, end) => {
      hits.add(text.slice(start, end));
      return true;
    });
  }
  return [...hits];
}

const badge = { named: ['badge', 'carte\\sno', '工牌'] };

describe('named values', () => {
  it.each([
    ['badge 40-71-88', ['40-71-88']],
    ['My BADGE says K40718, really', ['K40718']],
    ['badge:407-188/2', ['407-188/2']],
    ['he wrote 40718 on the badge', ['40718']],
    ['40718 (badge)', ['40718']],
    ['my_badge=40718', ['40718']],
    ['badgeNo=40718', ['40718']],
    ['Badge number:\n40718', ['40718']],
    ['badge\n40718', ['40718']],
    ['badge K40718(5).', ['K40718(5)']],
    ['badge 40718 2 zz4.', ['40718 2 zz4']],
    ['carte no 40718', ['40718']],
    ['我的工牌是40718号', ['40718']],
    ['工牌 ٤٠٧١٨ الآن', ['٤٠٧١٨']],
    ['Jane;Badge No;40718;ok', ['40718']],
    ['# the badge no.\n', []],
    ['# as on the badge\n    found = look("40718")', ['40718']],
    ["SET x = '40718' WHERE id = 55; -- badge no", ['40718']],
    ["x = 'K40718(5)' # badge", ['K40718(5)']],
  ])('finds in %j what its name is about', (text, hits) => {
    expect(hitsOf(badge, text)).toEqual(hits);
  });

  it.each([
    ['a badger ate 40718 worms'],
    ['the übadge 40718'],
    ['badgé 40718'],
    ['badge\n\n40718'],
    ['badge\nroom 40718'],
    ['room 40718, badge: none'],
    ['badge missing; room 40718'],
    ['# as on the badge\n    room = 40718'],
    ['room = 40718; // badge'],
    ['the badgenote 40718'],
    ['We sold 40718. A badge is free.'],
    [`badge ${'x '.repeat(30)}40718`],
    ['badge 407'],
  ])('finds nothing in %j', (text) => {
    expect(hitsOf(badge, text)).toEqual([]);
  });

  it('takes the number nearest to the name', () => {
    expect(hitsOf(badge, 'order 55501, badge 40718, room 20333')).toEqual(['40718', '55501']);
    expect(hitsOf({ ...badge, either_side: false }, 'order 55501, badge 40718')).toEqual(['40718']);
  });

  it('takes a value and a distance of its own', () => {
    const coded = { named: ['badge'], value: '[a-z]{2}-[0-9]{2}', within: 4 };
    expect(hitsOf(coded, 'badge is QX-07')).toEqual(['QX-07']);
    expect(hitsOf(coded, 'badge may be QX-07')).toEqual([]);
  });

  it('takes a value that begins with a bracket, and says so', () => {
    const dialled = { named: ['badge'], value: '(?:\\B[(]|\\b)[0-9]{2}[)]? [0-9]{4}' };
    expect(hitsOf(dialled, 'badge (40) 7188')).toEqual(['(40) 7188']);
    expect(hitsOf(dialled, 'badge: 40 7188')).toEqual(['40 7188']);
    expect(hitsOf(dialled, 'badge K40 7188')).toEqual([]);
  });

  it('takes an escape at the end of a name for what it is', () => {
    expect(hitsOf({ named: ['pin\\s'] }, 'the PIN is 482203')).toEqual(['482203']);
    expect(hitsOf({ named: ['pin\\s'] }, 'Pin-Priority 100155')).toEqual([]);
  });

  it('hands on what is asked of the value', () => {
    const checks = { validate: ['identifier'], unless: ['0000'], of: ['CH'] };
    for (const regex of namedRegexes({ ...badge, ...checks })) expect(regex).toMatchObject(checks);
  });

  it('deals a long list out, so that each regex has its names as needles', () => {
    const letters = [...'abcdefghi'];
    const named = letters.flatMap((first) => [...letters, 'j'].map((last) => `paper${first}${last}`));
    const regexes = namedRegexes({ named });
    expect(regexes).toHaveLength(4);
    for (const name of named) expect(regexes.filter(({ regex }) => regex.includes(name))).toHaveLength(2);
    const accented = namedRegexes({ named: named.map((name) => `${name}[eé]`), either_side: false });
    expect(accented).toHaveLength(3);
    for (const { regex } of [...regexes, ...accented]) expect(gatesOf(readRegex(regex, true))).not.toHaveLength(0);
    expect(hitsOf({ named }, `${named[0]} 40718, ${named[89]} 55501`)).toEqual(['40718', '55501']);
  });

  it('reports a name that cannot be read, and compiles nothing of it', () => {
    const reports: string[] = [];
    const compiled = compilePattern({ named: ['badge', 'card('] }, (code, message) =>
      reports.push(`${code} ${message}`),
    );
    expect(compiled).toEqual([]);
    expect(reports).toEqual([expect.stringMatching(/^E202 /)]);
  });

  it.each([
    [{ named: ['badge', 'card('] }, 'named.1', 5, 'Unterminated group'],
    [{ named: ['badge'], value: '[0-9]{4}(' }, 'value', 9, 'Unterminated group'],
    [{ named: ['badge'], value: 'n(?=[0-9])' }, 'value', 1, 'RE2 has no lookahead'],
    [{ named: ['badge'], value: '(?<hit>[0-9]{4})' }, 'value', 0, 'has a named group'],
    [{ named: ['a (?P<hit>badge)'] }, 'named.0', 2, 'has a named group'],
    [{ named: ['(?i)badge'] }, 'named.0', 0, 'inline flags are not supported: names and values are read in any case'],
  ])('reports what is wrong in %j once, at its own place', (pattern, place, character, words) => {
    const reports: unknown[] = [];
    const report = (code: string, message: string, path: readonly unknown[], index?: number) =>
      reports.push([code, path.join('.'), index, message]);
    expect(compilePattern(pattern, report)).toEqual([]);
    expect(reports).toEqual([['E202', place, character, expect.stringContaining(words)]]);
  });

  it('may have groups without a name, in the value, too', () => {
    expect(compilePattern({ named: ['(pod) badge'], value: '([0-9]{2}){2}' }, expect.unreachable)).toHaveLength(2);
    expect(hitsOf({ named: ['(pod) badge'], value: '([0-9]{2}){2}' }, 'pod badge 4071')).toEqual(['4071']);
  });
});

describe('regexes of another dialect', () => {
  it.each([
    ['(?i)drop all', 0, 'ignore_case: true'],
    ['drop(?s) all', 4, 'inline flags'],
    ['drop (?i:all)', 5, 'ignore_case: true'],
    ['drop (?i-s)all', 5, 'inline flags'],
    ['drop (?P<hit>all)', 5, '(?<hit>…)'],
    ['drop [[:alpha:]]{3}', 6, "[:alpha:] is RE2's alone: write its characters, as in [a-zA-Z], or \\p{…}"],
    ['drop [^a\\][:^space:]][b]', 10, "[:^space:] is RE2's alone"],
    ['drop \\pL', 5, "\\pL is RE2's alone: write \\p{L}"],
    ['drop [a\\PN]', 7, 'write \\P{N}'],
    ['drop all\\z', 8, "\\z is RE2's alone: write $"],
    ['\\Adrop all', 0, "\\A is RE2's alone: write ^"],
    ['drop [\\x{e9}]', 6, "\\x{ is RE2's alone: write \\u{"],
    ['drop \\Qa.b\\E', 5, "\\Q is RE2's alone: write a backslash before each of"],
  ])('%s is refused with what to write instead', (regex, character, words) => {
    const reports: unknown[] = [];
    expect(compilePattern({ regex }, (...report) => reports.push(report))).toEqual([]);
    expect(reports).toEqual([['E202', expect.stringContaining(words), ['regex'], character]]);
  });

  it.each([
    'drop (?:all)',
    'drop (?<hit>all)',
    'drop \\(?P<all',
    '[(?i)]{4}drop',
    'drop[\\](?i)]all',
    'drop \\p{L}all',
    'drop \\u00e9\\u{e9}all',
    'drop all\\x41\\\\z',
    'drop all\\\\pL',
    'drop [[:a]all',
    'drop \\[[:alpha:]all',
  ])('%s is read as it was', (regex) => {
    expect(compilePattern({ regex }, expect.unreachable)).toHaveLength(1);
  });
});
