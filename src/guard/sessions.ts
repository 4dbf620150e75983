import { createHash, randomBytes } from 'node:crypto';
import type { Actor, AuditAct, AuditChanges } from '../domain/audit.js';
import { GuardError } from '../domain/errors.js';
import { type Organization, type Principal, type Session, scopesOfRole, type User } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import { type Store, StoreError } from '../store/store.js';
import type { Clock } from '../telemetry/clock.js';
import { auditAct } from './audit.js';
import { type Passwords, wrongPassword } from './passwords.js';
import type { SignInThrottle } from './sign-in-throttle.js';
import { refuse } from './wrong-arguments.js';

/**
 * Sessions of people. The store is asked with every request, so an ended session, a changed role and a removed user take
 * effect at once; while the store cannot be read nobody is signed in (`store_unavailable`).
 */
export interface Sessions {
  /**
   * Whose session this is, by the cookie's value. Throws `unauthorized`. What a page asks by itself, `unattended`, does not keep the session
   * from ending where nobody uses it.
   */
  authenticate(secret: string, unattended?: boolean): SessionPrincipal;
  /**
   * Begins a session; that of `replaces`, the value of the cookie that came along, ends. Throws `unauthorized`, in the
   * same words and after the same time whichever of the two was wrong; `rate_limited`, `overloaded`.
   */
  signIn(attempt: SignInAttempt): Promise<OpenedSession>;
  /** Throws `invalid_input` for a wrong current password, `rate_limited`, `overloaded`. All other sessions end. */
  changePassword(principal: SessionPrincipal, change: PasswordChange): Promise<OpenedSession>;
  end(principal: SessionPrincipal, requestId: string): Promise<void>;
  /** Gives the number of sessions that ended. */
  endOthers(principal: SessionPrincipal, requestId: string): Promise<number>;
  /** The user and the organization that a session belongs to. */
  ownerOf(principal: SessionPrincipal): { readonly user: User; readonly organization: Organization };
}

export interface SessionPrincipal extends Principal {
  readonly via: 'session';
  /** What a request that changes something must repeat in a header: made from the cookie's value, which pages cannot read. */
  readonly csrfToken: string;
  /** When the session ends if it is not used any more. */
  readonly expiresAt: number;
}

export interface OpenedSession {
  /** The cookie's value, to be had this once. */
  readonly secret: string;
  readonly principal: SessionPrincipal;
}

interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** Where the request comes from. */
  readonly address: string;
  readonly replaces?: string;
  readonly requestId: string;
}

interface PasswordChange {
  readonly current: string;
  readonly next: string;
  readonly address: string;
  readonly requestId: string;
}

interface SessionsOptions {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly events: {
    /** `userId` where the e-mail is known. */
    signInRefused(userId: string | undefined, requestId: string): void;
    storeFailed(error: unknown): void;
  };
}

/** Bytes of a cookie's value: 256 bits from the system's secure source. */
const secretBytes = 32;
const secretShape = /^[\w-]{43}$/;

export function createSessions(options: SessionsOptions): Sessions {
  const { store, passwords, throttle, clock, events } = options;
  /** A new session, not saved yet. */
  const begin = (user: User): { readonly session: Session; readonly opened: OpenedSession } => {
    const secret = randomBytes(secretBytes).toString('base64url');
    const now = clock.nowMs();
    const session: Session = {
      id: sha256(secret),
      userId: user.id,
      organizationId: user.organizationId,
      passwordMark: passwordMark(user),
      createdAt: now,
      expiresAt: now + limits.sessionLifetimeMs,
      lastUsedAt: now,
    };
    return { session, opened: { secret, principal: toPrincipal(session, user, secret) } };
  };
  /** Counts an attempt, unless it cannot be told whether it fails: where passwords wait for others or the store does not answer. */
  const attempt = async <T>(email: string, address: string, check: () => Promise<T>): Promise<T> => {
    throttle.admit(email, address, clock.nowMs());
    try {
      return await check();
    } catch (error) {
      throttle.undecided(email, address);
      throw error;
    }
  };
  const actOf = (user: User, requestId: string, action: AuditAct['action'], changes: AuditChanges): AuditAct => {
    const actor: Actor = { via: 'session', userId: user.id, email: user.email, requestId };
    const target = { kind: 'user', id: user.id, name: user.email };
    return auditAct(actor, user.organizationId, action, target, changes, clock.nowMs());
  };

  return {
    authenticate(secret, unattended = false) {
      if (!secretShape.test(secret)) throw ended();
      const now = clock.nowMs();
      try {
        const session = store.sessions.get(sha256(secret));
        const user = session && store.users.get(session.userId);
        if (!session || !user || !isOpen(session, user, now)) throw ended();
        if (!unattended && now - session.lastUsedAt >= limits.sessionLastUseMs) {
          store.sessions.touch(session.id, now).catch(events.storeFailed);
        }
        return toPrincipal(unattended ? session : { ...session, lastUsedAt: now }, user, secret);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        events.storeFailed(error);
        throw new GuardError('store_unavailable', 'The session cannot be checked now.');
      }
    },
    async signIn({ email, password, address, replaces, requestId }) {
      const { candidate, matches } = await attempt(email, address, async () => {
        const found = store.users.findByEmail(email);
        const candidate = found?.service === false ? found : undefined;
        return { candidate, matches: await passwords.verify(candidate?.passwordHash, password) };
      });
      // Read again: checking takes a while, and the user may be gone or have another password by now.
      const user = candidate && store.users.get(candidate.id);
      if (!matches || !user || user.passwordHash !== candidate.passwordHash) {
        events.signInRefused(candidate?.id, requestId);
        throw new GuardError('unauthorized', 'The e-mail address or the password is wrong.');
      }
      throttle.succeeded(email, address);
      const now = clock.nowMs();
      const sessions = store.sessions.ofUser(user.id);
      const inUse = sessions.filter((session) => isOpen(session, user, now)).map(({ id }) => id);
      const over = sessions.map(({ id }) => id).filter((id) => !inUse.includes(id));
      const tooMany = inUse.slice(0, Math.max(0, inUse.length - limits.sessionsPerUserMax + 1));
      const { session, opened } = begin(user);
      await store.sessions.save(session, actOf(user, requestId, 'session.create', { address: { after: address } }));
      await store.sessions.remove([...(replaces === undefined ? [] : [sha256(replaces)]), ...over, ...tooMany]);
      return opened;
    },
    async changePassword(principal, { current, next, address, requestId }) {
      const { email, passwordHash } = userOf(store, principal);
      if (!(await attempt(email, address, () => passwords.verify(passwordHash, current)))) {
        events.signInRefused(principal.userId, requestId);
        refuse({ pointer: '/current_password', message: 'is wrong' }, wrongPassword(next, '/new_password'));
      }
      throttle.succeeded(email, address);
      const newHash = await passwords.hash(next, '/new_password');
      return store.change((write) => {
        const before = userOf(store, principal);
        if (before.passwordHash !== passwordHash)
          throw new GuardError('conflict', 'The password was changed meanwhile.');
        const user = { ...before, passwordHash: newHash };
        const others = store.sessions.ofUser(user.id).map(({ id }) => id);
        const { session, opened } = begin(user);
        write.users.put(user);
        write.audit(actOf(user, requestId, 'user.password', { password: { after: 'changed' } }));
        write.sessions.remove(others);
        write.sessions.put(session);
        return opened;
      });
    },
    async end(principal, requestId) {
      const act = actOf(userOf(store, principal), requestId, 'session.end', {});
      await store.sessions.remove([principal.credentialId], act);
    },
    async endOthers(principal, requestId) {
      const user = userOf(store, principal);
      const now = clock.nowMs();
      const others = store.sessions.ofUser(user.id).filter(({ id }) => id !== principal.credentialId);
      const count = others.filter((session) => isOpen(session, user, now)).length;
      const changes = { sessions: { before: count + 1, after: 1 } };
      await store.sessions.remove(
        others.map(({ id }) => id),
        actOf(user, requestId, 'session.end_others', changes),
      );
      return count;
    },
    ownerOf(principal) {
      const organization = store.organizations.get(principal.organizationId);
      if (!organization) throw ended();
      return { user: userOf(store, principal), organization };
    },
  };
}

/** A session begun with a password ends with it. Not a hash of the password: of its salted hash. */
function passwordMark(user: User): string {
  return sha256(user.passwordHash ?? '').slice(0, 16);
}

function isOpen(session: Session, user: User, now: number): boolean {
  if (now >= session.expiresAt || now >= session.lastUsedAt + limits.sessionIdleMs) return false;
  return user.passwordHash !== undefined && session.passwordMark === passwordMark(user);
}

function toPrincipal(session: Session, user: User, secret: string): SessionPrincipal {
  return {
    via: 'session',
    credentialId: session.id,
    userId: user.id,
    organizationId: user.organizationId,
    role: user.role,
    scopes: scopesOfRole[user.role],
    profileId: user.profileId,
    csrfToken: createHash('sha256').update(`csrf ${secret}`).digest('base64url'),
    expiresAt: Math.min(session.expiresAt, session.lastUsedAt + limits.sessionIdleMs),
  };
}

function userOf(store: Store, principal: Principal): User {
  const user = store.users.get(principal.userId);
  if (!user) throw ended();
  return user;
}

function ended(): GuardError {
  return new GuardError('unauthorized', 'The session has ended; sign in again.');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
