import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { message, type RawAnswer, rawClient, requestBytes, type Service, startService } from './fixture.js';

/*
 * A front end whose turns are over at once: of what one turn reads the first request is worked on, the second waits, and
 * all others are more than may wait.
 */
let service: Service;
beforeAll(async () => {
  service = await startService({ admission: { turnUs: 0, waitMsMax: 0, freeBytes: 0 } });
});
afterAll(() => service.server.close());
afterEach(() => {
  service.guard.scans.length = 0;
});

const clientsCount = 60;

/** Asks on as many connections at once, so that many are read in one turn. */
async function flood(line: string, content: string): Promise<readonly RawAnswer[]> {
  const clients = await Promise.all(Array.from({ length: clientsCount }, () => rawClient(service.server.port)));
  const request = requestBytes(line, line.startsWith('GET') ? {} : { body: message(content) });
  const answers = await Promise.all(
    clients.map(async (client) => {
      await client.send(request);
      return await client.answer();
    }),
  );
  for (const client of clients) client.destroy();
  return answers;
}

test('what cannot wait is refused as a problem that says when to try again, and nothing is scanned for it', async () => {
  const answers = await flood('POST /api/v1/guard', 'x');
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  expect(served.length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  expect(served.length + refused.length).toBe(clientsCount);
  expect(service.guard.scans).toHaveLength(served.length);
  for (const { headers, body } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ type: 'urn:merlon:problem:overloaded', status: 503 });
  }
});

test('a refusal leaves its connection in order', async () => {
  const clients = await Promise.all(Array.from({ length: clientsCount }, () => rawClient(service.server.port)));
  const request = requestBytes('POST /api/v1/guard', { body: message('x') });
  const ask = () =>
    Promise.all(
      clients.map(async (client) => {
        await client.send(request);
        return (await client.answer()).status;
      }),
    );
  const statuses = [...(await ask()), ...(await ask()), ...(await ask())];
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  for (const client of clients) client.destroy();
});

test('what comes without a body waits its turn, too, and is refused where that would be too long', async () => {
  const answers = await flood('GET /api/v1/guard/results', '');
  expect(answers.some(({ status }) => status === 503)).toBe(true);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});

test('what the machinery around the service asks is never refused', async () => {
  const [scans, probes] = await Promise.all([flood('POST /api/v1/guard', 'x'), flood('GET /livez', '')]);
  expect(scans.some(({ status }) => status === 503)).toBe(true);
  expect(probes.map(({ status }) => status)).toEqual(probes.map(() => 200));
});

test('who leaves while waiting is not scanned for, and leaves nothing behind', async () => {
  const clients = await Promise.all(Array.from({ length: clientsCount }, () => rawClient(service.server.port)));
  const request = requestBytes('POST /api/v1/guard', { body: message('x') });
  await Promise.all(clients.map((client) => client.send(request)));
  for (const client of clients) client.destroy();
  const { status } = await lastWord();
  expect(status).toBe(200);
  expect(service.metrics.read('in_flight')).toBe(0);
  expect(service.metrics.read('inline_queue')).toBe(0);
});

/** An answer that comes after everything that was sent before it. */
async function lastWord(): Promise<RawAnswer> {
  for (;;) {
    const client = await rawClient(service.server.port);
    await client.send(requestBytes('GET /livez'));
    const answer = await client.answer();
    client.destroy();
    // The connection that asks is in flight itself until its answer is handed over, not after.
    if (service.metrics.read('in_flight') === 0) return answer;
  }
}

test('a request behind one that waits ends the connection, as behind a scan in the pool', async () => {
  const clients = await Promise.all(Array.from({ length: clientsCount }, () => rawClient(service.server.port)));
  const two = Buffer.concat([requestBytes('POST /api/v1/guard', { body: message('x') }), requestBytes('GET /livez')]);
  const answers = await Promise.all(
    clients.map(async (client) => {
      await client.send(two);
      return await client.answer().then(
        ({ status }) => status,
        () => 'ended',
      );
    }),
  );
  for (const client of clients) client.destroy();
  expect(answers).toContain('ended');
  expect(answers).toContain(503);
});

/** Hidden in a body, as a smuggler would. */
const hidden = requestBytes('GET /api/v1/version').toString();
const whole = requestBytes('POST /api/v1/guard', { body: hidden }).toString();
const head = whole.slice(0, -hidden.length);
const inChunks = head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');

test.each([
  { how: 'with its head', first: whole, rest: [] },
  { how: 'in two parts', first: head, rest: [hidden.slice(0, 30), hidden.slice(30)] },
])('a body that comes $how is not waited for to refuse it, and never read as a request', async ({ first, rest }) => {
  const full = await startService({ admission: { waitMsMax: -1, freeBytes: -1 } });
  const client = await rawClient(full.server.port);
  for (let round = 0; round < 3; round++) {
    await client.send(first);
    expect((await client.answer()).status).toBe(503);
    for (const part of rest) await client.send(part);
    await client.send(requestBytes('GET /livez'));
    expect(JSON.parse((await client.answer()).body)).toEqual({ status: 'live' });
  }
  expect(full.guard.scans).toEqual([]);
  client.destroy();
  full.server.close();
});

test('long answers that clients do not read are bounded, too: beyond it the next one is a 503', async () => {
  const few = await startService({ bodiesInFlightBytesMax: 20_000_000 });
  const long = requestBytes('POST /api/v1/guard', {
    body: { messages: [{ role: 'user', content: 'attack '.repeat(100_000) }], payload: true },
  });
  const lazy = await Promise.all([rawClient(few.server.port), rawClient(few.server.port)]);
  for (const [at, client] of lazy.entries()) {
    client.pause();
    await client.send(long);
    await expect.poll(() => few.guard.scans.length).toBe(at + 1);
  }
  const next = await rawClient(few.server.port);
  await next.send(long);
  expect((await next.answer()).status).toBe(503);
  for (const client of lazy) client.destroy();
  await expect.poll(() => few.metrics.read('in_flight')).toBe(0);
  await next.send(long);
  expect((await next.answer()).status, 'room is given back').toBe(200);
  next.destroy();
  few.server.close();
});

test('a body that comes chunked is not waited for to refuse it, and ends its connection', async () => {
  const full = await startService({ admission: { waitMsMax: -1, freeBytes: -1 } });
  const client = await rawClient(full.server.port);
  await client.send(inChunks);
  const answer = await client.answer();
  expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close']);
  await client.send(`${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`);
  await client.send(requestBytes('GET /livez'));
  expect(await client.closed()).not.toContain('live');
  expect(full.guard.scans).toEqual([]);
  full.server.close();
});

test('on a busy service, where requests are answered together, each connection gets its own answers', async () => {
  const busy = await startService();
  const clients = await Promise.all(Array.from({ length: clientsCount }, () => rawClient(busy.server.port)));
  const scan = busy.guard.scan.bind(busy.guard);
  let waited = 0;
  const spy = vi.spyOn(busy.guard, 'scan').mockImplementation((...call) => {
    waited = Math.max(waited, busy.metrics.read('inline_queue'));
    return scan(...call);
  });
  const ask = async (client: (typeof clients)[number], id: string): Promise<string | undefined> => {
    await client.send(requestBytes('POST /api/v1/guard', { body: message('x'), headers: [`X-Request-Id: ${id}`] }));
    const { status, headers } = await client.answer();
    expect(status).toBe(200);
    return headers.get('x-request-id');
  };
  for (let round = 0; round < 20; round++) {
    const ids = clients.map((_, index) => `${round}-${index}`);
    expect(await Promise.all(clients.map((client, index) => ask(client, ids[index])))).toEqual(ids);
  }
  expect(spy).toHaveBeenCalledTimes(20 * clientsCount);
  expect(waited).toBeGreaterThan(5);
  const rendered = await busy.metrics.render();
  const [timed, answered] = ['parse', 'answer'].map((stage) =>
    Number(new RegExp(`^merlon_stage_duration_seconds_count{stage="${stage}"} (\\d+)$`, 'm').exec(rendered)?.[1]),
  );
  expect(timed).toBeGreaterThan(20);
  expect(answered).toBe(timed);
  for (const client of clients) client.destroy();
  busy.server.close();
});
