import { GuardError, invalidInput } from '../domain/errors.js';
import { type Role, scopes, scopesOfRole, type TokenRecord } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import type { Writes } from '../store/store.js';
import { type Administration, listed, targetOf, visible } from './administration.js';
import { auditAct, changesBetween, type Fields } from './audit.js';
import { type IssuedToken, issueToken, isValidToken, type TokenRequest, wrongInRequest } from './tokens.js';
import { gathered, type Wrong } from './wrong-arguments.js';

/**
 * Makes a personal access token, or a service key where the user is a service user. Its scopes are some of those of the
 * user's role.
 */
export async function createToken(admin: Administration, request: TokenRequest, now: number): Promise<IssuedToken> {
  return admin.store.change((write) => {
    const found = admin.store.users.get(request.userId);
    const isVisible = admin.organizationId === undefined || found?.organizationId === admin.organizationId;
    const user = isVisible ? found : undefined;
    const wrong = gathered(
      user ? undefined : { pointer: '/user_id', message: 'is not known' },
      user && wrongForRole(request.scopes, user.role),
      ...wrongInRequest(admin.store, request, user, now),
    );
    if (!user || wrong.length > 0) throw invalidInput(wrong);
    const own = admin.store.tokens.list(user.organizationId).filter(({ userId }) => userId === user.id);
    const valid = own.filter((record) => isValidToken(record, now));
    if (valid.length >= limits.tokensPerUserMax) {
      throw new GuardError('conflict', `The user has ${limits.tokensPerUserMax} tokens, and can have no more.`);
    }
    const issued = issueToken(admin.store, write, request, now);
    const changes = changesBetween(undefined, tokenFields(issued.record));
    const target = targetOf('token', issued.record);
    write.audit(auditAct(admin.actor, user.organizationId, 'token.create', target, changes, now));
    const over = own.filter((record) => !isValidToken(record, now));
    for (const { id } of over.slice(0, Math.max(0, over.length - limits.endedTokensPerUserMax))) {
      write.tokens.remove(id);
    }
    return issued;
  });
}

/** Names that are no scopes are another matter. */
function wrongForRole(names: readonly string[], role: Role): Wrong {
  const allowed = scopesOfRole[role];
  if (!scopes.some((scope) => names.includes(scope) && !allowed.includes(scope))) return undefined;
  return { pointer: '/scopes', message: `must be some of ${allowed.join(', ')}: the user is ${role}` };
}

/** Tokens as they are stored, revoked and expired ones too, by time of creation. */
export function listTokens(
  admin: Administration,
  filter: { readonly organizationId?: string; readonly userId?: string } = {},
): readonly TokenRecord[] {
  const tokens = admin.store.tokens.list(listed(admin, filter.organizationId));
  return filter.userId === undefined ? tokens : tokens.filter(({ userId }) => userId === filter.userId);
}

/** The token with this id, if it can be seen; `unknown_id` otherwise. */
export function findToken(admin: Administration, id: string): TokenRecord {
  return visible(admin, admin.store.tokens.get(id), '/token');
}

/** Ends a token's validity, everywhere at once; of a revoked one it keeps the time. */
export async function revokeToken(admin: Administration, id: string, now: number): Promise<TokenRecord> {
  return admin.store.change((write) => {
    revokeTokens(admin, write, [findToken(admin, id)], now);
    return findToken(admin, id);
  });
}

/** Ends the validity of tokens that were read in the transaction of `write`. */
export function revokeTokens(admin: Administration, write: Writes, tokens: readonly TokenRecord[], now: number): void {
  for (const record of tokens) {
    if (record.revokedAt !== undefined) continue;
    const revoked = { ...record, revokedAt: now };
    write.tokens.put(revoked);
    const changes = changesBetween(tokenFields(record), tokenFields(revoked));
    const target = targetOf('token', record);
    write.audit(auditAct(admin.actor, record.organizationId, 'token.revoke', target, changes, now));
  }
}

function tokenFields({ prefix, kind, userId, scopes, applicationId, expiresAt, revokedAt }: TokenRecord): Fields {
  return {
    prefix,
    kind,
    user_id: userId,
    scopes,
    app_uuid: applicationId,
    expires_at: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    revoked_at: revokedAt === undefined ? undefined : new Date(revokedAt).toISOString(),
  };
}
