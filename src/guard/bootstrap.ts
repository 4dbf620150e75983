import { randomUUID } from 'node:crypto';
import { GuardError } from '../domain/errors.js';
import { type Organization, scopes, type User } from '../domain/identity.js';
import type { Store, Writes } from '../store/store.js';
import { auditAct } from './audit.js';
import { createPasswords } from './passwords.js';
import {
  adoptToken,
  hashToken,
  issueToken,
  isValidToken,
  isWellFormedToken,
  randomDigits,
  tokenKind,
} from './tokens.js';

/** What a first run made, or a later one found. Secrets are there for the caller to show once. */
export type Bootstrap = FirstRun | LaterRun;

interface FirstRun {
  readonly created: true;
  readonly organization: Organization;
  readonly user: User;
  readonly password: string;
  /** The generated token; absent where one was given. */
  readonly token?: string;
  /** Present where a token was given. */
  readonly bootstrapTokenKnown?: boolean;
}

interface LaterRun {
  readonly created: false;
  readonly organization: Organization;
  /** The admin who has been there longest; none may be left. */
  readonly user?: User;
  /** Present where a token was given: whether it is valid now. It is never added later. */
  readonly bootstrapTokenKnown?: boolean;
}

const firstAdmin = { email: 'admin@localhost', role: 'admin', service: false, profileId: 'default' } as const;
/** In base62 digits: 142 bits. */
const firstPasswordLength = 24;

/**
 * Gives an empty store an organization, an admin user and an access token with all scopes: the given one, or a new
 * one. A store with any organization stays as it is. Throws `GuardError` for a given token that is not well-formed.
 */
export async function bootstrap(
  store: Store,
  { token, now }: { readonly token?: string; readonly now: number },
): Promise<Bootstrap> {
  if (token !== undefined && !(isWellFormedToken(token) && tokenKind(token) === 'pat')) {
    const message = 'is not a well-formed access token; `merlon token generate` prints one';
    // A setting, which its reader knows without the slash of a pointer.
    const pointer = '/MERLON_BOOTSTRAP_TOKEN';
    throw new GuardError('invalid_input', `${pointer.slice(1)} ${message}.`, [{ pointer, message }]);
  }
  const [organization] = store.organizations.list();
  if (organization) return laterRun(store, organization, token, now);
  const first: Organization = { id: randomUUID(), name: 'Default organization', createdAt: now };
  const password = randomDigits(firstPasswordLength);
  const passwordHash = await createPasswords().hash(password);
  const user: User = { ...firstAdmin, id: randomUUID(), organizationId: first.id, passwordHash, createdAt: now };
  return store.change((write) => {
    // Again: hashing takes a while, and two services may begin at once.
    const [other] = store.organizations.list();
    if (other) return laterRun(store, other, token, now);
    removeLeftOver(store, write);
    write.users.put(user);
    write.organizations.put(first);
    const request = { userId: user.id, name: 'First run', scopes };
    const issued =
      token === undefined ? issueToken(store, write, request, now) : adoptToken(store, write, token, request, now);
    const target = { kind: 'organization', id: first.id, name: first.name };
    const changes = { name: { after: first.name }, admin: { after: user.email } };
    write.audit(auditAct({ via: 'command' }, first.id, 'organization.create', target, changes, now));
    const made = { created: true, organization: first, user, password } as const;
    return token === undefined ? { ...made, token: issued.token } : { ...made, bootstrapTokenKnown: true };
  });
}

/** Runs of former versions were several transactions: what is left of one that was cut off goes. */
function removeLeftOver(store: Store, write: Writes): void {
  const leftOver = store.users.findByEmail(firstAdmin.email);
  if (!leftOver) return;
  for (const { id, userId } of store.tokens.list()) if (userId === leftOver.id) write.tokens.remove(id);
  write.users.remove(leftOver.id);
}

function laterRun(store: Store, organization: Organization, token: string | undefined, now: number): LaterRun {
  const user = store.users.list(organization.id).find(({ role, service }) => role === 'admin' && !service);
  const found = { created: false, organization, ...(user ? { user } : {}) } as const;
  if (token === undefined) return found;
  const record = store.tokens.findByHash(hashToken(token));
  return { ...found, bootstrapTokenKnown: record !== undefined && isValidToken(record, now) };
}
