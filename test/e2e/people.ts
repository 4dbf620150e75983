import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Role, Scope, User } from '../../src/domain/identity.js';
import { issueToken } from '../../src/guard/tokens.js';
import type { Store } from '../../src/store/store.js';
import { user } from '../store/samples.js';

/** The password of every user made here, and its hash, made once: hashing is slow on purpose. */
export const password = 'correct horse battery';
export const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$bPFU+UkkPY+3EUdwXr0gcA$zUIjW1Y8nSYVtdJsZY4+JkrmgWofF7RLa1DiLZuS/UE';

/** A session as signing in makes one, written to the store beside the service. */
export interface OpenSession {
  readonly cookie: string;
  readonly csrfToken: string;
}

export async function openSession(
  store: Store,
  { id, organizationId, passwordHash: hashed }: User,
): Promise<OpenSession> {
  const secret = randomBytes(32).toString('base64url');
  const now = Date.now();
  await store.sessions.save({
    id: createHash('sha256').update(secret).digest('hex'),
    userId: id,
    organizationId,
    passwordMark: createHash('sha256')
      .update(hashed ?? '')
      .digest('hex')
      .slice(0, 16),
    createdAt: now,
    expiresAt: now + 3_600_000,
    lastUsedAt: now,
  });
  const csrfToken = createHash('sha256').update(`csrf ${secret}`).digest('base64url');
  return { cookie: `merlon_session=${secret}`, csrfToken };
}

/** A user of an organization, saved. */
export async function saveUser(
  store: Store,
  organizationId: string,
  role: Role,
  values: Partial<User> = {},
): Promise<User> {
  const saved = user({ organizationId, role, passwordHash, ...values, email: `${role}-${randomUUID()}@example.org` });
  await store.change((write) => write.users.put(saved));
  return saved;
}

/** A token of a user with these scopes. */
export async function saveToken(store: Store, { id }: User, scopes: readonly Scope[], name = 'test'): Promise<string> {
  return (await store.change((write) => issueToken(store, write, { userId: id, name, scopes }, Date.now()))).token;
}
