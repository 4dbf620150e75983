import { GuardError } from '../domain/errors.js';
import type { Principal, Scope } from '../domain/identity.js';
import type { Guard } from '../guard/guard.js';
import type { Header } from './http-terms.js';

/** A refusal to authenticate or authorize, with the challenge that its response must carry (RFC 6750 section 3). */
export interface Refusal {
  readonly error: GuardError;
  readonly challenge: Header;
}

const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Establishes the caller from the value of the `Authorization` header (several headers joined by commas, as RFC
 * 9110 section 5.3 has it, are no credentials), and checks the scope. Rethrows what is no `GuardError`.
 */
export function establishCaller(guard: Guard, authorization: string | undefined, scope: Scope): Principal | Refusal {
  if (authorization === undefined) return unauthenticated('The Authorization header is missing.', false);
  const token = bearer.exec(authorization)?.[1];
  if (token === undefined) {
    const sent = /^bearer +\S/i.test(authorization);
    return unauthenticated('The Authorization header must have the form: Bearer <token>.', sent);
  }
  try {
    const principal = guard.authenticate(token);
    guard.authorize(principal, scope);
    return principal;
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    if (error.code === 'unauthorized') return { error, challenge: invalidToken };
    if (error.code === 'forbidden_scope') {
      return { error, challenge: ['WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`] };
    }
    throw error;
  }
}

const invalidToken: Header = ['WWW-Authenticate', 'Bearer error="invalid_token"'];

/** Nobody is known to be calling; `tokenSent` tells whether a token came along. */
export function unauthenticated(detail: string, tokenSent: boolean): Refusal {
  const error = new GuardError('unauthorized', detail);
  return { error, challenge: tokenSent ? invalidToken : ['WWW-Authenticate', 'Bearer'] };
}
