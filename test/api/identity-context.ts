import type { ApiContext } from '../../src/api/operation.js';
import { actorOf } from '../../src/guard/audit.js';
import { createPasswords } from '../../src/guard/passwords.js';
import { createSessions } from '../../src/guard/sessions.js';
import { createSignInThrottle } from '../../src/guard/sign-in-throttle.js';
import type { Store } from '../../src/store/store.js';
import type { Clock } from '../../src/telemetry/clock.js';

/** The part of an `ApiContext` that knows people, over a store, as the composition root puts it together. */
export function identityContext(
  store: Store,
  clock: Clock,
): Pick<ApiContext, 'sessions' | 'administration' | 'web' | 'version'> {
  const passwords = createPasswords();
  const events = { storeFailed: () => undefined, signInRefused: () => undefined };
  return {
    sessions: createSessions({ store, passwords, throttle: createSignInThrottle(), clock, events }),
    administration: (principal, requestId) => ({
      store,
      knownProfiles: ['default', 'strict', 'observe'],
      organizationId: principal.organizationId,
      actor: actorOf(store, principal, requestId),
      passwords,
    }),
    web: {},
    version: '1.2.3',
  };
}
