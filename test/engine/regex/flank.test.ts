import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSearcher } from '../../../src/engine/automaton/searcher.js';
import { patternOf } from '../../../src/engine/outputs.js';
import { allRoles } from '../../../src/engine/program.js';
import type { Side } from '../../../src/engine/regex/context.js';
import { compileFlank, flankUnitsMax, passesFlank } from '../../../src/engine/regex/flank.js';
import { compileRegex } from '../../../src/engine/regex/re2.js';
import { readRegex } from '../../../src/engine/regex/read-regex.js';
import { programOf } from '../program-of.js';

/** What the flank of a regex says beside a needle that ends (or begins) at the edge of `text`. */
function says(source: string, side: Side, text: string, ignoreCase = false): 'no' | 'maybe' {
  const parts = [readRegex(source, ignoreCase)];
  const context = side === 'after' ? { before: [], after: parts } : { before: parts, after: [] };
  const flank = compileFlank([context], side, 'x'.charCodeAt(0), ignoreCase);
  if (!flank) return 'maybe';
  const from = side === 'after' ? 0 : text.length - 1;
  return passesFlank(flank, 0, text, from, side === 'after' ? 1 : -1) ? 'maybe' : 'no';
}

describe('a flank after the needle', () => {
  it.each([
    ['a class of a length', '[0-9A-Z]{4}', 'AB12', 'maybe'],
    ['one character too few', '[0-9A-Z]{4}', 'AB1', 'no'],
    ['one that does not belong', '[0-9A-Z]{4}', 'AB1z', 'no'],
    ['case matters', 'abc', 'aBc', 'no'],
    ['white space of any length', '\\s+from', ' \n\t from', 'maybe'],
    ['white space that is missing', '\\s+from', 'from', 'no'],
    ['white space beyond ASCII', '\\s+from', '\u00a0\u2009\u202f\u3000from', 'maybe'],
    ['letters beyond ASCII where white space is asked for', '\\s+from', 'нfrom', 'no'],
    ['an optional part', '(?:ab)?cd', 'cd', 'maybe'],
    ['alternatives', '(?:ab|cd)e', 'cde', 'maybe'],
    ['none of the alternatives', '(?:ab|cd)e', 'ace', 'no'],
    ['the end of the text where more is required', 'abc', '', 'no'],
    ['the end of the text where it is asked for', '$', '', 'maybe'],
    ['something where the end is asked for', '$', 'a', 'no'],
    ['a border', '\\b', ' y', 'maybe'],
    ['a border at the end of the text', '\\b', '', 'maybe'],
    ['no border', '\\b', 'y', 'no'],
    ['a character of two units', '.a', '\u{1f600}a', 'maybe'],
    ['a character beyond ASCII', '[а-я]', 'щ', 'maybe'],
    ['a class of ASCII', '[a-z]', 'щ', 'no'],
    ['a negated class', '[^a]b', 'щb', 'maybe'],
    ['a counted run that ends too early', '[a-z]{30}!', `${'a'.repeat(29)}!`, 'no'],
    ['a run that goes on beyond what is read', '[a-z]*!', 'a'.repeat(flankUnitsMax + 1), 'maybe'],
  ] as const)('%s: %s', (_, source, text, expected) => {
    expect(says(source, 'after', text)).toBe(expected);
  });

  it.each([
    ['x', true, 'no'],
    ['s', false, 'no'],
    // In the text it may be `ſ`, which is of no word to RE2, so that a border stands there.
    ['s', true, 'maybe'],
    ['k', true, 'maybe'],
  ] as const)('knows what a border is beside %s, without case %s', (edge, ignoreCase, expected) => {
    const context = { before: [], after: [readRegex('\\b', ignoreCase)] };
    const flank = compileFlank([context], 'after', edge.charCodeAt(0), ignoreCase);
    expect(flank === undefined || passesFlank(flank, 0, 'y', 0, 1) ? 'maybe' : 'no').toBe(expected);
  });

  it.each([
    ['k', 'K', 'maybe'],
    ['k', '\u212a', 'maybe'],
    ['s', '\u017f', 'maybe'],
    ['[j-l]', '\u212a', 'maybe'],
    ['é', 'É', 'maybe'],
    ['é', 'e', 'no'],
  ] as const)('folds case as RE2 does: %s, %s', (source, text, expected) => {
    expect(says(source, 'after', text, true)).toBe(expected);
    expect(compileRegex(`^${source}`, true).matchesEmpty()).toBe(false);
  });
});

describe('a flank before the needle', () => {
  it.each([
    ['read backwards', 'ab[0-9]', 'xab7', 'maybe'],
    ['in the wrong order', 'ab[0-9]', 'ba7', 'no'],
    ['the beginning of the text', '(?:^|[^0-9])', '', 'maybe'],
    ['neither the beginning nor what may stand there', '(?:^|[^0-9])', '4', 'no'],
    ['a border', '\\b', 'a', 'no'],
  ] as const)('%s: %s', (_, source, text, expected) => {
    expect(says(source, 'before', text)).toBe(expected);
  });
});

describe('flanks in a search', () => {
  const patterns = [
    { regex: '\\bkey-[a-f0-9]{4}\\b' },
    { regex: '(?:^|[^0-9])[1-9][0-9]{3}(?: ?[0-9]{2}){2}(?:[^0-9]|$)' },
    { regex: 'from\\s+(?:the\\s+)?ab?le', ignore_case: true },
    { regex: '"[^"]{1,9}key-[^"]{1,9}"' },
    { regex: 'щит[а-я]{2}', ignore_case: true },
    { phrase: 'give [me] (the|your) key*' },
    { regex: "^\\s{0,3}[a-z]{0,9}';[^\\n]{0,40}$", ignore_case: true },
    { regex: '^[0-9]{1,3};|able;' },
  ];
  const program = programOf(patterns);
  const sources = patterns.flatMap((pattern, index) => ('regex' in pattern ? [{ ...pattern, index }] : []));
  const part = fc.constantFrom(
    ...['key-', 'KEY-', 'abcd', '12', '3', '90', ' ', '"', 'from', 'the', 'able', 'щит', 'ЩИТ', 'ов', 'give', 'your'],
    ...['\u{1f600}', '.', '-', 'e', 'K', "';", '\n'],
  );
  const texts = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
  const seen = (engine: 'auto' | 'js', text: string): readonly number[] => {
    const found = new Set<number>();
    createSearcher(program, engine).search(text, allRoles, (output) => found.add(patternOf(program.outputs, output)));
    return [...found].sort();
  };

  it('never hide a match, and the kernel lets pass all that the plain walk does', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const kernel = seen('auto', text);
        const plain = seen('js', text);
        expect(kernel).toEqual(expect.arrayContaining([...plain]));
        for (const { regex, ignore_case, index } of sources) {
          let matches = 0;
          compileRegex(regex ?? '', ignore_case ?? false).each(text, 0, text.length, () => ++matches < 0);
          if (matches > 0) expect(plain, `${regex} in ${JSON.stringify(text)}`).toContain(index);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it.each([
    ['a key', 'here is key-12ab and more text to be long', [0]],
    ['letters that no key has', 'here is key-12xy and more text to be long', []],
    ['inside a word', 'here is monkey-12ab and more text to be long', []],
    ['a number', 'a number 1234 56 78 stands here, quite alone', [1]],
    ['in a longer number', 'a number 91234 56 78 stands here, quite alone', []],
    ['a quotation that nobody opened, at the start', "key'; and more text to be long enough here", [6]],
    ['the same further on', "here is key'; and more text to be long enough", []],
    ['an option at the start', '12; and more text to be long enough for it', [7]],
    ['the other option, anywhere', 'a text that is long enough; and able; to go on', [7]],
    ['digits that are too few', 'a number 1234 56 stands here, quite alone now', []],
  ])('%s', (_, text, expected) => {
    expect(seen('auto', text)).toEqual(expected);
    expect(seen('js', text)).toEqual(expected);
  });

  it('hands out every digit run of a flood, more than fit at once', () => {
    const numbers = programOf([{ regex: '\\b[0-9]{2}\\b' }]);
    for (const engine of ['auto', 'js'] as const) {
      let runs = 0;
      createSearcher(numbers, engine).search('12 '.repeat(30_000), allRoles, () => runs++);
      expect(runs).toBe(30_000);
    }
  });
});
