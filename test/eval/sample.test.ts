import { describe, expect, it } from 'vitest';
import { isWithoutTrigger, readMessage, readSample } from '../../src/eval/sample.js';
import { sampleOf } from './fixture.js';

const attack = { id: 'a', text: 'boo', label: 'attack', policies: ['LLM01'] };

describe('readSample', () => {
  it('reads a line with all of its keys and passes over others', () => {
    const line = {
      ...attack,
      source: 's',
      role: 'tool',
      lang: 'de',
      attack_type: 'jailbreak',
      license: 'MIT',
      notes: null,
    };
    expect(sampleOf(line)).toEqual({
      id: 'a',
      text: 'boo',
      role: 'tool',
      isAttack: true,
      policies: ['LLM01'],
      source: 's',
      attackType: 'jailbreak',
      license: 'MIT',
      lang: 'de',
    });
  });

  it('fills in what is left out, joins parts and keeps spans', () => {
    const sample = sampleOf({ id: 7, text: ['AK', 'IA'], spans: [{ start: 0, end: 4, type: 'secret' }] });
    expect(sample).toMatchObject({ id: '7', text: 'AKIA', role: 'user', source: '-', attackType: '-', lang: '-' });
    expect(sample.spans).toHaveLength(1);
  });

  it('sets attacks without a trigger apart', () => {
    const { source } = sampleOf({ ...attack, source: 's', notes: 'task; no trigger' });
    expect([source, isWithoutTrigger(source), isWithoutTrigger('s')]).toEqual(['s (no trigger)', true, false]);
  });

  it.each([
    ['{', /not valid JSON/],
    ['[]', /JSON object/],
    ['{"id":"a","text":"b"}', /"label" is missing/],
    ['{"id":12345678901234567890,"text":"b","label":"benign"}', /^"id" .* too large to be given back as it is/],
    [JSON.stringify({ ...attack, label: 'bad' }), /"label" must be "attack" or "benign"/],
    [JSON.stringify({ ...attack, policies: ['LLM11'] }), /"policies\.0" must be one of LLM01, LLM02, /],
    [JSON.stringify({ ...attack, policies: [] }), /"policies" must name/],
    [JSON.stringify({ ...attack, label: 'benign' }), /"policies" must be empty/],
    [JSON.stringify({ ...attack, text: 5 }), /"text"/],
    [JSON.stringify({ ...attack, spans: [{ start: 2, end: 4, type: 'x' }] }), /span 2–4/],
    [JSON.stringify({ ...attack, spans: [{ start: 1, end: 1, type: 'x' }] }), /span 1–1/],
  ])('says what is wrong with %s', (line, message) => expect(readSample(line)).toMatch(message));
});

describe('readMessage', () => {
  it.each([
    ['{"text":"a"}', { role: 'user', content: 'a' }],
    ['{"text":["a","b"],"role":"tool"}', { role: 'tool', content: 'ab' }],
    ['{"role":"tool"}', '"text" is missing'],
    ['nope', 'not valid JSON'],
  ])('%s', (line, message) => expect(readMessage(line)).toEqual(message));
});
