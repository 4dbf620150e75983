import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { BodyBuffer } from '../../src/http/body-buffer.js';
import { ask, message, type RawClient, rawClient, requestBytes, type Service, scan, startService } from './fixture.js';

const bodyBytesMax = 300_000;
let service: Service;
beforeAll(async () => {
  service = await startService({ bodyBytesMax, bodiesInFlightBytesMax: 1_000_000 });
});
afterAll(() => service.server.close());
afterEach(() => {
  service.guard.scans.length = 0;
});

/** A scan body of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify(message(''));
  return JSON.stringify(message('x'.repeat(bytes - empty.length)));
}

const head = requestBytes('POST /api/v1/guard', {
  headers: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
});
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

async function inFlight(): Promise<number> {
  const text = await service.metrics.render();
  return Number(/^merlon_in_flight (\d+)$/m.exec(text)?.[1]);
}

describe('the limit', () => {
  test.each([
    [bodyBytesMax - 1, 200],
    [bodyBytesMax, 200],
    [bodyBytesMax + 1, 413],
  ])('%i bytes: %i', async (bytes, status) => {
    const answer = await scan(service, bodyOf(bytes));
    expect(answer.status).toBe(status);
    expect(service.guard.scans).toHaveLength(status === 200 ? 1 : 0);
  });

  test('an announced length over it is answered before the body comes', async () => {
    const client = await rawClient(service.server.port);
    await client.send(requestBytes('POST /api/v1/guard', { body: bodyOf(bodyBytesMax + 1) }).subarray(0, 400));
    const answer = await client.answer();
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body).detail).toBe(`The body is larger than ${bodyBytesMax} bytes.`);
    client.destroy();
  });

  test('a client that sends all of a far too large body can read the answer, and go on', async () => {
    const client = await rawClient(service.server.port);
    await client.send(requestBytes('POST /api/v1/guard', { body: bodyOf(bodyBytesMax * 40) }));
    expect((await client.answer()).status).toBe(413);
    await client.send(requestBytes('GET /livez'));
    expect((await client.answer()).status).toBe(200);
    client.destroy();
  });

  test.each([
    [bodyBytesMax, 200],
    [bodyBytesMax + 1, 413],
  ])('%i bytes in chunks: %i', async (bytes, status) => {
    const client = await rawClient(service.server.port);
    const body = bodyOf(bytes);
    await client.send(Buffer.concat([head, Buffer.from(chunk(body.slice(0, 100_000)))]));
    await client.send(`${chunk(body.slice(100_000))}0\r\n\r\n`);
    expect((await client.answer()).status).toBe(status);
    client.destroy();
  });

  test('a stream without an end is answered as soon as it is over the limit', async () => {
    const client = await rawClient(service.server.port);
    await client.send(Buffer.concat([head, Buffer.from(chunk('x'.repeat(bodyBytesMax + 1)))]));
    expect((await client.answer()).status).toBe(413);
    client.destroy();
  });

  test('the token comes first: a stranger’s large body is answered 401', async () => {
    const answer = await scan(service, bodyOf(bodyBytesMax + 1), { authorization: null });
    expect(answer.status).toBe(401);
  });
});

/** By Node's own client, which sees nothing but an error where its connection is reset before it has written all. */
describe('a chunked body that is refused is read to its end, and the answer arrives', () => {
  const piece = Buffer.alloc(65_536, 'x');
  async function sent(method: string, path: string, headers: Record<string, string>, pieces: number): Promise<number> {
    const asked = request(service.url + path, {
      method,
      headers: { authorization: 'Bearer everything', 'transfer-encoding': 'chunked', ...headers },
    });
    const answered = once(asked, 'response');
    await pipeline(Readable.from(Array.from({ length: pieces }, () => piece)), asked);
    const [answer] = await answered;
    answer.resume();
    expect(answer.headers.connection).toBe('close');
    return answer.statusCode;
  }

  const json = { 'content-type': 'application/json' };
  test.each<[string, number, string, string, Record<string, string>]>([
    ['a wrong token', 401, 'POST', '/api/v1/guard', { authorization: 'Bearer nobody' }],
    ['a token without the scope', 403, 'POST', '/api/v1/guard', { authorization: 'Bearer reader' }],
    ['no content type', 415, 'POST', '/api/v1/guard', {}],
    ['too many bytes', 413, 'POST', '/api/v1/guard', json],
    ['no such path', 404, 'POST', '/nowhere', {}],
    ['another method', 405, 'PUT', '/api/v1/guard', {}],
    ['no body wanted', 200, 'GET', '/api/v1/policies', {}],
  ])('%s: %i', async (_name, status, method, path, headers) => {
    for (const pieces of [5, 50, 500]) expect(await sent(method, path, headers, pieces)).toBe(status);
    await expect.poll(inFlight).toBe(0);
    expect(service.guard.scans).toEqual([]);
  });

  const framed = chunk(piece.toString());
  test('but not for ever: one without an end is answered all the same', async () => {
    // By its bytes, not by a pause of half a second, which a busy machine makes in it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = await rawClient(service.server.port);
    await client.send(requestBytes('POST /api/v1/guard', { headers: ['Transfer-Encoding: chunked'] }));
    let isAnswered = false;
    const answer = client.answer().finally(() => {
      isAnswered = true;
    });
    let bytes = 0;
    for (; !isAnswered && bytes < limits.unreadBodyBytesMax * 2; bytes += piece.length) await client.send(framed);
    expect((await answer).status).toBe(415);
    expect(bytes).toBeGreaterThan(limits.unreadBodyBytesMax);
    client.destroy();
  });

  test('and nothing of it counts among the bodies that are held', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => rawClient(service.server.port)));
    await Promise.all(
      clients.map(async (client) => {
        await client.send(head);
        for (let count = 0; count < 5; count++) await client.send(framed);
      }),
    );
    expect((await scan(service, bodyOf(bodyBytesMax))).status).toBe(200);
    for (const client of clients) expect((await client.answer()).status).toBe(413);
    for (const client of clients) client.destroy();
  });
});

describe('bodies in pieces', () => {
  const content = 'é漢🙂'.repeat(500);
  const text = Buffer.from(JSON.stringify(message(content)));

  test('byte by byte, also within a character', async () => {
    const client = await rawClient(service.server.port);
    const small = Buffer.from(JSON.stringify(message('é🙂')));
    const request = requestBytes('POST /api/v1/guard', { body: small });
    await client.send(request.subarray(0, request.length - small.length));
    for (const byte of small) await client.send(Uint8Array.of(byte));
    expect((await client.answer()).status).toBe(200);
    expect(service.guard.scans[0].messages[0].content).toBe('é🙂');
    client.destroy();
  });

  test('in chunks of uneven size, several in one packet', async () => {
    const client = await rawClient(service.server.port);
    const pieces: Buffer[] = [];
    for (let at = 0, size = 1; at < text.length; at += size, size = (size * 7) % 97) {
      const piece = text.subarray(at, at + size);
      pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    }
    await client.send(head);
    await client.send(Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]));
    expect((await client.answer()).status).toBe(200);
    expect(service.guard.scans[0].messages[0].content).toBe(content);
    client.destroy();
  });

  test('after 100 Continue', async () => {
    const client = await rawClient(service.server.port);
    const request = requestBytes('POST /api/v1/guard', { body: text, headers: ['Expect: 100-continue'] });
    await client.send(request.subarray(0, request.length - text.length));
    expect((await client.answer()).status).toBe(100);
    await client.send(text);
    expect((await client.answer()).status).toBe(200);
    client.destroy();
  });

  test('a body that is refused at its head is refused also after the library’s 100 Continue', async () => {
    const client = await rawClient(service.server.port);
    const request = requestBytes('POST /api/v1/guard', {
      body: text,
      authorization: null,
      headers: ['Expect: 100-continue'],
    });
    await client.send(request.subarray(0, request.length - text.length));
    expect((await client.answer()).status).toBe(100);
    expect((await client.answer()).status).toBe(401);
    client.destroy();
  });

  test('a body on GET is not taken for the next request', async () => {
    const client = await rawClient(service.server.port);
    await client.send(requestBytes('GET /livez', { body: requestBytes('GET /nowhere') }));
    await client.send(requestBytes('GET /readyz'));
    expect([(await client.answer()).body, (await client.answer()).body]).toEqual([
      '{"status":"live"}',
      '{"status":"ready","reasons":[]}',
    ]);
    client.destroy();
  });
});

describe('clients that leave', () => {
  async function untilIdle(): Promise<void> {
    while ((await inFlight()) > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  test.each<[string, (client: RawClient) => Promise<void>]>([
    [
      'in the middle of an announced body',
      (client) => client.send(requestBytes('POST /api/v1/guard', { body: bodyOf(9_000) }).subarray(0, 500)),
    ],
    ['in the middle of a chunk', (client) => client.send(Buffer.concat([head, Buffer.from('ff\r\nabc')]))],
    ['before the body', (client) => client.send(head)],
  ])('%s: no scan runs and the service goes on', async (_name, begin) => {
    const client = await rawClient(service.server.port);
    await begin(client);
    while ((await inFlight()) === 0) await new Promise((resolve) => setImmediate(resolve));
    client.destroy();
    await untilIdle();
    expect(service.guard.scans).toHaveLength(0);
    expect((await scan(service, message('x'))).status).toBe(200);
  });

  test('while their scan runs: its late answer is dropped', async () => {
    const client = await rawClient(service.server.port);
    await client.send(requestBytes('POST /api/v1/guard', { body: message('held') }));
    while (service.guard.scans.length === 0) await new Promise((resolve) => setImmediate(resolve));
    client.destroy();
    await untilIdle();
    expect(service.guard.scans[0].abandoned?.().aborted, 'who asks only now is told, too').toBe(true);
    expect(service.guard.release()).toBe(1);
    expect((await scan(service, message('x'))).status).toBe(200);
    expect(await service.metrics.render()).toMatch(
      /^merlon_http_requests_total\{route="\/api\/v1\/guard",method="POST",status="aborted"\} [1-9]/m,
    );
  });

  test.each(['/api/v1/guard', '/api/v1/guard/explain'])('%s: whoever works for them is told', async (path) => {
    const signals: (AbortSignal | undefined)[] = [];
    const explained = await startService({
      explain: (_principal, { abandoned }) => {
        signals.push(abandoned?.());
        return new Promise(() => {});
      },
    });
    const client = await rawClient(explained.server.port);
    await client.send(requestBytes(`POST ${path}`, { body: message('held') }));
    await expect.poll(() => explained.guard.scans.length + signals.length).toBe(1);
    const signal = signals[0] ?? explained.guard.scans[0].abandoned?.();
    expect(signal?.aborted).toBe(false);
    client.destroy();
    await expect.poll(() => signal?.aborted).toBe(true);
    explained.server.close();
  });

  test('without reading a large answer', async () => {
    const client = await rawClient(service.server.port);
    await client.send(
      requestBytes('POST /api/v1/guard', { body: { ...message('attack '.repeat(40_000)), payload: true } }),
    );
    while (service.guard.scans.length === 0) await new Promise((resolve) => setImmediate(resolve));
    client.destroy();
    await untilIdle();
    expect((await ask(service, 'GET /livez')).status).toBe(200);
  });
});

test('more bodies at once than there is memory for: one is answered 503, the others are served', async () => {
  const part = requestBytes('POST /api/v1/guard', { body: bodyOf(bodyBytesMax) }).subarray(0, -1);
  const clients = await Promise.all(Array.from({ length: 4 }, () => rawClient(service.server.port)));
  await Promise.all(clients.map((client) => client.send(part)));
  const answers = clients.map((client, index) => client.answer().then((answer) => ({ answer, index })));
  const refused = await Promise.race(answers);
  expect(refused.answer.status).toBe(503);
  expect(refused.answer.headers.get('retry-after')).toBe('1');
  const others = clients.filter((_client, index) => index !== refused.index);
  await Promise.all(others.map((client) => client.send('}')));
  const statuses = (await Promise.all(answers)).map(({ answer }) => answer.status);
  expect(statuses.sort()).toEqual([200, 200, 200, 503]);
  for (const client of clients) client.destroy();
  expect((await scan(service, bodyOf(bodyBytesMax))).status).toBe(200);
});

test('a buffer grows from any announcement and keeps every byte', () => {
  for (const expected of [undefined, 0, 1, 5, 1_000_000]) {
    const buffer = new BodyBuffer(expected);
    const all = Uint8Array.from({ length: 40_000 }, (_, index) => index % 251);
    for (let at = 0; at < all.length; at += 777) buffer.add(all.subarray(at, at + 777));
    expect(buffer.length).toBe(all.length);
    expect(Buffer.compare(buffer.view(), all)).toBe(0);
  }
});
