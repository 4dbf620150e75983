import { GuardError } from '../domain/errors.js';
import type { Principal } from '../domain/identity.js';
import type { Administration } from '../guard/administration.js';
import { StoreError } from '../store/store.js';
import type { ApiContext, Call } from './operation.js';

/**
 * Runs an act of administration in the caller's organization and on the caller's behalf, with the time of the act. What
 * the store cannot do becomes `store_unavailable`.
 */
export async function administered<T>(
  context: ApiContext,
  call: Call,
  principal: Principal,
  act: (admin: Administration, now: number) => T | Promise<T>,
): Promise<T> {
  return withStore(() => act(context.administration(principal, call.requestId), context.clock.nowMs()));
}

/** Runs what needs the store; a `StoreError` becomes `store_unavailable`, without its words. */
export async function withStore<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new GuardError('store_unavailable', 'The store cannot be read or written now.', [], { cause: error });
  }
}
