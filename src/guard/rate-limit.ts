import { TokenBucket } from 'limiter';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import type { Rate } from '../domain/rate.js';

/** What a caller has left. */
export interface Allowance {
  readonly isAllowed: boolean;
  /** Requests that may come at once. */
  readonly remaining: number;
  /** Whole seconds until all of the rate may come at once again. */
  readonly resetSeconds: number;
  /** Whole seconds until the next request is allowed; 0 where this one was. */
  readonly retrySeconds: number;
}

/** Counts the requests of each token against one rate. */
export interface RateLimit {
  readonly rate: Rate;
  /** Takes one request off what the caller has left; undefined for callers that are not limited (sessions of people). */
  take(caller: Principal): Allowance | undefined;
}

/**
 * A bucket for each token, which holds one period's requests and fills evenly: a client may send them all at once, and
 * then as fast as the rate. Buckets of the tokens that were used longest ago are forgotten (`limits.rateLimitedTokensMax`),
 * which gives those tokens a full one. Answers at once and without a promise.
 */
export function createRateLimit(rate: Rate): RateLimit {
  const buckets = new LRUCache<string, TokenBucket>({ max: limits.rateLimitedTokensMax });
  return {
    rate,
    take: ({ via, credentialId }) => {
      if (via === 'session') return undefined;
      let bucket = buckets.get(credentialId);
      if (bucket === undefined) {
        bucket = fullBucket(rate);
        buckets.set(credentialId, bucket);
      }
      const isAllowed = bucket.tryRemoveTokens(1);
      const perSecond = rate.requests / rate.seconds;
      return {
        isAllowed,
        remaining: Math.floor(bucket.content),
        resetSeconds: Math.ceil((rate.requests - bucket.content) / perSecond),
        retrySeconds: isAllowed ? 0 : Math.max(1, Math.ceil(bucket.getWaitTime(1) / 1_000)),
      };
    },
  };
}

function fullBucket({ requests, seconds }: Rate): TokenBucket {
  const bucket = new TokenBucket({ bucketSize: requests, tokensPerInterval: requests, interval: seconds * 1_000 });
  bucket.content = requests;
  return bucket;
}
