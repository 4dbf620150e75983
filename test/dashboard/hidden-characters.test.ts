import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCodePoints, countHidden, escapeOf, splitHidden } from '../../src/dashboard/text/hidden-characters.js';

it('counts characters, not the units that they are stored in', () => {
  expect(['', 'a\u0301', '🔥 日本', '\ud83d!'].map(countCodePoints)).toEqual([0, 2, 4, 2]);
});

describe('hidden characters', () => {
  it.each([
    ['plain text', 'two lines\nand\ta tab', []],
    ['other scripts and emoji', 'שלום 日本語 عربى 👩‍👩‍👧 ❤️ नि', []],
    ['a right-to-left override', 'a\u202eb', ['U+202E right-to-left override']],
    ['isolates', '\u2066x\u2069', ['U+2066 left-to-right isolate', 'U+2069 pop directional isolate']],
    ['spaces without width', 'a\u200bb\ufeff', ['U+200B zero-width space', 'U+FEFF byte order mark']],
    ['tags, which can carry a message', '\u{e0049}\u{e0067}', ['U+E0049 tag I', 'U+E0067 tag g']],
    ['selectors, which can, too', 'a\u{e0101}', ['U+E0101 not visible']],
    ['controls', '\u0000\u001b\r', ['U+0000 null', 'U+001B escape', 'U+000D carriage return']],
    ['half of a pair', '\ud83d!', ['U+D83D half of a pair']],
    ['a filler', '\u3164', ['U+3164 not visible']],
    ['breaks of lines that are none on the page', '\u2028', ['U+2028 line separator']],
  ])('are named in %s', (_, text, names) => {
    expect(splitHidden(text).flatMap(({ hidden }) => (hidden === undefined ? [] : [hidden]))).toEqual(names);
  });

  it('are shown by short escapes', () => {
    expect(['\u202e', '\u{e0041}', '\u0007'].map(escapeOf)).toEqual(['U+202E', 'tag A', 'U+0007']);
  });

  it('are counted, the most frequent first, up to a bound', () => {
    const text = '\u200b\u202e\u200b'.repeat(2);
    expect(countHidden(text, 100)).toEqual([
      { name: 'U+200B zero-width space', count: 4 },
      { name: 'U+202E right-to-left override', count: 2 },
    ]);
    expect(countHidden(text, 1)).toEqual([{ name: 'U+200B zero-width space', count: 1 }]);
  });

  it('split a text without loss', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          splitHidden(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});
