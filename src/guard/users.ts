import { randomUUID } from 'node:crypto';
import { GuardError, invalidInput } from '../domain/errors.js';
import { type Role, roles, type User } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import type { Store } from '../store/store.js';
import { type Administration, checkReference, checkRoom, listed, visible, wrongProfile } from './administration.js';
import { auditAct, changesBetween, type Fields, isEmpty } from './audit.js';
import { wrongPassword } from './passwords.js';
import { listTokens, revokeTokens } from './token-administration.js';
import { isValidToken } from './tokens.js';
import { gathered, refuse, type Wrong } from './wrong-arguments.js';

const emailPattern = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u;
/** RFC 5321: the longest path is 256 octets with its brackets. */
export const emailLengthMax = 254;

export interface UserRequest {
  readonly organizationId: string;
  readonly email: string;
  /** `admin`, `member` or `viewer`. */
  readonly role: string;
  /** A service user owns service keys and cannot sign in. */
  readonly service?: boolean;
  /** Without it the user cannot sign in yet. */
  readonly password?: string;
  readonly profileId: string;
}

export async function createUser(admin: Administration, request: UserRequest, now: number): Promise<User> {
  const { organizationId, email, profileId, password, service = false } = request;
  checkReference(admin, organizationId);
  const role = roleOf(request.role);
  const wrong = gathered(
    wrongEmail(admin.store, email),
    wrongRole(request.role),
    wrongProfile(admin, organizationId, profileId),
    wrongUserPassword(password, service),
  );
  if (!role || wrong.length > 0) throw invalidInput(wrong);
  const passwordHash = password === undefined ? {} : { passwordHash: await admin.passwords.hash(password) };
  const user = { id: randomUUID(), organizationId, email, role, service, profileId, createdAt: now, ...passwordHash };
  return admin.store.change((write) => {
    // Again: hashing takes a while.
    refuse(wrongEmail(admin.store, email), wrongProfile(admin, organizationId, profileId));
    checkRoom(admin.store.users.list(organizationId), limits.usersPerOrganizationMax, 'users');
    const changes = changesBetween(undefined, userFields(user));
    write.users.put(user);
    write.audit(auditAct(admin.actor, organizationId, 'user.create', target(user), changes, now));
    return user;
  });
}

/** By time of creation. */
export function listUsers(admin: Administration, organizationId?: string): readonly User[] {
  return admin.store.users.list(listed(admin, organizationId));
}

export interface UserChange {
  /** `admin`, `member` or `viewer`. Tokens and sessions of the user lose what the role does not have at once. */
  readonly role?: string;
  /** The profile that is enforced where the user's scans name no application. */
  readonly profileId?: string;
  /** Ends all sessions of the user. */
  readonly password?: string;
}

/**
 * Throws `conflict` where the organization would be left without an admin, and for the password of whoever is signed in: that
 * is `Sessions.changePassword`.
 */
export async function changeUser(admin: Administration, id: string, change: UserChange, now: number): Promise<User> {
  const { service, organizationId } = findUser(admin, id);
  const wrongChangedProfile = () =>
    change.profileId === undefined ? undefined : wrongProfile(admin, organizationId, change.profileId);
  refuse(
    change.role === undefined ? undefined : wrongRole(change.role),
    wrongChangedProfile(),
    wrongUserPassword(change.password, service),
  );
  if (change.password !== undefined && admin.actor.via === 'session' && id === admin.actor.userId) {
    // Else whoever finds an open session has the account for good.
    throw new GuardError(
      'conflict',
      'The own password is changed with the current one, by PUT /api/v1/session/password.',
    );
  }
  const role = roleOf(change.role);
  const passwordHash = change.password === undefined ? undefined : await admin.passwords.hash(change.password);
  return admin.store.change((write) => {
    // Again: hashing takes a while.
    const before = findUser(admin, id);
    refuse(wrongChangedProfile());
    if (role !== undefined && role !== 'admin') checkNotLastAdmin(admin, before, now);
    const user: User = {
      ...before,
      ...(role === undefined ? {} : { role }),
      ...(change.profileId === undefined ? {} : { profileId: change.profileId }),
      ...(passwordHash === undefined ? {} : { passwordHash }),
    };
    const changes = {
      ...changesBetween(userFields(before), userFields(user)),
      ...(passwordHash === undefined ? {} : { password: { after: 'changed' } }),
    };
    if (isEmpty(changes)) return before;
    write.users.put(user);
    write.audit(auditAct(admin.actor, user.organizationId, 'user.update', target(user), changes, now));
    return user;
  });
}

/** Removes a user, revokes the user's tokens, and ends the sessions. Throws `conflict` for the last admin, and for oneself. */
export async function removeUser(admin: Administration, id: string, now: number): Promise<User> {
  return admin.store.change((write) => {
    const user = findUser(admin, id);
    if (user.id === admin.actor.userId) throw new GuardError('conflict', 'Nobody can remove the own user.');
    checkNotLastAdmin(admin, user, now);
    revokeTokens(admin, write, listTokens(admin, { userId: id }), now);
    write.sessions.remove(admin.store.sessions.ofUser(id).map((session) => session.id));
    write.users.remove(id);
    const changes = changesBetween(userFields(user), undefined);
    write.audit(auditAct(admin.actor, user.organizationId, 'user.delete', target(user), changes, now));
    return user;
  });
}

/** The user with this id, if it can be seen; `unknown_id` otherwise. */
function findUser(admin: Administration, id: string): User {
  return visible(admin, admin.store.users.get(id), '/user');
}

/** An organization keeps a person who can administer it; only the command line can make the first one of an organization. */
function checkNotLastAdmin(admin: Administration, user: User, now: number): void {
  if (!isAdmin(user)) return;
  const others = admin.store.users.list(user.organizationId).filter((other) => isAdmin(other) && other.id !== user.id);
  if (!others.some((other) => canAct(admin, other, now)))
    throw new GuardError('conflict', 'The organization would be left without an admin.');
}

function isAdmin({ role, service }: User): boolean {
  return role === 'admin' && !service;
}

/** An admin who has neither a password nor a token that administers is one in name only. */
function canAct(admin: Administration, { id, passwordHash }: User, now: number): boolean {
  return (
    passwordHash !== undefined ||
    listTokens(admin, { userId: id }).some((token) => token.scopes.includes('admin') && isValidToken(token, now))
  );
}

function roleOf(name: string | undefined): Role | undefined {
  return roles.find((known) => known === name);
}

function wrongRole(name: string): Wrong {
  return roleOf(name) ? undefined : { pointer: '/role', message: `must be one of ${roles.join(', ')}` };
}

function wrongEmail(store: Store, email: string): Wrong {
  const pointer = '/email';
  if (email.length > emailLengthMax || !emailPattern.test(email))
    return { pointer, message: 'is not an e-mail address' };
  return store.users.findByEmail(email) ? { pointer, message: 'is that of another user' } : undefined;
}

function wrongUserPassword(password: string | undefined, service: boolean): Wrong {
  if (password === undefined) return undefined;
  return service ? { pointer: '/password', message: 'is not for a service user' } : wrongPassword(password);
}

function target(user: User) {
  return { kind: 'user', id: user.id, name: user.email };
}

function userFields({ email, role, service, profileId, passwordHash }: User): Fields {
  return { email, role, service, profile_id: profileId, can_sign_in: passwordHash !== undefined };
}
