import { GuardError } from '../domain/errors.js';
import type { Principal } from '../domain/identity.js';
import type { Rate } from '../domain/rate.js';
import type { Allowance, RateLimit } from '../guard/rate-limit.js';
import type { Header } from './http-terms.js';
import type { RequestHead } from './route.js';

/** Takes a request off what the caller has left, which its answer tells whatever it will be; gives the refusal where nothing is left. */
export function takeFromRate(
  limit: RateLimit | undefined,
  caller: Principal,
  { answer }: Pick<RequestHead, 'answer'>,
): GuardError | undefined {
  const allowance = limit?.take(caller);
  if (limit === undefined || allowance === undefined) return undefined;
  answer.carry(rateHeaders('token', limit.rate, allowance));
  if (allowance.isAllowed) return undefined;
  return new GuardError('rate_limited', 'The token has spent its rate of requests.', [], {
    retryAfterSeconds: allowance.retrySeconds,
  });
}

/** The fields `RateLimit-Policy` and `RateLimit` of the IETF's draft (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateHeaders(
  name: string,
  { requests, seconds }: Rate,
  { remaining, resetSeconds }: Pick<Allowance, 'remaining' | 'resetSeconds'>,
): readonly Header[] {
  return [
    ['RateLimit-Policy', `"${name}";q=${requests};w=${seconds}`],
    ['RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`],
  ];
}
