import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, RequestHead } from '../../src/api/route.js';
import { GuardError } from '../../src/domain/errors.js';
import { recognizeCall } from '../../src/mcp/fast-path.js';
import { createHostCheck } from '../../src/mcp/hosts.js';
import { mcpRoute } from '../../src/mcp/mcp-route.js';
import { createLogger } from '../../src/telemetry/log.js';
import { apps, createFakeGuard } from '../api/fake-guard.js';
import { calls, handshake, type Json, modern, modernMeta, type Sent, text } from './messages.js';

/**
 * The fast path beside its plain twin, the protocol library: the same request goes to both, and status, headers, body
 * and log must be the same to the byte. Most requests are not taken by the gate; then both ways are the library's, and
 * what is shown is that they are stable.
 */

const requestId = '3f2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21';

function server(fastPath: boolean) {
  const logged: string[] = [];
  const route = mcpRoute({
    guard: createFakeGuard(),
    log: createLogger({ level: 'info', destination: { write: (line) => logged.push(line) } }),
    redact: (words, end) => words.slice(0, end).replaceAll('attack', '[redacted]'),
    hosts: createHostCheck('127.0.0.1', []),
    fastPath,
  });
  return async (headers: Sent['headers'], body: Uint8Array) => {
    logged.length = 0;
    const all = new Map<string, string>([
      ['host', 'localhost'],
      ['authorization', 'Bearer everything'],
      ...Object.entries(headers),
    ]);
    const head: RequestHead = {
      method: 'POST',
      path: '/mcp/guard',
      parameters: {},
      query: '',
      requestId,
      receivedUs: 900,
      draining: false,
      header: (name) => all.get(name),
      headers: () => [],
      address: () => '127.0.0.1',
      answer: { carry: () => undefined },
      abandoned: () => new AbortController().signal,
    };
    const answer = await answered(() => {
      const opened = route.open(head);
      return typeof opened === 'function' ? opened(body) : opened;
    });
    const entries = logged.map((line) => JSON.stringify({ ...JSON.parse(line), time: null, error: null }));
    return { answer, entries };
  };
}

/** What is thrown goes on to the front end, which answers bugs with 500. */
async function answered(outcome: () => Answer | Promise<Answer>): Promise<unknown> {
  try {
    return await outcome();
  } catch (error) {
    return error instanceof GuardError ? error.code : 'a bug';
  }
}

const fast = server(true);
const plain = server(false);

async function compare({ headers, message }: Sent): Promise<void> {
  const body = Buffer.from(JSON.stringify(message));
  const expected = await plain(headers, body);
  expect(await fast(headers, body)).toEqual(expected);
}

/** The library is loaded before anything is timed. */
beforeAll(() => compare(handshake('ping')));

const ok = text('hello');
const all = { payload: true, breakdown: true, dev_info: true };
const taken: readonly (readonly [string, Json])[] = [
  ['a clean message', ok],
  ['an attack', text('an attack')],
  ['with everything', text('an attack', all)],
  ['a message without a role', { messages: [{ content: 'hello' }] }],
  ['an empty role', { messages: [{ role: '', content: 'hello' }] }],
  ['metadata of any kind', text('hello', { metadata: { a: [1, { b: null }], 'ü"\\': ' ' } })],
  ['an application', text('hello', { app_uuid: apps.known })],
  ['an application in capitals', text('hello', { app_uuid: apps.known.toUpperCase() })],
  ['an unknown application', text('hello', { app_uuid: '11111111-1111-4111-8111-111111111111' })],
  ['a foreign application', text('hello', { app_uuid: apps.foreign })],
  ['a later verdict', text('later attack', all)],
  ['overload', text('overload')],
  ['a bug', text('explode')],
  ['a bug in a later turn', text('explode-later')],
  ['hostile text', text('</script> " \\ \u2028 \ud800 \u0000 attack \u{1f600}', all)],
];

describe('calls that the gate takes', () => {
  for (const era of ['handshake', 'modern'] as const) {
    test.each(taken)(`${era}: %s`, async (_name, input) => {
      const sent = calls(input)[era];
      expect(recognizeCall(sent.headers, sent.message)?.era).toBe(era);
      await compare(sent);
    });

    test.each([['text'], [''], [0], [-1], [9_007_199_254_740_991], ['"\\\u2028\ud800']])(
      `${era}: the id %o`,
      async (id) => {
        const sent = calls(ok, id)[era];
        expect(recognizeCall(sent.headers, sent.message)?.id).toBe(id);
        await compare(sent);
      },
    );
  }

  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07', undefined])(
    'handshake era: version %s',
    async (version) => {
      const { headers, message } = calls(ok).handshake;
      const { 'mcp-protocol-version': _, ...rest } = headers;
      const sent = { message, headers: version === undefined ? rest : { ...rest, 'mcp-protocol-version': version } };
      expect(recognizeCall(sent.headers, sent.message)).toBeDefined();
      await compare(sent);
    },
  );

  test.each<[string, Sent]>([
    [
      'a progress token',
      handshake('tools/call', { name: 'scan_with_guard', arguments: ok, _meta: { progressToken: 7 } }),
    ],
    ['an empty _meta', handshake('tools/call', { name: 'scan_with_guard', arguments: ok, _meta: {} })],
    ['a progress token', modernCall({ ...modernMeta, progressToken: 'a' })],
    [
      'a key of the client',
      handshake('tools/call', {
        name: 'scan_with_guard',
        arguments: ok,
        _meta: { 'claudecode/toolUseId': 'toolu_1', progressToken: 2 },
      }),
    ],
    ['a key of the client', modernCall({ ...modernMeta, 'claudecode/toolUseId': { any: [null] } })],
    [
      'capabilities',
      modernCall({ ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': { roots: {}, elicitation: {} } }),
    ],
    ['no client info', modernCall(without(modernMeta, 'io.modelcontextprotocol/clientInfo'))],
  ])('%s', async (_name, sent) => {
    expect(recognizeCall(sent.headers, sent.message)).toBeDefined();
    await compare(sent);
  });
});

function modernCall(meta: { readonly [key: string]: Json }): Sent {
  return modern('tools/call', { name: 'scan_with_guard', arguments: ok, _meta: meta });
}

function without<T extends object>(value: T, key: string): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** Hostile or unusual values to put anywhere. */
const oddities: readonly Json[] = [
  null,
  true,
  0,
  -0,
  1.5,
  1e300,
  '',
  ' ',
  'scan_with_guard',
  'tools/call',
  'tools/list',
  '2.0',
  '2025-11-25',
  '2026-07-28',
  '2027-01-01',
  [],
  {},
  [[]],
  { a: 1 },
  { constructor: 1, toString: 2 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  'io.modelcontextprotocol/protocolVersion',
];

const oddKeys = [
  'a/b',
  'com.mcp/b',
  'mcp/b',
  'io.modelcontextprotocol/related-task',
  'traceparent',
  '__proto__',
  'constructor',
  'id',
  'method',
  'params',
  '_meta',
  'name',
  'arguments',
  'task',
  'x',
];

/** A copy with the value at a path replaced, taken away, or with something added beside it. */
function mutate(value: Json, path: readonly number[], change: (found: Json) => Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return change(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return change(value);
    const at = step % value.length;
    return value.flatMap((item: Json, index) => (index === at ? (mutate(item, rest, change) ?? []) : [item]));
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return change(value);
  const at = step % entries.length;
  const altered = entries.flatMap(([key, item], index) => {
    const next = index === at ? mutate(item, rest, change) : item;
    return next === undefined ? [] : [[key, next] as const];
  });
  return fromEntries(altered);
}

/** Unlike `Object.fromEntries` followed by a spread, keeps a key `__proto__` as a key. */
function fromEntries(entries: readonly (readonly [string, Json])[]): Json {
  return JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`);
}

const seeds = fc.constantFrom(
  ...[...taken.map(([, input]) => input), text(''), { messages: [] }, { messages: 'x' }, { x: 1 }].flatMap((input) => [
    calls(input).handshake,
    calls(input).modern,
  ]),
  handshake('tools/list'),
  handshake('ping'),
  handshake('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }),
  handshake('nonsense'),
  modern('tools/list'),
  modern('server/discover'),
  modern('nonsense'),
);

const change = fc.oneof(
  fc.constant(() => undefined),
  fc.constantFrom(...oddities).map((oddity) => () => oddity),
  fc.tuple(fc.constantFrom(...oddKeys), fc.constantFrom(...oddities)).map(([key, oddity]) => (found: Json) => {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return oddity;
    return fromEntries([...Object.entries(found).filter(([name]) => name !== key), [key, oddity]]);
  }),
);

const headerNames = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
] as const;
const headerValues = [
  undefined,
  '',
  '*/*',
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json, text/event-stream',
  'text/event-stream',
  'text/plain',
  '2025-11-25',
  '2026-07-28',
  '2026-07-28, 2026-07-28',
  '1999-01-01',
  'tools/call',
  'Tools/Call',
  'tools/list',
  'scan_with_guard',
  '=?base64?c2Nhbl93aXRoX2d1YXJk?=',
  '=?base64?!?=',
  'other',
];

function withHeader(
  headers: Sent['headers'],
  name: (typeof headerNames)[number],
  value: string | undefined,
): Sent['headers'] {
  const { [name]: _, ...rest } = headers;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** The places of a message, as steps that `mutate` takes. */
function placesOf(value: Json, path: readonly number[] = []): readonly (readonly number[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.values(value).flatMap((child, index) => placesOf(child, [...path, index]))];
}

const full = calls(text('an attack', { payload: true, app_uuid: apps.known, metadata: { a: 1 } }));
const rich = {
  handshake: handshake('tools/call', { ...paramsOf(full.handshake), _meta: { progressToken: 1, 'a/b': 1 } }),
  modern: modern('tools/call', { ...paramsOf(full.modern), _meta: { progressToken: 1, 'a/b': 1, ...modernMeta } }),
};

function paramsOf({ message }: Sent): { readonly [key: string]: Json } {
  return (message as { params: { readonly [key: string]: Json } }).params;
}

describe.each(['handshake', 'modern'] as const)('every single change of a call that is taken, %s era', (era) => {
  const { headers, message } = rich[era];

  test('begins with one that is taken', () => {
    expect(recognizeCall(headers, message)).toBeDefined();
  });

  test.each(headerNames)('every value of the header %s', async (name) => {
    for (const value of headerValues) await compare({ headers: withHeader(headers, name, value), message });
  });

  test.each(placesOf(message).map((path) => [path.join('.'), path] as const))(
    'every oddity at %s',
    async (_name, path) => {
      await compare({ headers, message: mutate(message, path, () => undefined) ?? null });
      for (const oddity of oddities) {
        await compare({ headers, message: mutate(message, path, () => oddity) ?? null });
      }
      for (const key of oddKeys) {
        const add = (found: Json) =>
          typeof found !== 'object' || found === null || Array.isArray(found)
            ? found
            : fromEntries([...Object.entries(found).filter(([name]) => name !== key), [key, 'odd']]);
        await compare({ headers, message: mutate(message, path, add) ?? null });
      }
    },
  );
});

const headerChange = fc.tuple(fc.constantFrom(...headerNames), fc.constantFrom(...headerValues));

test('random requests of both eras: the same answer and log either way', async () => {
  await fc.assert(
    fc.asyncProperty(
      seeds,
      fc.array(fc.tuple(fc.array(fc.nat(20), { maxLength: 6 }), change), { maxLength: 2 }),
      fc.array(headerChange, { maxLength: 2 }),
      async (seed, changes, headerChanges) => {
        let message: Json = seed.message;
        for (const [path, how] of changes) message = mutate(message, path, how) ?? null;
        let { headers } = seed;
        for (const [name, value] of headerChanges) headers = withHeader(headers, name, value);
        await compare({ headers, message });
      },
    ),
    { numRuns: 600 },
  );
}, 120_000);

test.each(
  ['', '{', 'nul', '"text"', '1', '[]', '[{}]', '{"a":1,"a":2}', '\u0000', `${'['.repeat(40)}${']'.repeat(40)}`].map(
    (body) => [body],
  ),
)('bodies that are no message: %o', async (body) => {
  for (const { headers } of [handshake('ping'), modern('tools/list')]) {
    const expected = await plain(headers, Buffer.from(body));
    expect(await fast(headers, Buffer.from(body))).toEqual(expected);
    expect(expected.answer).toMatchObject({ status: 400, contentType: 'application/json' });
  }
});
