import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRoles } from '../../../src/engine/program.js';
import { parsePhrase } from '../../../src/engine/regex/phrase.js';
import { PatternError } from '../../../src/engine/regex/read-regex.js';
import { createScanner } from '../../../src/engine/scanner.js';
import { programOf } from '../program-of.js';

function marksOf(phrase: string, text: string, prefilter = true): readonly string[] {
  const scanner = createScanner(programOf([{ phrase }]), { prefilter });
  return scanner.match(text, allRoles, Uint8Array.of(1)).list.map(({ start, end }) => text.slice(start, end));
}

describe('phrases', () => {
  it.each([
    ['words', 'two words', 'x two words y', ['two words']],
    ['any white space between words', 'two words', 'two \n\t words', ['two \n\t words']],
    ['no-break and ideographic space', 'two words', 'two\u00a0\u3000words', ['two\u00a0\u3000words']],
    ['either apostrophe', "don't go", "don’t go, don't go", ['don’t go', "don't go"]],
    [
      'a joiner, a space or nothing',
      'می‌خواهم بروم',
      'می‌خواهم بروم، می خواهم بروم، میخواهم بروم',
      ['می‌خواهم بروم', 'می خواهم بروم', 'میخواهم بروم'],
    ],
    ['an open word behind a joiner', 'نمی‌خواه* برو', 'نمی خواهم برو', ['نمی خواهم برو']],
    ['any case', 'two words', 'TWO Words', ['TWO Words']],
    ['word borders', 'two words', 'two wordsmith, atwo words', []],
    ['punctuation is a border', 'two words', '"two words"!', ['"two words"'.slice(1, -1)]],
    ['accented letters are letters', 'caf', 'café', []],
    ['alternatives', '(a b|c) d', 'a b d, c d, b d', ['a b d', 'c d']],
    [
      'optional word present and absent',
      'ignore [all] rules',
      'ignore all rules; ignore rules',
      ['ignore all rules', 'ignore rules'],
    ],
    ['optional word first', '[please] stop', 'please stop', ['please stop']],
    ['gap', 'send <2> key', 'send me the key; send key; send a b c key', ['send me the key', 'send key']],
    [
      'gap over the end of a sentence',
      'developer <3> prompt',
      'developer. Now the prompt',
      ['developer. Now the prompt'],
    ],
    ['open word', 'instruct* now', 'instructions now', ['instructions now']],
    ['open word whose rest has marks', 'নির্দেশ* লেখো', 'নির্দেশগুলো লেখো', ['নির্দেশগুলো লেখো']],
    ['punctuation as edge', '<|im_start|>'.replaceAll(/[<|>]/g, '\\$&'), 'x<|im_start|>y', ['<|im_start|>']],
    ['no borders in Chinese', '忽略 [之前的] (指令|指示)', '请忽略之前的指令吧', ['忽略之前的指令']],
    ['no gap over the end of a sentence in Chinese', '忽略 <4> 指令', '被忽略。只有指令', []],
    ['a gap over the end of what is quoted', '「 <4> 开始', '「好。」开始', ['「好。」开始']],
    ['longest of overlapping spellings', 'a [b] [c]', 'a b c', ['a b c']],
    ['longer of two alternatives, whatever their order', 'the (last|last one)', 'the last one', ['the last one']],
    ['the same before a gap', '(last|last one) <1> ends', 'the last one ends', ['last one ends']],
    ['two in a row share a space', 'go now', 'go now go now', ['go now', 'go now']],
    ['nothing', 'two words', '', []],
  ])('%s', (_, phrase, text, expected) => {
    expect(marksOf(phrase, text), 'with prefilter').toEqual(expected);
    expect(marksOf(phrase, text, false), 'plain').toEqual(expected);
  });

  it.each([
    ['empty', '', 0],
    ['unclosed group', 'a (b', 2],
    ['unclosed option', 'a [b', 2],
    ['empty alternative', 'a (b|)', 5],
    ['gap at the end', 'a <3>', 5],
    ['gap with nothing certain behind it', 'a <3> [b]', 9],
    ['gap with nothing certain before it', '[a] <3> b', 9],
    ['gap too wide', 'a <9> b', 2],
    ['only optional words', '[a] [b]', 7],
    ['words run together', '(a)b', 3],
    ['stray bracket', 'a ) b', 2],
    ['letters and punctuation at one edge', '(a|-) b', 0],
  ])('refuses: %s', (_, phrase, index) => {
    try {
      parsePhrase(phrase);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(PatternError);
      expect(error instanceof PatternError && error.index).toBe(index);
    }
  });

  it('finds the same with and without its prefilter on random phrases and texts', () => {
    const word = fc.constantFrom('ab', 'abc', 'kilo', 'stop', 'x');
    const part: fc.Arbitrary<string> = fc.oneof(
      { weight: 4, arbitrary: word },
      { weight: 2, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `(${words.join('|')})`) },
      { weight: 2, arbitrary: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => `[${words.join('|')}]`) },
      { weight: 1, arbitrary: word.map((text) => `${text}*`) },
    );
    const phrase = fc.tuple(word, fc.array(part, { maxLength: 4 }), word).map(([first, parts, last]) => {
      return [first, ...parts, last].join(' ');
    });
    const text = fc
      .array(fc.constantFrom('ab', 'ABC', 'kilo', '\u212ailo', 'stop', 'x', ' ', ' ', '\n', ', ', '  ', 'é', '之'), {
        maxLength: 60,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(phrase, text, (source, haystack) => {
        expect(marksOf(source, haystack).length > 0).toBe(marksOf(source, haystack, false).length > 0);
      }),
      { numRuns: 400 },
    );
  });
});
