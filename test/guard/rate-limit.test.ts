import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Principal } from '../../src/domain/identity.js';
import { limits } from '../../src/domain/limits.js';
import type { Rate } from '../../src/domain/rate.js';
import { createRateLimit } from '../../src/guard/rate-limit.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function caller(credentialId: string, via: Principal['via'] = 'token'): Principal {
  return { via, credentialId, userId: 'u', organizationId: 'o', role: 'admin', scopes: [], profileId: 'default' };
}

test.each<[string, Rate, number]>([
  ['a second', { requests: 5, seconds: 1 }, 200],
  ['a minute', { requests: 60, seconds: 60 }, 1_000],
  ['an hour', { requests: 2, seconds: 3_600 }, 1_800_000],
])('all requests of %s may come at once, then each when its share of the time is over', (_name, rate, eachMs) => {
  const limit = createRateLimit(rate);
  const take = () => limit.take(caller('t'))?.isAllowed;
  for (let round = 0; round < rate.requests; round++) expect(take()).toBe(true);
  expect(take()).toBe(false);
  vi.advanceTimersByTime(eachMs - 1);
  expect(take()).toBe(false);
  // One more, because the bucket adds up fractions.
  vi.advanceTimersByTime(2);
  expect(take()).toBe(true);
  expect(take()).toBe(false);
  vi.advanceTimersByTime(rate.seconds * 5_000);
  for (let round = 0; round < rate.requests; round++) expect(take()).toBe(true);
  expect(take()).toBe(false);
});

test('tells what is left, when all is back, and when to try again', () => {
  const limit = createRateLimit({ requests: 3, seconds: 60 });
  const take = () => limit.take(caller('t'));
  expect(take()).toEqual({ isAllowed: true, remaining: 2, resetSeconds: 20, retrySeconds: 0 });
  expect(take()).toEqual({ isAllowed: true, remaining: 1, resetSeconds: 40, retrySeconds: 0 });
  expect(take()).toEqual({ isAllowed: true, remaining: 0, resetSeconds: 60, retrySeconds: 0 });
  expect(take()).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 60, retrySeconds: 20 });
  vi.advanceTimersByTime(19_500);
  expect(take()).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 41, retrySeconds: 1 });
});

test('tokens do not share, and people with a session are not limited', () => {
  const limit = createRateLimit({ requests: 1, seconds: 60 });
  const takes = (id: string, via?: Principal['via']) => limit.take(caller(id, via));
  expect(takes('one')?.isAllowed).toBe(true);
  expect(takes('other')?.isAllowed).toBe(true);
  expect(takes('one')?.isAllowed).toBe(false);
  expect(takes('one', 'session')).toBeUndefined();
});

test('the number of tokens that are counted is bounded; the one used longest ago may begin anew', () => {
  const limit = createRateLimit({ requests: 1, seconds: 3_600 });
  for (let index = 0; index <= limits.rateLimitedTokensMax; index++) limit.take(caller(String(index)));
  expect(limit.take(caller(String(limits.rateLimitedTokensMax)))?.isAllowed).toBe(false);
  expect(limit.take(caller('0'))?.isAllowed).toBe(true);
});
