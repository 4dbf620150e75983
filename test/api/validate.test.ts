import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { explainerOf, FoundErrors } from '../../src/api/field-errors.js';
import { guardRequest } from '../../src/api/schemas.js';
import { createChecker } from '../../src/api/validate.js';
import { type FieldError, GuardError } from '../../src/domain/errors.js';
import { limits } from '../../src/domain/limits.js';

const check = createChecker(guardRequest, 'body');
const turn = { role: 'user', content: '' };

function refusal(body: unknown): GuardError {
  try {
    check(body);
  } catch (error) {
    if (error instanceof GuardError) return error;
    throw error;
  }
  throw new Error('The body was accepted.');
}

describe('scan requests that are accepted', () => {
  test.each([
    ['the least', { messages: [turn] }],
    ['any role', { messages: [{ role: 'x', content: 'y' }] }],
    ['the longest role', { messages: [{ role: 'r'.repeat(limits.roleLengthMax), content: '' }] }],
    ['the most messages', { messages: Array.from({ length: limits.messagesMax }, () => turn) }],
    ['the shortest project', { messages: [turn], project_id: 'p' }],
    ['the longest project, in characters', { messages: [turn], project_id: '🙂'.repeat(limits.projectIdLengthMax) }],
    ['an upper-case UUID', { messages: [turn], app_uuid: '6F2B0C1E-8F5D-4A57-9D1C-3B9F0A7E4D21' }],
    ['the nil UUID', { messages: [turn], app_uuid: '00000000-0000-0000-0000-000000000000' }],
    [
      'everything',
      {
        messages: [turn],
        payload: true,
        breakdown: false,
        dev_info: true,
        project_id: 'p',
        position_encoding: 'utf-8',
      },
    ],
  ])('%s', (_name, body) => {
    expect(check(body)).toBe(body);
  });
});

describe('scan requests that are refused, every field by its pointer', () => {
  test.each<[string, unknown, FieldError[]]>([
    ['no messages', {}, [{ pointer: '/messages', message: 'is required' }]],
    ['messages null', { messages: null }, [{ pointer: '/messages', message: 'must be an array' }]],
    ['messages an object', { messages: {} }, [{ pointer: '/messages', message: 'must be an array' }]],
    ['no message', { messages: [] }, [{ pointer: '/messages', message: 'must hold 1 to 1000 items' }]],
    [
      'too many messages',
      { messages: Array.from({ length: limits.messagesMax + 1 }, () => 5) },
      [{ pointer: '/messages', message: 'must hold 1 to 1000 items' }],
    ],
    [
      'wrong messages',
      { messages: [turn, 'hi', { content: 5 }, { role: '', content: null, name: 'x' }, []] },
      [
        { pointer: '/messages/1', message: 'must be an object' },
        { pointer: '/messages/2/role', message: 'is required' },
        { pointer: '/messages/2/content', message: 'must be a string' },
        { pointer: '/messages/3/role', message: 'must be 1 to 256 characters long' },
        { pointer: '/messages/3/content', message: 'must be a string' },
        { pointer: '/messages/3/name', message: 'is not a known field' },
        { pointer: '/messages/4', message: 'must be an object' },
      ],
    ],
    [
      'wrong options',
      { messages: [turn], app_uuid: 'nope', payload: 'true', breakdown: 1, dev_info: null, project_id: '' },
      [
        { pointer: '/app_uuid', message: 'must be a UUID' },
        { pointer: '/payload', message: 'must be true or false' },
        { pointer: '/breakdown', message: 'must be true or false' },
        { pointer: '/dev_info', message: 'must be true or false' },
        { pointer: '/project_id', message: 'must be 1 to 128 characters long' },
      ],
    ],
    [
      'other wrong options',
      { messages: [turn], app_uuid: 7, project_id: 'p'.repeat(129), position_encoding: 'utf-7' },
      [
        { pointer: '/app_uuid', message: 'must be a string' },
        { pointer: '/project_id', message: 'must be 1 to 128 characters long' },
        { pointer: '/position_encoding', message: 'must be one of utf-16, utf-32, utf-8' },
      ],
    ],
    [
      'a braced UUID and an explicit null',
      { messages: [turn], app_uuid: '{6f2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21}', position_encoding: null },
      [
        { pointer: '/app_uuid', message: 'must be a UUID' },
        { pointer: '/position_encoding', message: 'must be one of utf-16, utf-32, utf-8' },
      ],
    ],
    ...['a\ud800', '\udc00', 'a\0'].map((project_id): [string, object, FieldError[]] => [
      'a project that cannot be stored everywhere',
      { messages: [turn], project_id },
      [{ pointer: '/project_id', message: 'must not hold NUL or half of a surrogate pair' }],
    ]),
    [
      'unknown fields',
      { messages: [turn], playload: true, 'a/b~c': 1, '': 2, constructor: 3 },
      [
        { pointer: '/playload', message: 'is not a known field' },
        { pointer: '/a~1b~0c', message: 'is not a known field' },
        { pointer: '/', message: 'is not a known field' },
        { pointer: '/constructor', message: 'is not a known field' },
      ],
    ],
    [
      'a key named __proto__',
      JSON.parse('{"messages":[{"role":"user","content":""}],"__proto__":{"payload":true}}'),
      [{ pointer: '/__proto__', message: 'is not a known field' }],
    ],
  ])('%s', (_name, body, fields) => {
    expect(refusal(body).fields).toEqual(fields);
  });

  test('one invalid field is told in the detail', () => {
    expect(refusal({ messages: [turn], payload: 1 }).message).toBe('/payload must be true or false.');
  });

  test('several are counted in the detail', () => {
    expect(refusal({ messages: [turn], a: 1, b: 2 }).message).toBe('2 fields are invalid.');
  });

  test('beyond the limit they are counted only', () => {
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, 0]));
    const error = refusal({ messages: [turn], ...unknown });
    expect(error.fields).toHaveLength(limits.problemErrorsMax);
    expect(error.fields.at(-1)).toEqual({ pointer: '/k99', message: 'is not a known field' });
    expect(error.message).toBe('150 fields are invalid. Only the first 100 are listed; 50 more are not.');
  });

  test('beyond a further limit nobody counts on', () => {
    const many = 'More than 1000 fields are invalid. Only the first 100 are listed.';
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
    const exact = '1000 fields are invalid. Only the first 100 are listed; 900 more are not.';
    expect(refusal({ messages: [turn], ...unknown(1_000) }).message).toBe(exact);
    expect(refusal({ messages: [turn], ...unknown(1_001) }).message).toBe(many);
    expect(refusal({ messages: Array(1_000).fill({ role: 1, content: 2 }) }).message).toBe(many);
    const found = new FoundErrors();
    explainerOf(guardRequest)({ messages: [turn], ...unknown(50_000) }, '', found);
    expect(found.total).toBe(1_001);
  });

  test('a long key is cut in its pointer', () => {
    expect(refusal({ messages: [turn], ['k'.repeat(5_000)]: 1 }).fields[0].pointer.length).toBeLessThan(250);
  });

  test('values are never quoted', () => {
    const body = { messages: [{ role: 5, content: ['sesame'] }], app_uuid: 'sesame', position_encoding: 'sesame' };
    const error = refusal(body);
    expect(error.fields).toHaveLength(4);
    expect(JSON.stringify([error.message, error.fields])).not.toContain('sesame');
  });
});

test('the words are found exactly where the compiled check refuses', () => {
  const odd = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({}));
  const mostly = (good: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: odd });
  const turnFields = { role: mostly(fc.constant('user')), content: mostly(fc.string()) };
  const anyTurn = fc.oneof(
    { weight: 12, arbitrary: fc.record(turnFields) },
    { weight: 1, arbitrary: fc.record({ ...turnFields, name: odd }, { requiredKeys: [] }) },
  );
  const fields = {
    messages: mostly(fc.array(mostly(anyTurn), { maxLength: 3 })),
    app_uuid: mostly(fc.uuid()),
    payload: mostly(fc.boolean()),
    project_id: mostly(fc.string()),
    position_encoding: mostly(fc.constantFrom('utf-8', 'utf-16')),
  };
  const body = fc.oneof(
    { weight: 12, arbitrary: fc.record(fields, { requiredKeys: ['messages'] }) },
    { weight: 1, arbitrary: fc.record({ ...fields, other: odd }, { requiredKeys: [] }) },
  );
  const validator = Compile(guardRequest);
  const explain = explainerOf(guardRequest);
  let accepted = 0;
  fc.assert(
    fc.property(mostly(body), (sample) => {
      const found = new FoundErrors();
      explain(sample, '', found);
      const passes = validator.Check(sample);
      if (passes) accepted++;
      expect(found.total === 0).toBe(passes);
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(100);
  expect(accepted).toBeLessThan(2_900);
});
