import { stat } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Route } from '../../src/api/route.js';
import { createRouteTable } from '../../src/http/route-table.js';
import { systemClock } from '../../src/telemetry/clock.js';
import { createLogger } from '../../src/telemetry/log.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { ask, message, rawClient, requestBytes, type Service, scan, startHttp, startService } from './fixture.js';

const services: Service[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const { server } of services.splice(0)) server.close();
});

async function start(settings: Parameters<typeof startService>[0] = {}): Promise<Service> {
  const service = await startService(settings);
  services.push(service);
  return service;
}

describe('what everybody may ask', () => {
  test('livez', async () => {
    const answer = await ask(await start(), 'GET /livez', { authorization: null });
    expect([answer.status, answer.body]).toEqual([200, '{"status":"live"}']);
  });

  test.each([
    ['ready', [], 200],
    ['degraded', ['The store cannot be written.'], 200],
    ['unavailable', ['No rules are loaded.'], 503],
  ] as const)('readyz: %s', async (status, reasons, code) => {
    const service = await start();
    service.health = { status, reasons };
    const answer = await ask(service, 'GET /readyz', { authorization: null });
    expect(answer.status).toBe(code);
    expect(answer.body).toBe(JSON.stringify({ status, reasons }));
    expect(answer.headers.get('retry-after')).toBe(code === 503 ? '1' : undefined);
  });

  test('metrics, in the text format, without what clients chose', async () => {
    const service = await start();
    await scan(service, message('sesame'));
    await ask(service, 'GET /sesame');
    await ask(service, 'SESAME /livez');
    const answer = await ask(service, 'GET /metrics', { authorization: null });
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.body).toMatch(/^merlon_http_requests_total\{route="unmatched",method="GET",status="404"\} 1$/m);
    expect(answer.body).toMatch(/^merlon_http_requests_total\{route="\/livez",method="other",status="405"\} 1$/m);
    expect(answer.body).toMatch(/^process_cpu_user_seconds_total /m);
    expect(answer.body.toLowerCase()).not.toContain('sesame');
  });
});

describe('draining', () => {
  test('finishes what runs, refuses what is new, then closes', async () => {
    const { server, guard } = await start();
    const running = await rawClient(server.port);
    await running.send(requestBytes('POST /api/v1/guard', { body: message('held') }));
    while (guard.scans.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const [idle, late, probe] = [
      await rawClient(server.port),
      await rawClient(server.port),
      await rawClient(server.port),
    ];

    const drained = server.drain();
    expect(server.drain()).toBe(drained);

    await late.send(requestBytes('POST /api/v1/guard', { body: message('late') }));
    const refused = await late.answer();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('connection')).toBe('close');
    expect(JSON.parse(refused.body)).toMatchObject({ type: 'urn:merlon:problem:draining', status: 503 });
    expect(await late.closed()).toBe('');

    await probe.send(requestBytes('GET /readyz', { authorization: null }));
    const ready = await probe.answer();
    expect([ready.status, ready.body]).toEqual([
      503,
      '{"status":"unavailable","reasons":["The service is shutting down."]}',
    ]);

    expect(guard.release()).toBe(1);
    const finished = await running.answer();
    expect([finished.status, finished.body]).toEqual([200, '{"flagged":false}']);
    expect(finished.headers.get('connection')).toBe('close');
    await drained;
    expect(await idle.closed()).toBe('');
    expect(guard.scans).toHaveLength(1);
    await expect(rawClient(server.port)).rejects.toThrow('ECONNREFUSED');
  });

  test('while draining: GET is refused, livez and metrics are served, a path that is not there is 404', async () => {
    const service = await start();
    const running = await rawClient(service.server.port);
    await running.send(requestBytes('POST /api/v1/guard', { body: message('held') }));
    while (service.guard.scans.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const drained = service.server.drain();
    const lines = ['GET /api/v1/policies', 'GET /livez', 'GET /metrics', 'GET /nowhere'];
    const answers = await Promise.all(lines.map((line) => ask(service, line)));
    expect(answers.map(({ status }) => status)).toEqual([503, 200, 200, 404]);
    const body = 'x'.repeat(20_000_000);
    for (const [line, status] of [['POST /api/v1/guard', 503] as const, ['POST /nowhere', 404] as const]) {
      expect((await ask(service, line, { body })).status, 'a body of any size is read before').toBe(status);
    }
    service.guard.release();
    await drained;
    running.destroy();
  });

  test('a request whose body is on its way is answered', async () => {
    const { server, metrics } = await start();
    const client = await rawClient(server.port);
    const request = requestBytes('POST /api/v1/guard', { body: message('attack') });
    await client.send(request.subarray(0, -5));
    while (!/^merlon_in_flight 1$/m.test(await metrics.render())) await new Promise((resolve) => setImmediate(resolve));
    const drained = server.drain();
    await client.send(request.subarray(-5));
    const answer = await client.answer();
    expect([answer.status, answer.body]).toEqual([200, '{"flagged":true}']);
    await drained;
    expect(await client.closed()).toBe('');
  });

  test('does not wait longer than it was told', async () => {
    const { server, guard, logged } = await start({ drainMs: 20 });
    const running = await rawClient(server.port);
    await running.send(requestBytes('POST /api/v1/guard', { body: message('held') }));
    while (guard.scans.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.drain();
    expect(await running.closed()).toBe('');
    expect(guard.release()).toBe(1);
    expect(logged.join('')).toContain('requests were cut off');
  });

  test('a large answer is written to its end', async () => {
    const { server, guard } = await start();
    const client = await rawClient(server.port);
    const body = { ...message(`held ${'attack '.repeat(60_000)}`), payload: true };
    await client.send(requestBytes('POST /api/v1/guard', { body }));
    while (guard.scans.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const drained = server.drain();
    guard.release();
    const answer = await client.answer();
    expect(JSON.parse(answer.body).payload).toHaveLength(60_000);
    await drained;
  });

  test('who has connected, but was not taken yet, is answered', async () => {
    const { server } = await start();
    const request = requestBytes('POST /api/v1/guard', { body: message('late') });
    const clients = Array.from({ length: 16 }, () => connect(server.port, '127.0.0.1'));
    const answers = clients.map(async (client) => {
      client.write(request);
      return (await client.toArray()).join('').slice(0, 'HTTP/1.1 503'.length);
    });
    // Handed to the kernel, which connects them without us.
    await new Promise((resolve) => process.nextTick(resolve));
    await server.drain();
    expect(await Promise.all(answers)).toEqual(clients.map(() => 'HTTP/1.1 503'));
  });

  test('what clients send meanwhile is refused, and no connection is reset', async () => {
    const { server } = await start();
    // Connections stay open for a tenth of a second: a busy machine may give this process no turn in it.
    vi.useFakeTimers({ toFake: ['performance'] });
    const clients = await Promise.all(Array.from({ length: 16 }, () => rawClient(server.port)));
    for (const client of clients) {
      await client.send(requestBytes('GET /livez'));
      await client.answer();
    }
    // After a read the loop does not look at sockets again before what `setImmediate` was given.
    await new Promise((resolve) => stat('.', resolve));
    const late = requestBytes('POST /api/v1/guard', { body: message('late') });
    const sent = clients.slice(8).map((client) => client.send(late));
    const drained = server.drain();
    await Promise.all(sent);
    // These have had an answer, and think about the next request.
    for (let turns = 0; turns < 4; turns++) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(clients.slice(0, 8).map((client) => client.send(late)));
    const answers = await Promise.all(clients.map((client) => client.answer()));
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 503));
    await drained;
  });

  test('nothing to wait for', async () => {
    const { server } = await start();
    await server.drain();
    server.close();
    await expect(rawClient(server.port)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('listening', () => {
  test('on a port that is taken is refused, and the first keeps all connections', async () => {
    const free = await start();
    const { port } = free.server;
    free.server.close();
    // Asked for by number: for port 0 the library never shares.
    const first = await start({ port });
    await expect(startService({ port })).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${port}: the port is in use by another process.`,
    );
    for (let index = 0; index < 5; index++) expect((await ask(first, 'GET /livez')).status).toBe(200);
  });

  test('on an address that is not ours is refused', async () => {
    await expect(startService({ host: '192.0.2.1' })).rejects.toThrow(
      'Cannot listen on 192.0.2.1:0: the address is not one of this machine.',
    );
  });

  test('a port that was closed can be taken again', async () => {
    const first = await start();
    first.server.close();
    const second = await start({ port: first.server.port });
    expect(second.server.port).toBe(first.server.port);
    expect((await ask(second, 'GET /livez')).status).toBe(200);
  });
});

describe('routes of others', () => {
  const answerOf = (body: string) => ({ status: 200, contentType: 'text/plain', body, headers: [] });
  const route = (method: Route['method'], path: string, body = path): Route => ({
    method,
    path,
    whileDraining: false,
    open: (head) =>
      method === 'GET' ? answerOf(`${body} ${head.path}`) : (bytes) => answerOf(`${body} ${bytes.length}`),
  });

  test.each([
    ['GET /files/a/b', 200, '/files/* /files/a/b'],
    ['GET /files/', 200, '/files/* /files/'],
    ['GET /files', 404, ''],
    ['GET /files/deep/x', 200, '/files/deep/* /files/deep/x'],
    ['POST /tool', 200, '/tool 3'],
    ['DELETE /tool', 405, ''],
    ['HEAD /files/a', 200, ''],
  ])('%s: %i', async (line, status, body) => {
    const moreRoutes = [route('GET', '/files/*'), route('GET', '/files/deep/*'), route('POST', '/tool')];
    const service = await start({ moreRoutes });
    const answer = await ask(service, line, line.startsWith('POST') ? { body: 'abc' } : {});
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toBe(body);
  });

  test('a header that is sent twice is seen joined, names in any case', async () => {
    const echo: Route = { ...route('GET', '/echo'), open: (head) => answerOf(head.header('x-thing') ?? 'none') };
    const service = await start({ moreRoutes: [echo] });
    const headers = ['X-Thing: a', 'x-thing:  b '];
    expect((await ask(service, 'GET /echo', { headers })).body).toBe('a, b');
    expect((await ask(service, 'GET /echo')).body).toBe('none');
  });

  test('a route that throws, early or late, is answered 500 and logged without its message', async () => {
    const thrown = () => new RangeError('sesame');
    const moreRoutes: Route[] = [
      {
        ...route('GET', '/early'),
        open: () => {
          throw thrown();
        },
      },
      { ...route('GET', '/late'), open: () => Promise.reject(thrown()) },
      {
        ...route('POST', '/body'),
        open: () => () => {
          throw thrown();
        },
      },
      { ...route('GET', '/odd'), open: () => Promise.reject('sesame') },
      {
        ...route('GET', '/bad-answer'),
        open: () => ({
          ...answerOf('x'),
          get headers(): never {
            throw thrown();
          },
        }),
      },
    ];
    const service = await start({ moreRoutes });
    for (const line of ['GET /early', 'GET /late', 'POST /body', 'GET /odd']) {
      const answer = await ask(service, line, line.startsWith('POST') ? { body: 'x' } : {});
      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.body)).toMatchObject({
        type: 'urn:merlon:problem:internal',
        detail: 'An internal error occurred.',
      });
    }
    await expect(ask(service, 'GET /bad-answer')).rejects.toThrow('The connection ended');
    expect(service.logged.filter((line) => line.includes('request failed'))).toHaveLength(5);
    expect(service.logged.join('')).toContain('RangeError');
    expect(service.logged.join('')).not.toContain('sesame');
    expect((await ask(service, 'GET /livez')).status).toBe(200);
  });

  test('two routes of one method and path are a mistake', () => {
    expect(() => createRouteTable([route('GET', '/a'), route('GET', '/a')])).toThrow('Two routes serve GET /a.');
  });

  test('the table starts without any', async () => {
    const log = createLogger({ level: 'silent' });
    const options = { host: '127.0.0.1', port: 0, routes: [], log, metrics: createMetrics(), clock: systemClock };
    const server = await startHttp(options);
    const client = await rawClient(server.port);
    await client.send(requestBytes('GET /'));
    expect((await client.answer()).status).toBe(404);
    client.destroy();
    server.close();
  });
});
