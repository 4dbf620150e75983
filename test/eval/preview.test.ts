import { describe, expect, it } from 'vitest';
import { redactedPreview, wholeText } from '../../src/eval/preview.js';
import { finding, judgedOf, sampleOf } from './fixture.js';

const secret = 'Sommer!Regen_4711';
const attack = { label: 'attack', policies: ['LLM02'] };

describe('redactedPreview', () => {
  it.each([
    [
      'what is labelled',
      { ...attack, text: `key ${secret}`, spans: [{ start: 4, end: 21, type: 'secret' }] },
      [],
      'key [secret]',
    ],
    ['what was found', { text: 'my iban is here' }, [finding('LLM02', 3, 7)], 'my [a-label] is here'],
    [
      'what neither label nor finding tells',
      { ...attack, text: `das Kennwort ist ${secret} ja` },
      [],
      'das Kennwort ist […] ja',
    ],
    [
      'long runs of attacks of other kinds',
      { label: 'attack', policies: ['LLM05'], text: 'alert(1) a1b2c3d4e5f6a7' },
      [],
      'alert(1) […]',
    ],
    ['line ends', { text: 'one\n\n two' }, [], 'one two'],
  ])('hides or folds %s', (_, line, findings, expected) => {
    expect(redactedPreview(judgedOf(sampleOf(line), findings))).toBe(expected);
  });

  it('is short, says that it was cut and cuts no character', () => {
    const preview = redactedPreview(judgedOf(sampleOf({ text: `${'a'.repeat(79)}😀${'b'.repeat(50)}` }), []));
    expect(preview).toBe(`${'a'.repeat(79)}…`);
  });

  it('leaves the text whole for those who ask', () => {
    expect(wholeText(judgedOf(sampleOf({ text: secret }), []))).toBe(secret);
  });
});
