import fc from 'fast-check';
import RE2 from 're2';
import { describe, expect, it } from 'vitest';
import { regexSourceOf } from '../../../src/engine/regex/phrase.js';
import { compileRegex } from '../../../src/engine/regex/re2.js';
import { relaxedSource } from '../../../src/engine/regex/relaxed.js';
import { textOf } from '../../../src/rules/examples.js';
import { loadShippedRules, rules } from '../../shipped-rules.js';

/** Whether a source is found in a text, as `compileRegex` says and as the source itself does. */
function comparison(source: string, ignoreCase: boolean): (text: string) => boolean {
  const regex = compileRegex(source, ignoreCase);
  const plain = new RE2(source, ignoreCase ? 'iu' : 'u');
  return (text) => {
    let isFound = false;
    regex.each(text, 0, text.length, () => {
      isFound = true;
      return false;
    });
    expect(isFound, `${source} in ${JSON.stringify(text)}`).toBe(plain.test(text));
    return isFound;
  };
}

describe('long repetitions', () => {
  it.each([
    ['a{5,256}', 'a{5,}'],
    ['x[^\\s"]{0,60}?y{1,8}', 'x[^\\s"]{0,}?y{1,}'],
    ['\\p{L}{1,30}\\u{41}{0,9}', '\\p{L}{1,}\\u{41}{0,}'],
    ['(?<hit>\\x41{2,40})\\\\{3,40}', '(?<hit>\\x41{2,})\\\\{3,}'],
    ['[^\\]{2,30}]{2,30}', '[^\\]{2,30}]{2,}'],
  ])('%s has none', (source, relaxed) => {
    expect(relaxedSource(source)).toBe(relaxed);
  });

  it.each(['a{5,7}', 'a{40}', 'a{8,}', '[a{2,30}]', 'a\\{2,30\\}', '\\[{2,7}'])('%s is left as it is', (source) => {
    expect(relaxedSource(source)).toBeUndefined();
  });

  it('are found as the source finds them, whatever stands around them', () => {
    const atom = fc.constantFrom('a', '[ab]', '[^b\\]]', '\\{', '(?:ab|b)', '\\p{L}', '.', '(?<hit>[a-c]{3,20})', 'c');
    const times = fc.constantFrom('', '', '{0,9}', '{1,12}?', '{2,8}', '{9}', '{3,}', '?');
    const source = fc
      .tuple(
        fc.constantFrom('', '\\b', '^'),
        fc.array(fc.tuple(atom, times), { maxLength: 5 }),
        fc.constantFrom('c', '[ab]', 'b{2,9}'),
      )
      .map(([start, parts, end]) => start + parts.map(([each, count]) => each + count).join('') + end)
      .filter((written) => written.split('(?<hit>').length <= 2);
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'aaaaaaaa', 'bbbbbbbbbb', '{', ']', ' ', 'é'), {
      maxLength: 12,
    });
    const both = [0, 0];
    fc.assert(
      fc.property(source, text, fc.boolean(), (written, pieces, ignoreCase) => {
        both[comparison(written, ignoreCase)(pieces.join('')) ? 1 : 0]++;
      }),
    );
    expect(Math.min(...both)).toBeGreaterThan(0);
  });

  it('of the shipped rules are taken by RE2 and found in their examples', () => {
    const { program } = loadShippedRules();
    const examplesOf = new Map(
      rules.map(({ source: { id, examples } }) => [id, [...examples.match, ...examples.near]]),
    );
    let relaxed = 0;
    let matches = 0;
    for (const pattern of program.patterns) {
      if (pattern.phrase !== undefined || pattern.kind === 'exact') continue;
      const source = regexSourceOf(pattern);
      if (relaxedSource(source) === undefined) continue;
      relaxed++;
      const compare = comparison(source, pattern.ignoreCase);
      for (const example of examplesOf.get(program.rules[pattern.rule].id) ?? []) {
        if (compare(textOf(example))) matches++;
      }
    }
    expect(relaxed).toBeGreaterThan(500);
    expect(matches).toBeGreaterThan(500);
  });
});
