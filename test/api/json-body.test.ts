import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countColons, parseJsonObject, tooDeep } from '../../src/api/json-body.js';
import { GuardError } from '../../src/domain/errors.js';
import { limits } from '../../src/domain/limits.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

function refusal(body: Uint8Array): string {
  try {
    parseJsonObject(body);
  } catch (error) {
    if (error instanceof GuardError && error.code === 'body_not_json') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('bodies that are read', () => {
  test.each([
    ['an empty object', '{}', {}],
    ['space around', ' \r\n\t{ "a" : 1 } \n', { a: 1 }],
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['colons, braces and quotes in strings', '{"a:{[":"\\":{[}\\\\"}', { 'a:{[': '":{[}\\' }],
    ['NUL as an escape', '{"a":"\\u0000"}', { a: '\0' }],
    ['a lone surrogate as an escape', '{"a":"\\ud800"}', { a: '\ud800' }],
    ['one key at two levels', '{"a":{"a":1},"b":[{"a":2},{"a":3}]}', { a: { a: 1 }, b: [{ a: 2 }, { a: 3 }] }],
    ['astral characters', '{"a":"🙂é漢"}', { a: '🙂é漢' }],
    ['the deepest nesting', nested(limits.jsonDepthMax), JSON.parse(nested(limits.jsonDepthMax))],
  ])('%s', (_name, text, value) => {
    expect(parseJsonObject(bytes(text))).toEqual(value);
  });

  test('a key named __proto__ stays a key', () => {
    expect(Object.keys(parseJsonObject(bytes('{"__proto__":{"a":1}}')))).toEqual(['__proto__']);
  });
});

describe('bodies that are refused', () => {
  test.each([
    ['nothing', bytes(''), 'The body is empty.'],
    ['only space', bytes(' \n'), 'The body is not valid JSON.'],
    ['only a byte order mark', bytes('\uFEFF'), 'The body is not valid JSON.'],
    ['two byte order marks', bytes('\uFEFF\uFEFF{}'), 'The body is not valid JSON.'],
    ['a cut text', bytes('{"a":'), 'The body is not valid JSON.'],
    ['a string that is never closed', bytes('{"a":"b\\"}'), 'The body is not valid JSON.'],
    ['text after the end', bytes('{} {}'), 'The body is not valid JSON.'],
    ['a comma too many', bytes('{"a":1,}'), 'The body is not valid JSON.'],
    ['single quotes', bytes("{'a':1}"), 'The body is not valid JSON.'],
    ['a raw NUL in a string', bytes('{"a":"\0"}'), 'The body is not valid JSON.'],
    ['an array', bytes('[]'), 'The body must be a JSON object.'],
    ['null', bytes('null'), 'The body must be a JSON object.'],
    ['a string', bytes('"a"'), 'The body must be a JSON object.'],
    ['a cut UTF-8 sequence', Uint8Array.of(0x7b, 0x7d, 0xc3), 'The body is not valid UTF-8.'],
    ['an overlong UTF-8 sequence', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), 'The body is not valid UTF-8.'],
    ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'The body is not valid UTF-8.'],
    ['UTF-16', new Uint8Array(Buffer.from('\uFEFF{}', 'utf16le')), 'The body is not valid UTF-8.'],
    ['nesting one too deep', bytes(nested(limits.jsonDepthMax + 1)), 'The body is nested deeper than 32 levels.'],
    ['a million open brackets', bytes('['.repeat(1_000_000)), 'The body is nested deeper than 32 levels.'],
    ['a repeated key', bytes('{"a":1,"a":2}'), 'A key is repeated in one of the objects of the body.'],
    ['an escaped repetition', bytes('{"a":1,"\\u0061":2}'), 'A key is repeated in one of the objects of the body.'],
    [
      'a repeated key deep inside',
      bytes('{"a":[{"b":1,"b":1}]}'),
      'A key is repeated in one of the objects of the body.',
    ],
    [
      'a repeated __proto__',
      bytes('{"__proto__":1,"__proto__":2}'),
      'A key is repeated in one of the objects of the body.',
    ],
  ])('%s', (_name, body, detail) => {
    expect(refusal(body)).toBe(detail);
  });

  test('the detail never quotes the body', () => {
    expect(refusal(bytes('{"a": sesame}'))).not.toContain('sesame');
  });
});

/** One character at a time, with nothing jumped over. */
function countColonsNaively(text: string, depthMax: number): number {
  let colons = 0;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    if (character === ':') colons++;
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    if (depth > depthMax) return tooDeep;
  }
  return colons;
}

/** A JSON text that is written member by member, and whether some object in it repeats a key. */
interface Written {
  readonly text: string;
  readonly repeats: boolean;
}

const key = fc.constantFrom('a', 'b', 'a:', '"', '\\', '__proto__', '{', 'ä');
const written: fc.Arbitrary<Written> = fc.letrec<{ value: Written; object: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean()).map((leaf) => ({
      text: JSON.stringify(leaf),
      repeats: false,
    })),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => ({
      text: `[${items.map(({ text }) => text).join(' ,')}]`,
      repeats: items.some(({ repeats }) => repeats),
    })),
  ),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((members) => ({
    text: `{${members.map(([name, { text }]) => `${JSON.stringify(name)} :${text}`).join(', ')}}`,
    repeats: new Set(members.map(([name]) => name)).size < members.length || members.some(([, { repeats }]) => repeats),
  })),
})).object;

describe('the scanner', () => {
  test('agrees with its naive twin on any text', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', '}', '[', ']', 'a', 'é'), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 6 }), (sample, depthMax) => {
        expect(countColons(sample, depthMax)).toBe(countColonsNaively(sample, depthMax));
      }),
      { numRuns: 2_000 },
    );
  });

  test('refuses exactly the texts in which a key is repeated', () => {
    fc.assert(
      fc.property(written, ({ text, repeats }) => {
        expect(refusal(bytes(text)) !== 'accepted').toBe(repeats);
      }),
      { numRuns: 1_000 },
    );
  });
});
