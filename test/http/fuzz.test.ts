import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, message, rawClient, requestBytes, type Service, startService } from './fixture.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ bodyBytesMax: 5_000 });
});
afterAll(() => service.server.close());

/** Bytes on one connection, a client that reads what comes and leaves; then the service must still answer others. */
async function survives(pieces: readonly Uint8Array[]): Promise<void> {
  const client = await rawClient(service.server.port);
  for (const piece of pieces) await client.send(piece);
  client.destroy();
  expect((await ask(service, 'GET /livez')).status).toBe(200);
}

test('random bytes do no harm', async () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 4 });
  await fc.assert(fc.asyncProperty(pieces, survives), { numRuns: 150 });
});

test('damaged requests do no harm, wherever they are cut into packets', async () => {
  const whole = Buffer.concat([
    requestBytes('POST /api/v1/guard', { body: { ...message('later: attack'), payload: true } }),
    requestBytes('POST /api/v1/guard', {
      headers: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    }),
    Buffer.from('5\r\n{"mes\r\n0\r\n\r\n'),
    requestBytes('GET /metrics'),
  ]);
  const position = fc.integer({ min: 0, max: whole.length - 1 });
  const damage = fc.array(fc.tuple(position, fc.integer({ min: 0, max: 255 })), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(damage, fc.array(position, { maxLength: 4 }), async (changes, cuts) => {
      const damaged = Uint8Array.from(whole);
      for (const [at, byte] of changes) damaged[at] = byte;
      const ends = [...cuts, damaged.length].sort((one, other) => one - other);
      await survives(ends.map((end, index) => damaged.subarray(index === 0 ? 0 : ends[index - 1], end)));
    }),
    { numRuns: 200 },
  );
  expect(service.logged.filter((line) => line.includes('request failed'))).toEqual([]);
});

test('bodies that are damaged JSON are 200, 400 or 422, never 500', async () => {
  const text = JSON.stringify({ ...message('attack: "é🙂"'), payload: true, project_id: 'p' });
  const whole = Buffer.from(text);
  const statuses = new Set<number>();
  const change = fc.tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 3 }), async (changes) => {
      const body = Uint8Array.from(whole);
      for (const [at, byte] of changes) body[at] = byte;
      const { status } = await ask(service, 'POST /api/v1/guard', { body });
      statuses.add(status);
    }),
    { numRuns: 300 },
  );
  expect([...statuses].sort()).toEqual([200, 400, 422]);
});
