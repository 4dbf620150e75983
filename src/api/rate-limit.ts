import { GuardError } from '../domain/errors.js';
import type { Principal } from '../domain/identity.js';
import type { Rate } from '../domain/rate.js';
import type { Allowance, RateLimit } from '../guard/rate-limit.js';
import type { Header } from './http-terms.js';
import type { Answer, BodyReader } from './route.js';

/** A caller's request against its rate: the headers of the answer, and the refusal where it has nothing left. */
export interface Limited {
  readonly headers: readonly Header[];
  readonly refusal?: GuardError;
}

/** Takes a request off what the caller has left; undefined where nothing is limited. */
export function takeFromRate(limit: RateLimit | undefined, caller: Principal): Limited | undefined {
  const allowance = limit?.take(caller);
  if (limit === undefined || allowance === undefined) return undefined;
  const headers = rateHeaders('token', limit.rate, allowance);
  if (allowance.isAllowed) return { headers };
  const refusal = new GuardError('rate_limited', 'The token has spent its rate of requests.', [], {
    retryAfterSeconds: allowance.retrySeconds,
  });
  return { headers, refusal };
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

/** What was opened, with headers more on its answer. */
export function withHeaders(
  opened: Answer | Promise<Answer> | BodyReader,
  headers: readonly Header[],
): Answer | Promise<Answer> | BodyReader {
  const add = (answer: Answer): Answer => ({ ...answer, headers: [...answer.headers, ...headers] });
  const added = (answer: Answer | Promise<Answer>) => (answer instanceof Promise ? answer.then(add) : add(answer));
  return typeof opened === 'function' ? (bytes) => added(opened(bytes)) : added(opened);
}
