import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { putPlaceholders, restore } from '../../src/guard/placeholders.js';

const labels = ['email-address', 'phone'];
const labelOf = (rule: number) => labels[rule];

/** Finds words with a sign in them: `@` for rule 0, `+` for rule 1. */
function find(text: string) {
  const matches = (regex: RegExp, rule: number) =>
    [...text.matchAll(regex)].map(({ index, 0: { length } }) => ({ rule, start: index, end: index + length }));
  return { list: [...matches(/\w+@\w+/g, 0), ...matches(/\+\w+/g, 1)], truncated: false };
}

const redact = (texts: readonly string[], known = {}) => {
  const messages = texts.map((content) => ({ role: 'user', content }));
  const { messages: redacted, values } = putPlaceholders(messages, known, find, labelOf);
  return { texts: redacted.map(({ content }) => content), values };
};

describe('placeholders', () => {
  it('stand in the place of values, the same for the same one', () => {
    const { texts, values } = redact(['From a@x to b@x, call +44', 'a@x again']);
    expect(texts).toEqual(['From [EMAIL_ADDRESS_1] to [EMAIL_ADDRESS_2], call [PHONE_1]', '[EMAIL_ADDRESS_1] again']);
    expect(values).toEqual({ '[EMAIL_ADDRESS_1]': 'a@x', '[EMAIL_ADDRESS_2]': 'b@x', '[PHONE_1]': '+44' });
  });

  it('are kept from one call to the next', () => {
    const { values } = redact(['a@x']);
    const next = redact(['b@x, a@x and [EMAIL_ADDRESS_1]'], values);
    expect(next.texts).toEqual(['[EMAIL_ADDRESS_2], [EMAIL_ADDRESS_1] and [EMAIL_ADDRESS_1]']);
    expect(next.values).toEqual({ '[EMAIL_ADDRESS_1]': 'a@x', '[EMAIL_ADDRESS_2]': 'b@x' });
  });

  it('are no values themselves, where more around them is found in a later call', () => {
    const wide = (text: string) => ({ list: [{ rule: 1, start: 0, end: text.length }], truncated: false });
    const later = (content: string, known: Record<string, string>) =>
      putPlaceholders([{ role: 'user', content }], known, wide, labelOf);
    const { values } = redact(['a@x']);
    const alone = later('[EMAIL_ADDRESS_1]', values);
    expect([alone.messages[0].content, alone.values]).toEqual(['[EMAIL_ADDRESS_1]', values]);
    const within = later('<[EMAIL_ADDRESS_1]>', values);
    expect(within.messages[0].content).toBe('[PHONE_1]');
    expect(restore('[PHONE_1]', within.values)).toBe('<a@x>');
  });

  it('are none that somebody wrote, who would be told a value for it', () => {
    const { texts, values } = redact(['a@x', 'Repeat [EMAIL_ADDRESS_1].']);
    expect(texts).toEqual(['[EMAIL_ADDRESS_2]', 'Repeat [EMAIL_ADDRESS_1].']);
    expect(restore('[EMAIL_ADDRESS_1] [EMAIL_ADDRESS_2]', values)).toBe('[EMAIL_ADDRESS_1] a@x');
  });

  it('stand for matches that overlap together, by the name of the longest', () => {
    const spans = [
      { rule: 1, start: 0, end: 4 },
      { rule: 0, start: 2, end: 9 },
      { rule: 1, start: 8, end: 10 },
    ];
    const messages = [{ role: 'user', content: '0123456789!' }];
    const found = () => ({ list: spans, truncated: false });
    expect(putPlaceholders(messages, {}, found, labelOf).messages).toEqual([
      { role: 'user', content: '[EMAIL_ADDRESS_1]!' },
    ]);
  });

  it('stand for a whole text where not all matches are known', () => {
    const messages = [{ role: 'user', content: 'a@x and more' }];
    const found = (text: string) => ({ ...find(text), truncated: true });
    expect(putPlaceholders(messages, {}, found, labelOf)).toEqual({
      messages: [{ role: 'user', content: '[TEXT_1]' }],
      values: { '[TEXT_1]': 'a@x and more' },
    });
  });

  it('give back what was there, whatever was there', () => {
    const part = fc.oneof(
      fc.constantFrom('a@x', '+1', '[EMAIL_ADDRESS_1]', '[PHONE_2]', ' ', '[', '[TEXT_1', '__proto__'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (given) => {
        const { texts, values } = redact(given);
        expect(texts.map((each) => restore(each, values))).toEqual(given);
        for (const each of texts) expect(find(each).list).toEqual([]);
      }),
    );
  });

  it('refuse values that are no strings', () => {
    expect(() => redact(['a@x'], { '[PHONE_1]': 1 })).toThrowError(
      expect.objectContaining({ fields: [{ pointer: '/values', message: 'must hold strings alone' }] }),
    );
  });

  it.each(['foo', '0', '', '[PHONE_1] ', '[PHONE]', '[phone_1]', '[PHONE_1][PHONE_2]', '[PHONE_1]\n'])(
    'refuse the key %j, by which no value comes back, without repeating it',
    (key) => {
      const message = 'must have placeholders such as [EMAIL_ADDRESS_1] for keys';
      expect(() => redact(['a@x'], { [key]: 'a@x' })).toThrowError(
        expect.objectContaining({ fields: [{ pointer: '/values', message }] }),
      );
    },
  );
});
