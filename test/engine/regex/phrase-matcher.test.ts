import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePhrase, phraseRegex } from '../../../src/engine/regex/phrase.js';
import { compilePhraseMatcher } from '../../../src/engine/regex/phrase-matcher.js';
import { compileRegex, type Regex } from '../../../src/engine/regex/re2.js';
import { chunkUnits } from '../../../src/engine/text/word-beginnings.js';

function spansOf(regex: Regex, text: string): readonly (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  regex.each(text, 0, text.length, (start, end) => spans.push([start, end]) > 0);
  return spans;
}

function compare(source: string, text: string): number {
  const phrase = parsePhrase(source);
  const expected = spansOf(compileRegex(phraseRegex(phrase), true), text);
  expect(spansOf(compilePhraseMatcher(phrase), text), `${source} in ${JSON.stringify(text)}`).toEqual(expected);
  return expected.length;
}

describe('the phrase matcher equals RE2', () => {
  it.each([
    ['ignore <3> rules', 'ignore a, b: c rules; ignore rules! ignore a b c d rules'],
    ['ignore <3> rules', `ignore ${'x'.repeat(32)} rules ignore ${'x'.repeat(33)} rules`],
    [
      'ignore <3> rules',
      [
        '😀'.repeat(16),
        '😀'.repeat(17),
        `${'x'.repeat(15)}😀`,
        `${'x'.repeat(16)}😀`,
        `${'x'.repeat(31)}\ud835`,
        `${'x'.repeat(32)}\ud835`,
      ]
        .map((word) => `ignore ${word} rules`)
        .join(' '),
    ],
    ['ignore <3> rules', 'ignore... rules ignore.... rules ignore "a" rules'],
    ['(ab|ab cd) [cd] ef', 'ab cd ef ab ef ab cd cd ef'],
    ['[please] stop', 'please stop, please please stop stop'],
    ['instruct* now', 'instructions now instruct now instructionsandmuchmore now instructé now instruct_x now'],
    ['end*', 'endings, endingsthataretoolong end_ end\u0301 ending😀'],
    ['ab', '𝐀ab ab𝐀 😀ab😀 éab abé 之ab之 _ab ab_ \ud835ab\udc00'],
    ['\\<a\\> b', 'x<a> b <a>b <A>  Bx'],
    ['kilo s', '\u212aILO ſ kilo S'],
    ['a <8> b', `${'a '.repeat(40)}c`],
  ])('%s in %j', (source, text) => {
    compare(source, text);
  });

  it('on random phrases and texts', () => {
    const word = fc.constantFrom('ab', 'abc', 'kilo', 'x', "don't", 'ab*', 'x');
    const part: fc.Arbitrary<string> = fc.oneof(
      { weight: 4, arbitrary: word },
      { weight: 2, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `(${words.join('|')})`) },
      { weight: 1, arbitrary: fc.tuple(word, word, word).map(([a, b, c]) => `(${a} [${b}]|${c})`) },
      { weight: 2, arbitrary: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => `[${words.join('|')}]`) },
      { weight: 2, arbitrary: fc.constantFrom('<1>', '<3>') },
    );
    const phrase = fc
      .tuple(fc.oneof(word, fc.constant('[x] ab')), fc.array(part, { maxLength: 2 }), word)
      .map(([first, parts, last]) => [first, ...parts, last].join(' '));
    const token = fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('ab', 'AB', 'abc', 'x', 'kilo', '\u212ailo', "don't") },
      { weight: 1, arbitrary: fc.constantFrom('é', '之', '_', '😀', '𝐀', '\ud835', '\udc00', 'abcdé', 'ab_') },
    );
    const separator = fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(' ', ' ', '\n', '  ', '\u00a0') },
      { weight: 2, arbitrary: fc.constantFrom(', ', '. ', ' "', '!?… ', '!?…- ', '') },
    );
    const text = fc
      .array(fc.tuple(token, separator), { maxLength: 40 })
      .map((pairs) => pairs.map(([word, gap]) => word + gap).join(''));
    let matches = 0;
    fc.assert(
      fc.property(phrase, fc.array(text, { minLength: 20, maxLength: 20 }), (source, haystacks) => {
        const phrase = parsePhrase(source);
        const twin = compileRegex(phraseRegex(phrase), true);
        const matcher = compilePhraseMatcher(phrase);
        for (const haystack of haystacks) {
          const expected = spansOf(twin, haystack);
          expect(spansOf(matcher, haystack), `${source} in ${JSON.stringify(haystack)}`).toEqual(expected);
          matches += expected.length;
        }
      }),
      { numRuns: 300 },
    );
    expect(matches).toBeGreaterThan(40);
  });

  it('where a text is read in several chunks', () => {
    for (const filler of ['ab ', 'x', '. ']) {
      for (let at = chunkUnits - 12; at <= chunkUnits + 2; at++) {
        const text = `${filler.repeat(chunkUnits).slice(0, at)} stop it, now 😀stop it ${filler.repeat(chunkUnits)}stop it`;
        expect(compare('stop it', text)).toBe(3 - (filler === 'x' ? 1 : 0));
      }
    }
  });

  it('in parts of a text', () => {
    const text = 'stop it stop it stop it';
    const starts = (from: number, to: number) => {
      const found: number[] = [];
      compilePhraseMatcher(parsePhrase('stop it')).each(text, from, to, (start) => found.push(start) > 0);
      return found;
    };
    expect([starts(0, 23), starts(0, 15), starts(1, 23), starts(8, 16), starts(2, 7)]).toEqual([
      [0, 8, 16],
      [0, 8],
      [8, 16],
      [8],
      [],
    ]);
  });

  it('in linear time where choices multiply', () => {
    const phrase = parsePhrase(`a ${'[a] '.repeat(12)}<8> <8> b`);
    const matcher = compilePhraseMatcher(phrase);
    const steps = (length: number) => {
      let looks = 0;
      const text = new Proxy(new String('a '.repeat(length)), {
        get: (target, name) => {
          if (name === 'charCodeAt') looks++;
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      matcher.each(text as unknown as string, 0, text.length, () => true);
      return looks / length;
    };
    expect(steps(800)).toBeLessThan(steps(200) * 1.5);
  });
});
