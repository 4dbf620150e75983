import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Route } from '../../src/api/route.js';
import { headBytesMax } from '../../src/http/uws-library.js';
import { message, rawClient, requestBytes, type Service, startService } from './fixture.js';

/**
 * What can be done to a connection with bytes that no client library would send. The scan that is hidden behind a
 * request of unclear length would be seen by the guard as `smuggled`; no answer to it may appear either.
 */

let service: Service;
beforeAll(async () => {
  // No turn is too old to answer at once: what happens to pipelining where one is, `overload.test.ts` tells.
  service = await startService({ admission: { turnUs: Number.MAX_SAFE_INTEGER } });
});
afterAll(() => service.server.close());
beforeEach(() => {
  service.guard.scans.length = 0;
});

const body = JSON.stringify(message('front'));
const chunkedBody = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const smuggled = requestBytes('POST /api/v1/guard', { body: message('smuggled') }).toString();
const length = `Content-Length: ${body.length}`;

function post(headers: readonly string[], rest: string): string {
  const common = ['POST /api/v1/guard HTTP/1.1', 'Authorization: Bearer everything', 'Content-Type: application/json'];
  return `${[...common, ...headers].join('\r\n')}\r\n\r\n${rest}`;
}

const host = 'Host: merlon';
const ambiguous: [string, string][] = [
  ['two lengths', post([host, length, `Content-Length: ${body.length + smuggled.length}`], body)],
  ['two lengths, the longer first', post([host, `Content-Length: ${body.length}0`, length], body)],
  ['one length twice', post([host, length, length], body)],
  ['a list of lengths', post([host, `Content-Length: ${body.length}, ${body.length}`], body)],
  ['a signed length', post([host, `Content-Length: +${body.length}`], body)],
  ['a hexadecimal length', post([host, 'Content-Length: 0x10'], body)],
  ['an empty length', post([host, 'Content-Length:'], body)],
  ['a length beyond all bounds', post([host, 'Content-Length: 99999999999999999999'], body)],
  ['length before coding', post([host, length, 'Transfer-Encoding: chunked'], chunkedBody)],
  ['coding before length', post([host, 'Transfer-Encoding: chunked', length], chunkedBody)],
  ['an unknown coding', post([host, 'Transfer-Encoding: xchunked'], chunkedBody)],
  ['a list of codings', post([host, 'Transfer-Encoding: gzip, chunked'], chunkedBody)],
  ['the coding twice', post([host, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunkedBody)],
  ['the identity coding', post([host, 'Transfer-Encoding: identity'], '')],
  ['two hosts', post([host, host, length], body)],
  ['two different hosts', post([host, 'Host: other', length], body)],
  ['a list of hosts', post(['Host: merlon, other', length], body)],
];

describe('a request of unclear length or host', () => {
  test.each(ambiguous)('%s: is refused and the connection ends', async (_name, request) => {
    const client = await rawClient(service.server.port);
    await client.send(request);
    const text = await client.closed();
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toMatch(/\r\nConnection: close\r\n/);
    expect(text).not.toContain('flagged');
    expect(service.guard.scans).toHaveLength(0);
  });

  test.each(ambiguous)('%s: nothing behind it runs', async (_name, request) => {
    const client = await rawClient(service.server.port);
    await client.send(request + smuggled);
    const text = await client.closed();
    expect(text).not.toContain('flagged');
    expect(text.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(service.guard.scans).toHaveLength(0);
  });

  test.each(ambiguous)('%s: nothing that arrives later runs', async (_name, request) => {
    const client = await rawClient(service.server.port);
    await client.send(request);
    await client.send(smuggled);
    expect(await client.closed()).not.toContain('flagged');
    expect(service.guard.scans).toHaveLength(0);
  });

  test('is told what is wrong as a problem where we find it ourselves', async () => {
    const client = await rawClient(service.server.port);
    await client.send(post([host, length, length, 'X-Request-Id: r-1'], body));
    const answer = await client.answer();
    expect(JSON.parse(answer.body)).toEqual({
      type: 'urn:merlon:problem:malformed_request',
      title: 'Malformed request',
      status: 400,
      detail: 'Content-Length must be one whole number.',
      request_id: 'r-1',
    });
    expect(answer.headers.get('x-request-id')).toBe('r-1');
  });
});

/** The library takes the two bytes behind the last chunk as they come, and the rest for another request. */
describe('what follows the last chunk', () => {
  const chunked = post([host, 'Transfer-Encoding: chunked'], chunkedBody.slice(0, -2));
  const hidden: [string, string][] = [
    ['no line end', 'XX'],
    ['a trailer', 'X: y\r\n\r\n'],
    ['a request in its place', ''],
    ['another request', '\r\n'],
  ];
  test.each(hidden)('%s: nothing of it runs', async (_name, between) => {
    const client = await rawClient(service.server.port);
    await client.send(chunked + between + smuggled);
    expect((await client.closed()).match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(service.guard.scans.map(({ messages }) => messages[0].content)).not.toContain('smuggled');
  });

  test.each(hidden)('%s: nothing of it runs that arrives later', async (_name, between) => {
    const client = await rawClient(service.server.port);
    await client.send(chunked + between);
    await client.send(smuggled);
    expect((await client.closed()).match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(service.guard.scans.map(({ messages }) => messages[0].content)).not.toContain('smuggled');
  });

  test('is refused without an answer of its own, where the request itself was refused', async () => {
    const client = await rawClient(service.server.port);
    await client.send(`${chunked.replace('Bearer everything', 'Bearer nothing')}\r\n${smuggled}`);
    expect((await client.closed()).match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(service.guard.scans).toHaveLength(0);
  });

  test('is nothing: the scan is answered, and the connection ends', async () => {
    const client = await rawClient(service.server.port);
    await client.send(`${chunked}\r\n`);
    const text = await client.closed();
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toMatch(/\r\nConnection: close\r\n/);
    expect(service.guard.scans).toHaveLength(1);
  });
});

describe('heads that the library refuses', () => {
  test.each([
    ['HTTP/1.0', 'GET /livez HTTP/1.0\r\nHost: merlon\r\n\r\n', 505],
    ['the absolute form', 'GET http://merlon/livez HTTP/1.1\r\nHost: merlon\r\n\r\n', 505],
    ['a tunnel', 'CONNECT merlon:443 HTTP/1.1\r\nHost: merlon\r\n\r\n', 505],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\r\n\r\n', 505],
    ['a head over the limit', `GET /livez HTTP/1.1\r\nHost: merlon\r\nX: ${'x'.repeat(headBytesMax)}\r\n\r\n`, 431],
    ['very many headers', `GET /livez HTTP/1.1\r\nHost: merlon\r\n${'X: y\r\n'.repeat(500)}\r\n`, 431],
    ['a chunk of no size', post([host, 'Transfer-Encoding: chunked'], 'zz\r\nabc\r\n'), 400],
  ])('%s: %3$i', async (_name, request, status) => {
    const client = await rawClient(service.server.port);
    await client.send(request);
    expect(await client.closed()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(service.guard.scans).toHaveLength(0);
  });

  test('a head under the limit is served', async () => {
    const client = await rawClient(service.server.port);
    await client.send(`GET /livez HTTP/1.1\r\nHost: merlon\r\nX: ${'x'.repeat(headBytesMax - 2_000)}\r\n\r\n`);
    expect((await client.answer()).status).toBe(200);
    client.destroy();
  });
});

/** The library waits for what it takes to be the rest of a head, and hangs up after some ten seconds. */
describe.concurrent('what never becomes a request is hung up on', () => {
  test.each([
    ['no host', `GET /livez HTTP/1.1\r\n\r\n`],
    ['a space before the colon', `GET /livez HTTP/1.1\r\nHost: merlon\r\nTransfer-Encoding : chunked\r\n\r\n`],
    ['a folded header', `GET /livez HTTP/1.1\r\nHost: merlon\r\nX: a\r\n b\r\n\r\n`],
    ['half a head', `GET /livez HTTP/1.1\r\nHost: mer`],
    ['half a body', post([host, length], body.slice(0, 5))],
  ])('%s', async (_name, request) => {
    const client = await rawClient(service.server.port);
    await client.send(request);
    expect(await client.closed()).toBe('');
  });
});

describe('one request behind another', () => {
  test('those that are answered at once are all answered, in order', async () => {
    const client = await rawClient(service.server.port);
    const requests = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? requestBytes('POST /api/v1/guard', { body: message('x'), headers: [`X-Request-Id: ${index}`] })
        : requestBytes('GET /api/v1/policies', { headers: [`X-Request-Id: ${index}`] }),
    );
    // However often: on a service that is not busy with others no request is put off.
    for (let round = 0; round < 3; round++) {
      await client.send(Buffer.concat(requests));
      for (let index = 0; index < requests.length; index++) {
        const answer = await client.answer();
        expect(answer.status).toBe(200);
        expect(answer.headers.get('x-request-id')).toBe(String(index));
      }
    }
    client.destroy();
  });

  test('an error in between does not end the connection', async () => {
    const client = await rawClient(service.server.port);
    const wrong = requestBytes('POST /api/v1/guard', { body: '{', authorization: null });
    await client.send(Buffer.concat([wrong, requestBytes('GET /nowhere'), requestBytes('GET /livez')]));
    expect([await client.answer(), await client.answer(), await client.answer()].map(({ status }) => status)).toEqual([
      401, 404, 200,
    ]);
    client.destroy();
  });

  test.each(['later', 'held'])('one behind a scan that is "%s" does not hang: the connection ends', async (content) => {
    const client = await rawClient(service.server.port);
    const first = requestBytes('POST /api/v1/guard', { body: message(content) });
    await client.send(Buffer.concat([first, requestBytes('GET /livez')]));
    expect(await client.closed()).toBe('');
    service.guard.release();
  });

  test('after a scan in a later turn the connection goes on', async () => {
    const client = await rawClient(service.server.port);
    for (const content of ['later', 'now', 'later']) {
      await client.send(requestBytes('POST /api/v1/guard', { body: message(content) }));
      expect((await client.answer()).status).toBe(200);
    }
    client.destroy();
  });
});

/** Text that is as long as wanted, or nothing but its head. */
const textRoute = (path: string, length: number, status = 200): Route => ({
  method: 'GET',
  path,
  whileDraining: false,
  open: () => ({ status, contentType: 'text/plain', body: 'x'.repeat(length), headers: [] }),
});
const longRoute: Route = { ...textRoute('/long', 3_000_000), method: 'POST', open: () => () => longAnswer };
const longAnswer = { status: 200, contentType: 'text/plain', body: 'x'.repeat(3_000_000), headers: [] };

describe('an answer without a body', () => {
  test.each([
    ['HEAD /livez', 200],
    ['HEAD /text', 200],
    ['HEAD /api/v1/guard', 405],
    ['HEAD /nowhere', 404],
    ['GET /unchanged', 304],
  ])('%s: the connection goes on behind it', async (line, status) => {
    const own = await startService({ moreRoutes: [textRoute('/text', 100_000), textRoute('/unchanged', 500, 304)] });
    const client = await rawClient(own.server.port);
    await client.send(requestBytes(line));
    const answer = await client.answer('head');
    expect(answer.status).toBe(status);
    if (line === 'HEAD /text') expect(answer.headers.get('content-length')).toBe('100000');
    await client.send(requestBytes('POST /api/v1/guard', { body: message('behind it') }));
    expect((await client.answer()).status).toBe(200);
    expect(own.guard.scans.map(({ messages }) => messages[0].content)).toEqual(['behind it']);
    client.destroy();
    own.server.close();
  });

  test.each(['Connection: close', 'Transfer-Encoding: chunked'])('%s: it ends', async (header) => {
    const client = await rawClient(service.server.port);
    await client.send(`HEAD /livez HTTP/1.1\r\n${host}\r\n${header}\r\n\r\n0\r\n\r\n`);
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('a long answer to a chunked request', () => {
  test('is whole, read at once or late, and nothing that arrives behind it runs', async () => {
    const own = await startService({ moreRoutes: [longRoute] });
    const request = post([host, 'Transfer-Encoding: chunked'], chunkedBody).replace('/api/v1/guard', '/long');
    const read = async (pauseMs: number) => {
      const client = await rawClient(own.server.port);
      if (pauseMs > 0) client.pause();
      await client.send(request);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      client.resume();
      const answer = await client.answer();
      expect(answer.headers.get('connection')).toBe('close');
      expect(answer.body === longAnswer.body).toBe(true);
      await client.send(smuggled);
      await client.send(smuggled);
      return client.closed();
    };
    for (const behind of await Promise.all([0, 200, 1_000].map(read))) expect(behind).toBe('');
    expect(own.guard.scans).toEqual([]);
    own.server.close();
  }, 30_000);
});
