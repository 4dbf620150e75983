import { describe, expect, it } from 'vitest';
import { gatesOf } from '../../../src/engine/regex/literals.js';
import { parsePhrase, phraseShape } from '../../../src/engine/regex/phrase.js';
import { PatternError, readRegex } from '../../../src/engine/regex/read-regex.js';
import { unitsMax } from '../../../src/engine/regex/shape.js';

describe('gatesOf a regex: the first gate', () => {
  it.each([
    ['a plain prefix', 'AKIA[0-9A-Z]{16}', ['akia']],
    ['alternatives', '(?:sk|pk)_live_[0-9a-z]{24}', ['pk_live_', 'sk_live_']],
    ['a small class is spelt out', 'gh[pousr]_[0-9A-Za-z]{36}', ['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_']],
    ['optional parts double the spellings', 'colou?rful', ['colorful', 'colourful']],
    ['white space of any length is one space', 'union\\s+select', ['union select']],
    ['optional white space', 'drop\\s*table', ['drop table', 'droptable']],
    ['the rarer side of an unknown part', 'the.{1,9}private key', ['private key']],
    ['a repeated group', '(?:ab){2}zq', ['ababzq']],
    ['a required group that repeats', '(?:qzx)+', ['qzx']],
    ['every alternative must offer one', '(?:password|[a-z]+)', undefined],
    ['nothing required', '[a-z]{3}\\s[a-z]{2}', undefined],
    ['an optional literal is not required', '(?:password)?[a-z]{9}', undefined],
    ['nothing rare: where the number begins', '\\b[12][0-9]{2}-[0-9]{4}\\b', ['1', '2']],
    ['a number that may begin inside another: what is rarer', '[0-9]{3}@[0-9]{4}', ['@']],
    ['word borders do not part literals', '\\bfoo\\b-\\bbar\\b', ['foo-bar']],
    ['a literal beginning with white space is trimmed', '\\sunion\\s', ['union']],
  ])('%s: %s', (_, source, expected) => {
    const [first] = gatesOf(readRegex(source, true));
    expect(first && [...first.keys()].sort()).toEqual(expected);
  });
});

describe('gatesOf a phrase', () => {
  it('finds room and time for a thousand words', () => {
    const shape = phraseShape(parsePhrase(Array.from({ length: 1_000 }, () => 'x').join(' ')));
    expect(gatesOf(shape).map((literals) => [...literals.keys()])).toEqual([['x x x x']]);
  });
});

describe('unitsMax of a regex', () => {
  it.each([
    ['abc', 3],
    ['a{2,5}', 5],
    ['(?:ab|cde)', 3],
    ['[a-z]{3}', 3],
    ['[a-zé]{3}', 6],
    ['[^a-z]{3}', 6],
    ['[ab]{3}', 3],
    ['.', 2],
    ['a\\s+b', 3],
    ['a\\s*', 2],
    ['a+', Number.POSITIVE_INFINITY],
    ['\\w*', Number.POSITIVE_INFINITY],
    ['^abc', 3],
    ['abc$', 3],
    ['\\babc\\b', 3],
    ['😀', 2],
  ])('%s: %s', (source, expected) => {
    expect(unitsMax(readRegex(source, false))).toBe(expected);
  });
});

describe('readRegex', () => {
  it.each([
    ['look-ahead', '(?=a)b', /lookahead/],
    ['look-behind', '(?<=a)b', /lookbehind/],
    ['back-reference', '(a)\\1', /back-references/],
    ['unclosed group', '(a', /Unterminated group/],
    ['inline flags', '(?i:a)', /ignore_case/],
    ['RE2-only syntax', '(?i)a', /Invalid group/],
  ])('refuses %s', (_, source, message) => {
    expect(() => readRegex(source, false)).toThrowError(PatternError);
    expect(() => readRegex(source, false)).toThrowError(message);
  });
});
