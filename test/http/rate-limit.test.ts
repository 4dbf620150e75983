import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { createRateLimit } from '../../src/guard/rate-limit.js';
import { askMcp, startMcp } from '../mcp/fixture.js';
import { handshake, modern } from '../mcp/messages.js';
import { type Asked, ask, message, type RawAnswer, type Service } from './fixture.js';

/** Requests of a day, so that none comes back while the tests run. */
const requests = 6;
let service: Service;
beforeAll(async () => {
  service = await startMcp({ rateLimit: createRateLimit({ requests, seconds: 86_400 }) });
});
afterAll(() => service.server.close());

const scanCall = { name: 'scan_with_guard', arguments: { messages: [{ content: 'x' }] } };
/** A key of the client's own without a prefix is for the protocol library to judge. */
const unusualCall = { ...scanCall, _meta: { own: 1 } };

const kinds: readonly (() => Promise<RawAnswer>)[] = [
  () => ask(service, 'POST /api/v1/guard', { body: message('x') }),
  () => ask(service, 'GET /api/v1/policies'),
  () => askMcp(service, handshake('tools/call', scanCall)),
  () => ask(service, 'POST /api/v1/guard', { body: message('later: x') }),
  () => askMcp(service, handshake('tools/call', unusualCall)),
  () => askMcp(service, modern('tools/call', scanCall)),
];

test('REST and MCP spend the same rate; beyond it both are 429 and say when to try again', async () => {
  for (const [index, kind] of kinds.entries()) {
    const { status, headers } = await kind();
    expect(status).toBe(200);
    expect(headers.get('ratelimit-policy')).toBe('"token";q=6;w=86400');
    const [, left, reset] = /^"token";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
    expect(Number(left)).toBe(requests - 1 - index);
    // Less the little time that the test has taken.
    expect(14_400 * (index + 1) - Number(reset)).toBeLessThan(60);
  }
  service.guard.scans.length = 0;
  for (const [index, kind] of kinds.entries()) {
    const { status, headers, body } = await kind();
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(14_000);
    expect(headers.get('ratelimit')).toMatch(/^"token";r=0;t=8\d{4}$/);
    const isMcp = [2, 4, 5].includes(index);
    const { error } = JSON.parse(body);
    if (isMcp) expect(error).toMatchObject({ code: 429, data: { type: 'urn:merlon:problem:rate_limited' } });
    else expect(JSON.parse(body)).toMatchObject({ type: 'urn:merlon:problem:rate_limited', status: 429 });
    if (isMcp) expect(JSON.parse(body).id).toBe(1);
  }
  expect(service.guard.scans).toEqual([]);
});

test.each<[number, string, Asked]>([
  [400, 'POST /api/v1/guard', { body: '{' }],
  [404, 'POST /api/v1/guard', { body: { ...message('x'), app_uuid: '00000000-0000-4000-8000-000000000000' } }],
  [404, 'GET /api/v1/profiles/none', {}],
  [413, 'POST /api/v1/guard', { body: 'x'.repeat(5_000) }],
  [415, 'POST /api/v1/guard', { body: 'x', contentType: 'text/plain' }],
  [422, 'POST /api/v1/guard', { body: {} }],
  [422, 'GET /api/v1/policies?x=1', {}],
  [500, 'POST /api/v1/guard', { body: message('explode') }],
  [500, 'POST /api/v1/guard', { body: message('explode-later') }],
  [503, 'POST /api/v1/guard', { body: message('overload') }],
])('an error tells the rate, too, that it has spent: %i to %s', async (status, line, asked) => {
  const rateLimit = createRateLimit({ requests, seconds: 86_400 });
  const own = await startMcp({ rateLimit, bodyBytesMax: 4_000 });
  const answer = await ask(own, line, asked);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('ratelimit-policy')).toBe('"token";q=6;w=86400');
  expect(answer.headers.get('ratelimit')).toMatch(/^"token";r=5;t=\d+$/);
  own.server.close();
});

test('who has no valid token, and who needs none, is not counted', async () => {
  for (let count = 0; count < requests * 2; count++) {
    expect((await ask(service, 'GET /livez')).status).toBe(200);
    expect((await ask(service, 'GET /api/v1/policies', { authorization: 'Bearer unknown' })).status).toBe(401);
  }
});

test('too many attempts to sign in are 429 with the rate that was spent', async () => {
  const body = { email: 'ada@example.org', password: 'wrong' };
  const attempt = () => ask(service, 'POST /api/v1/session', { body, authorization: null });
  for (let count = 0; count < limits.signInsPerEmailMax; count++) expect((await attempt()).status).toBe(401);
  const { status, headers } = await attempt();
  expect(status).toBe(429);
  const wait = Number(headers.get('retry-after'));
  expect(wait).toBeGreaterThan(800);
  expect(headers.get('ratelimit-policy')).toBe('"sign-in";q=10;w=900');
  expect(headers.get('ratelimit')).toBe(`"sign-in";r=0;t=${wait}`);
});
