import type { Static } from 'typebox';
import { type ErrorCode, errorTable, type GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { Header } from './http-terms.js';
import type { Reply } from './operation.js';
import { rateHeaders } from './rate-limit.js';
import type { problemResponse } from './schemas.js';

export const problemContentType = 'application/problem+json';

/** The `type` of a problem: stable, and as good for a program as the code that it ends in. */
export function problemType(code: ErrorCode): string {
  return `urn:merlon:problem:${code}`;
}

/** Whether a caller may expect the same request to succeed later. */
export function isRetryable(code: ErrorCode): boolean {
  return 'retry' in errorTable[code];
}

/**
 * An error as a problem document (RFC 9457), with `Retry-After` where trying again makes sense. Only invalid input has
 * fields on the wire: an unknown id stands in the path, to which no pointer leads.
 */
export function problemReply(error: GuardError, requestId: string, headers: readonly Header[] = []): Reply {
  const body: Static<typeof problemResponse> = {
    type: problemType(error.code),
    title: errorTable[error.code].title,
    status: error.status,
    detail: error.message,
    request_id: requestId,
    ...(error.code === 'invalid_input' && error.fields.length > 0 ? { errors: [...error.fields] } : {}),
  };
  const retry: readonly Header[] = isRetryable(error.code)
    ? [['Retry-After', String(error.retryAfterSeconds ?? limits.retryAfterSeconds)]]
    : [];
  const challenged = error.code !== 'unauthorized' || headers.some(([name]) => name === 'WWW-Authenticate');
  const challenge: readonly Header[] = challenged ? [] : [['WWW-Authenticate', 'Bearer']];
  const all = [...retry, ...spentHeaders(error), ...challenge, ...headers];
  return { status: error.status, contentType: problemContentType, body, headers: all };
}

function spentHeaders({ spent, retryAfterSeconds = limits.retryAfterSeconds }: GuardError): readonly Header[] {
  if (spent === undefined) return [];
  const { name, attempts, windowSeconds } = spent;
  const left = { remaining: 0, resetSeconds: retryAfterSeconds };
  return rateHeaders(name, { requests: attempts, seconds: windowSeconds }, left);
}
