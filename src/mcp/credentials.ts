import { establishCaller, type Refusal } from '../api/credentials.js';
import type { RequestHead } from '../api/route.js';
import { GuardError } from '../domain/errors.js';
import type { Principal } from '../domain/identity.js';
import type { Guard } from '../guard/guard.js';

/**
 * Establishes the caller from `Authorization`, or, where that is absent, from `X-API-Key`; nothing else, and never the
 * query, is looked at. A refusal says which header is missing or invalid.
 */
export function establishMcpCaller(guard: Guard, head: RequestHead): Principal | Refusal {
  const authorization = head.header('authorization');
  const key = head.header('x-api-key');
  if (authorization === undefined && key === undefined) {
    const missing =
      'The Authorization header is missing: send "Authorization: Bearer <token>", or the token as X-API-Key.';
    return withDetail(establishCaller(guard, undefined, 'guard:scan'), () => missing);
  }
  if (authorization !== undefined) {
    const caller = establishCaller(guard, authorization, 'guard:scan');
    return withDetail(caller, (detail) =>
      detail.includes('Authorization') ? detail : `The Authorization header is not valid: ${detail}`,
    );
  }
  const caller = establishCaller(guard, `Bearer ${key}`, 'guard:scan');
  return withDetail(caller, (detail) =>
    detail.includes('Authorization')
      ? 'The X-API-Key header must hold one token.'
      : `The X-API-Key header is not valid: ${detail}`,
  );
}

/** A token that lacks the scope is valid, so its refusal keeps its words. */
function withDetail(caller: Principal | Refusal, reword: (detail: string) => string): Principal | Refusal {
  if (!('challenge' in caller) || caller.error.code !== 'unauthorized') return caller;
  return { ...caller, error: new GuardError('unauthorized', reword(caller.error.message)) };
}
