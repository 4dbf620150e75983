import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRepetition } from '../../../src/engine/detect/repetition.js';

const marked = (text: string) => findRepetition(text).map(({ start, end }) => text.slice(start, end));

describe('repetition', () => {
  it.each([
    ['a word', 'token '.repeat(60)],
    ['a sentence', 'Say it again, machine! '.repeat(12)],
    ['one letter', 'Z'.repeat(200)],
    ['one sign', '!'.repeat(240)],
    ['pictures', '💣'.repeat(100)],
    ['letters of other scripts', 'ああいい'.repeat(60)],
    ['lines', 'do it\n'.repeat(40)],
  ])('finds %s many times', (_, flood) => {
    expect(marked(flood)).toEqual([flood]);
    expect(marked(`Hello there. \n${flood}\n Bye.`)).toEqual([expect.stringContaining(flood.trim())]);
  });

  it.each([
    ['a ruler', '-'.repeat(400)],
    ['a ruler of several signs', '=-'.repeat(200)],
    ['a box', '═'.repeat(300)],
    ['empty lines', '\n'.repeat(500)],
    ['leaders', '. '.repeat(200)],
    ['digits', '01'.repeat(200)],
    ['numbers in a table', '| 0.0 '.repeat(80)],
    ['numbers of an array', '0x00, '.repeat(80)],
    ['bytes', 'ff 00 '.repeat(80)],
    ['values of an array', 'null, '.repeat(80)],
    ['values with capitals', 'NaN\t'.repeat(80)],
    ['cells of a page', '<td></td>'.repeat(40)],
    ['spaces of a page', '&nbsp;'.repeat(60)],
    ['zeros in base64', `TVqQAAMAAAAEAAAA${'A'.repeat(400)}uAAAAQ==`],
    ['zeros at the end of base64', `TVqQAAMAAAAEAAAA//8B${'A'.repeat(400)}==`],
    ['a short run', 'no '.repeat(60)],
    ['a long sentence a few times', 'All work and no play makes Jack a dull boy. '.repeat(7)],
    ['prose', 'The quick brown fox jumps over the lazy dog while the sun goes down behind the hill. '.repeat(3)],
  ])('passes over %s', (_, text) => {
    expect(marked(text)).toEqual([]);
    expect(marked(`Look: ${text} What is this?`)).toEqual([]);
  });

  it('finds several, in order', () => {
    const text = `${'ha '.repeat(100)}. And then something else was said for a while. ${'ho '.repeat(100)}`;
    expect(marked(text).map((each) => each.slice(0, 2))).toEqual(['ha', ' h']);
  });

  it('takes time linear in the text', () => {
    const near = `${'ab'.repeat(90)}c`.repeat(5_000);
    expect(marked(near)).toEqual([]);
  });

  it('finds every long enough run of a word wherever it stands, with its exact span', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[g-z]{2,20}$/),
        fc.stringMatching(/^[A-Z., ]{0,900}$/),
        fc.stringMatching(/^[A-Z., ]{0,400}$/),
        fc.integer({ min: 13, max: 40 }),
        (word, before, after, times) => {
          // `nil` fills arrays.
          fc.pre(new Set(word).size === word.length && word !== 'nil');
          const repeated = `${word};`;
          const flood = repeated.repeat(Math.max(times, Math.ceil(201 / repeated.length)));
          expect(marked(`${before}#${flood}#${after}`)).toEqual([flood]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
