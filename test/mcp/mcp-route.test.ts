import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { apps, scanId } from '../api/fake-guard.js';
import { type RawAnswer, rawClient, type Service } from '../http/fixture.js';
import { askMcp, callEntries, type Differs, mcpBytes, startMcp } from './fixture.js';
import { calls, handshake, type Json, modern, type Sent, text } from './messages.js';

let service: Service;
beforeAll(async () => {
  service = await startMcp();
});
afterAll(() => service.server.close());

const hello = calls(text('hello'), 'my-id').handshake;

function bodyOf(answer: RawAnswer): { error?: { code: number; message: string }; id?: unknown; result?: unknown } {
  return JSON.parse(answer.body);
}

describe('refusals, before any scan', () => {
  const bearer = 'Bearer';
  const invalid = 'Bearer error="invalid_token"';
  test.each<[string, Differs, number, string, string | undefined]>([
    ['no credentials', { headers: { authorization: undefined } }, 401, 'Authorization header is missing', bearer],
    ['an empty token', { headers: { authorization: 'Bearer' } }, 401, 'The Authorization header must', bearer],
    ['another scheme', { headers: { authorization: 'Basic abc' } }, 401, 'The Authorization header must', bearer],
    ['an unknown token', { headers: { authorization: 'Bearer no' } }, 401, 'The Authorization header is not', invalid],
    ['a key with spaces', withKey('a b'), 401, 'The X-API-Key header must', invalid],
    ['an unknown key', withKey('no'), 401, 'The X-API-Key header is not', invalid],
    [
      'a token in the query',
      { path: '/mcp/guard?token=everything&access_token=everything', headers: { authorization: undefined } },
      401,
      'missing',
      bearer,
    ],
    [
      'the wrong scope',
      { headers: { authorization: 'Bearer reader' } },
      403,
      'guard:scan',
      'Bearer error="insufficient_scope", scope="guard:scan"',
    ],
  ])('%s: %o is %i', async (_name, differs, status, words, challenge) => {
    const answer = await askMcp(service, hello, differs);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect(bodyOf(answer)).toMatchObject({ jsonrpc: '2.0', id: 'my-id', error: { code: status } });
    expect(bodyOf(answer).error?.message).toContain(words);
    expect(service.guard.scans).toEqual([]);
  });

  test.each<[string, Differs]>([
    ['a foreign page', { headers: { origin: 'https://evil.example' } }],
    ['a page without an address', { headers: { origin: 'null' } }],
    ['a foreign host', { headers: { host: 'evil.example' } }],
    ['a host that begins like ours', { headers: { host: 'localhost.evil.example' } }],
    ['a page that ends like ours', { headers: { origin: 'http://evil-localhost' } }],
    ['a page with a user', { headers: { origin: 'http://localhost@evil.example' } }],
  ])('%s is 403 before anything else is looked at', async (_name, differs) => {
    const answer = await askMcp(service, hello, {
      ...differs,
      headers: { authorization: undefined, ...differs.headers },
    });
    expect(answer.status).toBe(403);
    expect(bodyOf(answer)).toMatchObject({ error: { code: 403 }, id: null });
  });

  test.each<Differs>([
    { headers: { origin: 'http://localhost:6274' } },
    { headers: { origin: 'http://127.0.0.1', host: '127.0.0.1:8686' } },
    { headers: { host: '[::1]:8686', origin: 'http://[::1]:8686' } },
    { headers: { host: 'GUARD.example', origin: 'https://guard.example' } },
    { headers: { authorization: undefined, 'x-api-key': 'scanner' } },
  ])('%o is let in', async (differs) => {
    expect((await askMcp(service, hello, differs)).status).toBe(200);
    service.guard.scans.length = 0;
  });

  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('%s is 405', async (method) => {
    const answer = await askMcp(service, hello, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(bodyOf(answer).error?.code).toBe(405);
  });

  test('a stranger with a long or endless body gets no id, and is not read', async () => {
    const long = 'x'.repeat(limits.refusedBodyBytesMax + 1);
    const answer = await askMcp(service, calls(text(long), 'my-id').handshake, {
      headers: { authorization: undefined },
    });
    expect(answer.status).toBe(401);
    expect(bodyOf(answer).id).toBe(null);
    const client = await rawClient(service.server.port);
    await client.send('POST /mcp/guard HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
    expect((await client.answer()).status).toBe(401);
    client.destroy();
  });

  test.each(['not JSON', '[]', '{"id":{}}', '{"id":null}', '{"id":true}'])(
    'a stranger whose body is %s gets the id null',
    async (body) => {
      const answer = await askMcp(service, hello, { body, headers: { authorization: undefined } });
      expect(answer.status).toBe(401);
      expect(bodyOf(answer).id).toBe(null);
    },
  );

  function withKey(key: string): Differs {
    return { headers: { authorization: undefined, 'x-api-key': key } };
  }
});

describe('what the protocol asks', () => {
  const both = (
    input: Json,
    differs: Differs,
    status: number,
    code: number,
  ): [string, Sent, Differs, number, number][] => [
    ['handshake', calls(input).handshake, differs, status, code],
    ['modern', calls(input).modern, differs, status, code],
  ];
  const ok = text('hello');
  test.each<[string, Sent, Differs, number, number]>([
    ...both(ok, { headers: { 'content-type': 'text/plain' } }, 415, 415),
    ...both(ok, { headers: { 'content-type': 'application/json; charset=latin1' } }, 415, 415),
    ...both(ok, { headers: { 'content-type': undefined } }, 415, 415),
    ...both(ok, { headers: { 'content-encoding': 'gzip' } }, 415, 415),
    ...both(ok, { body: '{' }, 400, -32_700),
    ...both(ok, { body: '' }, 400, -32_700),
    ...both(ok, { body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, -32_700),
    ...both(ok, { body: '{"jsonrpc":"2.0","jsonrpc":"2.0"}' }, 400, -32_700),
    ...both(ok, { body: '[]' }, 400, -32_600),
    ...both(ok, { body: JSON.stringify([calls(ok).handshake.message, calls(ok).handshake.message]) }, 400, -32_600),
    ...both(ok, { body: '{"jsonrpc":"1.0","id":1,"method":"ping"}' }, 400, -32_600),
    ...both(ok, { body: '{"jsonrpc":"2.0","id":null,"method":"ping"}' }, 400, -32_600),
    ['no event stream', hello, { headers: { accept: 'application/json' } }, 406, -32_000],
    ['no accept', hello, { headers: { accept: undefined } }, 406, -32_000],
    ['version', hello, { headers: { 'mcp-protocol-version': '1999-01-01' } }, 400, -32_000],
    ['version', calls(ok).modern, { headers: { 'mcp-protocol-version': '2025-11-25' } }, 400, -32_020],
    ['version', calls(ok).modern, { headers: { 'mcp-protocol-version': undefined } }, 400, -32_020],
    ['method header', calls(ok).modern, { headers: { 'mcp-method': 'tools/list' } }, 400, -32_020],
    ['name header', calls(ok).modern, { headers: { 'mcp-name': 'other' } }, 400, -32_020],
    ['name header', calls(ok).modern, { headers: { 'mcp-name': '=?base64?!?=' } }, 400, -32_020],
    ['no envelope', { ...hello, headers: calls(ok).modern.headers }, {}, 400, -32_602],
    ['unknown method', modern('nonsense'), {}, 404, -32_601],
    ['unknown method', handshake('nonsense'), {}, 200, -32_601],
    ['unknown tool', handshake('tools/call', { name: 'other' }), {}, 200, -32_602],
    ['unknown tool', modern('tools/call', { name: 'other' }), {}, 200, -32_602],
  ])('%s %# is answered %i', async (_name, sent, differs, status, code) => {
    const answer = await askMcp(service, sent, differs);
    expect({ status: answer.status, code: bodyOf(answer).error?.code }).toEqual({ status, code });
    expect(service.guard.scans).toEqual([]);
  });

  test.each<[string, Sent]>([
    ['initialize without parameters', handshake('initialize')],
    ['initialize without a version', handshake('initialize', {})],
    ['a wrong cursor', handshake('tools/list', { cursor: 5 })],
    ['a wrong cursor, modern', modern('tools/list', { cursor: 5 })],
  ])('%s: a mistake of the client, in a sentence', async (_name, sent) => {
    const error = { code: -32_602, message: 'The parameters of the request are not valid.' };
    expect(bodyOf(await askMcp(service, sent))).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  test('an encoded Mcp-Name is understood', async () => {
    const name = `=?base64?${Buffer.from('scan_with_guard').toString('base64')}?=`;
    expect((await askMcp(service, calls(ok).modern, { headers: { 'mcp-name': name } })).status).toBe(200);
    service.guard.scans.length = 0;
  });

  test('a notification is accepted without a body', async () => {
    const { headers } = hello;
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const answer = await askMcp(service, { headers, message });
    expect(answer).toMatchObject({ status: 202, body: '' });
    expect(answer.headers.has('content-type')).toBe(false);
  });

  test('session and event ids are ignored, and none is made', async () => {
    const answer = await askMcp(service, hello, { headers: { 'mcp-session-id': 'abc', 'last-event-id': '1' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.has('mcp-session-id')).toBe(false);
    service.guard.scans.length = 0;
  });

  test('a subscription is acknowledged and ended', async () => {
    const answer = await askMcp(
      service,
      modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, 's'),
    );
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const frames = [...answer.body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));
    expect(frames).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 's', result: { resultType: 'complete' } },
    ]);
  });

  test('discovery and the list of tools tell how long they hold', async () => {
    const discovered = bodyOf(await askMcp(service, modern('server/discover')));
    expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
    const listed = bodyOf(await askMcp(service, modern('tools/list')));
    expect(listed.result).toMatchObject({
      ttlMs: 3_600_000,
      cacheScope: 'public',
      tools: [{ name: 'scan_with_guard' }],
    });
    expect(bodyOf(await askMcp(service, handshake('tools/list'))).result).toMatchObject({
      tools: [{ name: 'scan_with_guard' }],
    });
  });
});

describe('results', () => {
  const eras = ['handshake', 'modern'] as const;
  const foreign = apps.foreign;
  const unknown = '11111111-1111-4111-8111-111111111111';
  const cases = eras.flatMap((era) => [
    [era, text('hello', { app_uuid: unknown }), ['Unknown app_uuid.']] as const,
    [era, text('hello', { app_uuid: foreign }), ['You do not have access to this application.']] as const,
    [era, {}, ['/messages is required.']] as const,
    [era, { messages: [] }, ['/messages must hold 1 to 1000 items.']] as const,
    [era, text(''), ['/messages/0/content must not be empty.']] as const,
    [
      era,
      { messages: [{ content: 7 }, { role: 1, content: 'x' }], payload: 'yes', playload: true, project_id: 'p' },
      [
        '/messages/0/content must be a string.',
        '/messages/1/role must be a string.',
        '/payload must be true or false.',
        '/playload is not a known field.',
        '/project_id is not a known field.',
      ],
    ] as const,
    [
      era,
      text('x', { metadata: 'no', app_uuid: 'no' }),
      ['/metadata must be an object.', '/app_uuid must be a UUID.'],
    ] as const,
  ]);
  test.each(cases)('%s era: %o is a result that says %o', async (era, input, words) => {
    const answer = await askMcp(service, calls(input)[era]);
    expect(answer.status).toBe(200);
    const { result, id } = JSON.parse(answer.body);
    expect(id).toBe(1);
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    expect(result).not.toHaveProperty('structuredContent');
    for (const word of words) expect(result.content[0].text).toContain(word);
    expect(service.guard.scans).toEqual([]);
    expect(answer.headers.has('x-scan-id')).toBe(false);
  });

  test.each(eras)('%s era: the shapes of MCP', async (era) => {
    const input = text('an attack', { payload: true, breakdown: true, dev_info: true });
    const id = '3F2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21';
    const answer = await askMcp(service, calls(input)[era], { headers: { 'x-request-id': id } });
    const { result } = JSON.parse(answer.body);
    expect(result.structuredContent).toEqual({
      flagged: true,
      payload: [{ start: 3, end: 9, text: 'attack', detector_type: 'LLM01', labels: ['Attack'], message_id: 0 }],
      breakdown: { LLM01: { count: 1, severity: 'high' } },
      dev_info: {
        ...{ request_id: id, policy_version: 'abc', model_version: '1', scan_id: scanId },
        ...{ scanned_from: 0, recalled: 1 },
      },
    });
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
    expect(answer.headers.get('x-request-id')).toBe(id);
    expect(answer.headers.get('x-scan-id')).toBe(scanId);
    expect(service.guard.scans.splice(0)).toMatchObject([{ source: 'mcp', requestId: id, positionEncoding: 'utf-16' }]);
  });

  test.each(eras)('%s era: nothing is given that was not asked for', async (era) => {
    const { result } = JSON.parse((await askMcp(service, calls(text('an attack'))[era])).body);
    expect(result.structuredContent).toEqual({ flagged: true });
    service.guard.scans.length = 0;
  });

  test('a request id that is no UUID is replaced in the scan, and kept in the answer', async () => {
    const answer = await askMcp(service, hello, { headers: { 'x-request-id': 'mine' } });
    expect(answer.headers.get('x-request-id')).toBe('mine');
    const [{ requestId }] = service.guard.scans.splice(0);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(
    eras.flatMap((era) => [[era, {}] as const, [era, { 'content-type': 'application/json; charset=utf-8' }] as const]),
  )('%s era, %o: overload is 503, never a verdict', async (era, headers) => {
    const answer = await askMcp(service, calls(text('overload'), 'o')[era], { headers });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(bodyOf(answer)).toMatchObject({
      id: 'o',
      error: { code: 503, data: { type: 'urn:merlon:problem:overloaded' } },
    });
    expect(answer.body).not.toContain('flagged');
  });

  test.each(eras.flatMap((era) => ['explode sesame', 'explode-later sesame'].map((words) => [era, words] as const)))(
    '%s era: a bug on %o is 500 and tells nothing',
    async (era, words) => {
      for (const headers of [{}, { 'content-type': 'application/json; charset=utf-8' }]) {
        const answer = await askMcp(service, calls(text(words))[era], { headers });
        expect(answer.status).toBe(500);
        expect(bodyOf(answer).error).toMatchObject({ code: 500, message: 'An internal error occurred.' });
        expect(answer.body).not.toContain('sesame');
      }
      expect(service.logged.join('')).not.toContain('sesame');
    },
  );
});

describe('the log', () => {
  test('two entries with one id, previews redacted, metadata bounded', async () => {
    service.logged.length = 0;
    const input = {
      messages: [{ content: `open sesame ${'é'.repeat(200)}` }, { content: 'an attack' }],
      payload: true,
      metadata: { ticket: 'T-1', secret: 'sesame', long: 'x'.repeat(5_000) },
    };
    await askMcp(service, calls(input).modern);
    const [request, response, ...more] = callEntries(service);
    expect(more).toEqual([]);
    expect(request).toMatchObject({ msg: 'MCP Guard scan request', user_id: 'u', app_uuid: null, count: 2 });
    expect(request.previews).toEqual([expect.stringMatching(/^open \[redacted\] é+…$/), 'an attack']);
    expect(String(request.metadata)).toMatch(/^\{"ticket":"T-1","secret":"\[redacted\]","long":"x+/);
    expect(String(request.metadata).length).toBeLessThan(1_100);
    expect(response).toMatchObject({ msg: 'MCP Guard scan response', user_id: 'u', flagged: true, payload_count: 1 });
    expect(response.request_id).toBe(request.request_id);
    expect(request.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each<[string, Json, Json]>([
    ['without payload', text('hello'), { flagged: false }],
    ['invalid', { messages: 'sesame', metadata: { a: 'sesame' } }, { code: 'invalid_input' }],
    ['refused', text('hello', { app_uuid: apps.foreign }), { code: 'forbidden_app' }],
    ['overloaded', text('overload'), { code: 'overloaded' }],
  ])('%s', async (_name, input, expected) => {
    service.logged.length = 0;
    await askMcp(service, calls(input).handshake);
    const [request, response, ...more] = callEntries(service);
    expect(more).toEqual([]);
    expect(response).toMatchObject({
      msg: 'MCP Guard scan response',
      request_id: request.request_id,
      ...(expected as object),
    });
    expect(response).not.toHaveProperty('payload_count');
    expect(service.logged.join('')).not.toContain('sesame');
  });

  test('the number of previews is bounded', async () => {
    service.logged.length = 0;
    const messages = Array.from({ length: 1_000 }, () => ({ content: 'hello' }));
    await askMcp(service, calls({ messages }).handshake);
    const [{ count, previews }] = callEntries(service);
    expect({ count, previews: Array.isArray(previews) && previews.length }).toEqual({
      count: 1_000,
      previews: limits.previewsMax,
    });
  });
});

describe('connections', () => {
  /** The code of an error of JSON-RPC, which is its status, too, and its type. */
  function errorOf(answer: RawAnswer): readonly unknown[] {
    const { jsonrpc, id, error } = JSON.parse(answer.body);
    expect({ jsonrpc, id, status: error.code }).toEqual({ jsonrpc: '2.0', id: null, status: answer.status });
    expect(answer.headers.get('content-type')).toBe('application/json');
    return [error.code, error.data.type];
  }

  test('a body over the limit is 413', async () => {
    const small = await startMcp({ bodyBytesMax: 1_000 });
    const answer = await askMcp(small, calls(text('x'.repeat(1_000))).handshake);
    expect(errorOf(answer)).toEqual([413, 'urn:merlon:problem:body_too_large']);
    expect(small.guard.scans).toEqual([]);
    small.server.close();
  });

  test('more requests than may wait are 503', async () => {
    const full = await startMcp({ admission: { waitMsMax: -1, freeBytes: -1 } });
    const answer = await askMcp(full, hello);
    expect(errorOf(answer)).toEqual([503, 'urn:merlon:problem:overloaded']);
    expect(answer.headers.has('retry-after')).toBe(true);
    full.server.close();
  });

  test.each([{}, { 'content-type': 'application/json; charset=utf-8' }])(
    'a client that leaves abandons its scan (%o)',
    async (headers) => {
      const own = await startMcp();
      const client = await rawClient(own.server.port);
      await client.send(mcpBytes(calls(text('held')).modern, { headers }));
      while (own.guard.scans.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const signal = own.guard.scans[0].abandoned?.();
      expect(signal?.aborted).toBe(false);
      const left = new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      client.destroy();
      await left;
      expect(own.guard.release()).toBe(1);
      own.server.close();
    },
  );

  test('draining: what runs is answered, what comes is 503', async () => {
    const own = await startMcp();
    const [running, late] = await Promise.all([rawClient(own.server.port), rawClient(own.server.port)]);
    await running.send(mcpBytes(calls(text('held attack')).modern));
    while (own.guard.scans.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const drained = own.server.drain();
    await late.send(mcpBytes(hello));
    const refused = await late.answer();
    expect(errorOf(refused)).toEqual([503, 'urn:merlon:problem:draining']);
    expect(refused.headers.has('retry-after')).toBe(true);
    own.guard.release();
    expect(JSON.parse((await running.answer()).body).result.structuredContent).toEqual({ flagged: true });
    await drained;
  });
});

describe('calls that name no tool or have no arguments', () => {
  const name = 'scan_with_guard';
  test.each<[string, Sent, string]>([
    ['no arguments', handshake('tools/call', { name }), '/messages is required.'],
    ['arguments of null', handshake('tools/call', { name, arguments: null }), '/messages is required.'],
    ['a list', handshake('tools/call', { name, arguments: [1] }), '/arguments must be an object.'],
    ['a text', handshake('tools/call', { name, arguments: 'x' }), '/arguments must be an object.'],
    ['no arguments, modern', modern('tools/call', { name }), '/messages is required.'],
    ['arguments of null, modern', modern('tools/call', { name, arguments: null }), '/messages is required.'],
    ['a list, modern', modern('tools/call', { name, arguments: [1] }), '/arguments must be an object.'],
  ])('%s: a result for the model', async (_name, sent, words) => {
    const before = service.guard.scans.length;
    const { result } = bodyOf(await askMcp(service, sent));
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: words }] });
    expect(service.guard.scans).toHaveLength(before);
  });

  const missing = 'The name of a tool is missing; there is scan_with_guard';
  const unknown = 'Unknown tool; there is scan_with_guard';
  test.each<[string, Sent, string]>([
    ['no parameters', handshake('tools/call'), missing],
    ['no name', handshake('tools/call', { arguments: text('hello') }), missing],
    ['no name, modern', modern('tools/call', { arguments: text('hello') }), missing],
    ['another name', handshake('tools/call', { name: 'x', arguments: {} }), unknown],
    ['another name and no arguments', handshake('tools/call', { name: 'x', arguments: null }), unknown],
    ['another name, modern', modern('tools/call', { name: 'x', arguments: {} }), unknown],
  ])('%s: an error of the protocol', async (_name, sent, message) => {
    const before = service.guard.scans.length;
    const answer = await askMcp(service, sent);
    expect(bodyOf(answer)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_602, message } });
    expect(service.guard.scans).toHaveLength(before);
  });
});
