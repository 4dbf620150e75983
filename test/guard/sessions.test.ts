import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { GuardError } from '../../src/domain/errors.js';
import type { User } from '../../src/domain/identity.js';
import { limits } from '../../src/domain/limits.js';
import type { Administration } from '../../src/guard/administration.js';
import { createPasswords, type Passwords } from '../../src/guard/passwords.js';
import { createSessions } from '../../src/guard/sessions.js';
import { createSignInThrottle } from '../../src/guard/sign-in-throttle.js';
import { changeUser, removeUser } from '../../src/guard/users.js';
import type { Store } from '../../src/store/store.js';
import { epoch, orgA, organization, user } from '../store/samples.js';
import { stores } from '../store/stores.js';

/** Quick and clear: hashes for tests of everything but hashing. */
const plainPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (passwordHash, password) => passwordHash === `hash of ${password}`,
};
const password = 'correct horse battery';
const [minute, hour] = [60_000, 3_600_000];

async function begin(open: () => Store, passwords = plainPasswords) {
  const store = open();
  const clock = { now: epoch, nowMs: () => clock.now };
  const refused: (string | undefined)[] = [];
  const sessions = createSessions({
    store,
    passwords,
    throttle: createSignInThrottle(),
    clock,
    events: { signInRefused: (id) => refused.push(id), storeFailed: () => undefined },
  });
  await store.change((write) => write.organizations.put(organization({ id: orgA })));
  const ada: User = user({ email: 'ada@example.org', role: 'admin', passwordHash: `hash of ${password}` });
  const bob: User = user({ email: 'bob@example.org', role: 'admin', passwordHash: `hash of ${password}` });
  await store.change((write) => write.users.put(ada));
  await store.change((write) => write.users.put(bob));
  const attempt = { email: ada.email, password, address: '192.0.2.1', requestId: 'r1' };
  const admin: Administration = {
    store,
    knownProfiles: ['default'],
    organizationId: orgA,
    actor: { via: 'session', userId: bob.id, email: bob.email, requestId: 'r2' },
    passwords,
  };
  const isOpen = (secret: string) => {
    try {
      sessions.authenticate(secret);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'unauthorized', message: 'The session has ended; sign in again.' });
      return false;
    }
  };
  return { store, sessions, clock, refused, ada, bob, attempt, admin, isOpen };
}

describe.each(stores)('sessions with %s', (_, open) => {
  test('begin with the password, in any case of the e-mail, and are known by a secret that is not stored', async () => {
    const { sessions, store, ada, attempt } = await begin(open);
    const { secret, principal } = await sessions.signIn({ ...attempt, email: 'ADA@example.org' });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(sessions.authenticate(secret)).toEqual(principal);
    expect(principal).toMatchObject({
      via: 'session',
      userId: ada.id,
      organizationId: orgA,
      role: 'admin',
      scopes: ['guard:scan', 'results:read', 'policies:read', 'admin'],
      expiresAt: epoch + limits.sessionIdleMs,
    });
    const [stored] = store.sessions.ofUser(ada.id);
    expect(stored.id).toMatch(/^[0-9a-f]{64}$/);
    for (const kept of [secret, principal.csrfToken, password]) expect(JSON.stringify(stored)).not.toContain(kept);
    const other = await sessions.signIn(attempt);
    expect(other.secret).not.toBe(secret);
    expect(other.principal.csrfToken).not.toBe(principal.csrfToken);
  });

  test.each([
    ['a wrong password', {}, { password: 'wrong' }],
    ['an unknown e-mail', {}, { email: 'eve@example.org' }],
    ['a user without a password', { passwordHash: undefined }, {}],
    ['a service user', { service: true }, {}],
  ])('do not begin with %s, in the same words', async (_name, change, wrong) => {
    const { sessions, store, ada, attempt } = await begin(open);
    const { passwordHash: _hash, ...rest } = ada;
    await store.change((write) => write.users.put('passwordHash' in change ? rest : { ...ada, ...change }));
    await expect(sessions.signIn({ ...attempt, ...wrong })).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'The e-mail address or the password is wrong.',
    });
    expect(store.sessions.ofUser(ada.id)).toEqual([]);
  });

  test('end when they are not used, and after their lifetime however much they are used', async () => {
    const { sessions, store, clock, attempt, isOpen } = await begin(open);
    const { secret: idle } = await sessions.signIn(attempt);
    clock.now += limits.sessionIdleMs - 1;
    expect(isOpen(idle)).toBe(true);
    const { secret: unused } = await sessions.signIn(attempt);
    clock.now += limits.sessionIdleMs;
    expect([isOpen(idle), isOpen(unused)]).toEqual([false, false]);

    const begun = clock.now;
    const { secret: used } = await sessions.signIn(attempt);
    for (clock.now += hour; clock.now < begun + limits.sessionLifetimeMs; clock.now += hour) {
      expect(isOpen(used)).toBe(true);
      await store.change((write) => write.organizations.remove('nothing'));
    }
    expect(clock.now).toBe(begun + limits.sessionLifetimeMs);
    expect(isOpen(used)).toBe(false);
  });

  test('end although a page that nobody uses goes on asking', async () => {
    const { sessions, store, clock, attempt } = await begin(open);
    const { secret } = await sessions.signIn(attempt);
    for (let rest = limits.sessionIdleMs; rest > hour; rest -= hour) {
      clock.now += hour;
      expect(sessions.authenticate(secret, true).expiresAt).toBe(epoch + limits.sessionIdleMs);
      await store.change((write) => write.organizations.remove('nothing'));
    }
    clock.now += hour;
    expect(() => sessions.authenticate(secret, true)).toThrowError(expect.objectContaining({ code: 'unauthorized' }));
  });

  test('write their last use at most once a minute', async () => {
    const { sessions, store, clock, ada, attempt } = await begin(open);
    const { secret } = await sessions.signIn(attempt);
    const lastUse = async () => {
      sessions.authenticate(secret);
      await store.change((write) => write.organizations.remove('nothing'));
      return store.sessions.ofUser(ada.id)[0].lastUsedAt - epoch;
    };
    const seen: number[] = [];
    for (const at of [1, minute - 1, minute, minute + 1, 2 * minute]) {
      clock.now = epoch + at;
      seen.push(await lastUse());
    }
    expect(seen).toEqual([0, 0, minute, minute, 2 * minute]);
  });

  test('are replaced by the next one in the same browser, whoever signs in there', async () => {
    const { sessions, attempt, isOpen, bob } = await begin(open);
    const { secret: first } = await sessions.signIn(attempt);
    const { secret: elsewhere } = await sessions.signIn(attempt);
    const { secret: second } = await sessions.signIn({ ...attempt, replaces: first });
    expect([first, second, elsewhere].map(isOpen)).toEqual([false, true, true]);
    const { secret: third } = await sessions.signIn({ ...attempt, email: bob.email, replaces: second });
    expect([second, third, elsewhere].map(isOpen)).toEqual([false, true, true]);
  });

  test('of one user are bounded: the oldest ends', async () => {
    const { sessions, store, clock, ada, attempt, isOpen } = await begin(open);
    const secrets: string[] = [];
    for (let n = 0; n <= limits.sessionsPerUserMax; n++) {
      clock.now++;
      secrets.push((await sessions.signIn(attempt)).secret);
    }
    expect(secrets.map(isOpen)).toEqual([false, ...secrets.slice(1).map(() => true)]);
    expect(store.sessions.ofUser(ada.id)).toHaveLength(limits.sessionsPerUserMax);
  });

  test('end one by one, all others, or with the user', async () => {
    const { sessions, store, ada, attempt, admin, isOpen } = await begin(open);
    const opened = [await sessions.signIn(attempt), await sessions.signIn(attempt), await sessions.signIn(attempt)];
    const open3 = () => opened.map(({ secret }) => isOpen(secret));
    await sessions.end(opened[0].principal, 'r');
    expect(open3()).toEqual([false, true, true]);
    expect(await sessions.endOthers(opened[2].principal, 'r')).toBe(1);
    expect(open3()).toEqual([false, false, true]);
    await removeUser(admin, ada.id, epoch);
    expect(open3()).toEqual([false, false, false]);
    expect(store.sessions.ofUser(ada.id)).toEqual([]);
  });

  test('end with the password, whoever changes it; the one that changed it goes on under another secret', async () => {
    const { sessions, clock, attempt, ada, admin, isOpen } = await begin(open);
    const [mine, other] = [await sessions.signIn(attempt), await sessions.signIn(attempt)];
    const change = { current: password, next: 'another password', address: attempt.address, requestId: 'r' };
    await expect(sessions.changePassword(mine.principal, { ...change, current: 'wrong' })).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [{ pointer: '/current_password' }],
    });
    const wrong = { ...change, current: 'wrong', next: 'short' };
    await expect(sessions.changePassword(mine.principal, wrong)).rejects.toMatchObject({
      fields: [{ pointer: '/current_password' }, { pointer: '/new_password' }],
    });
    expect([mine, other].map(({ secret }) => isOpen(secret))).toEqual([true, true]);
    const changed = await sessions.changePassword(mine.principal, change);
    expect([mine, other, changed].map(({ secret }) => isOpen(secret))).toEqual([false, false, true]);
    await expect(sessions.signIn(attempt)).rejects.toMatchObject({ code: 'unauthorized' });
    await changeUser(admin, ada.id, { password: 'a third password' }, clock.now);
    expect(isOpen(changed.secret)).toBe(false);
  });

  test('have what the role of their user has at the moment', async () => {
    const { sessions, attempt, ada, admin } = await begin(open);
    const { secret } = await sessions.signIn(attempt);
    await changeUser(admin, ada.id, { role: 'viewer' }, epoch);
    expect(sessions.authenticate(secret)).toMatchObject({ role: 'viewer', scopes: ['results:read', 'policies:read'] });
  });

  test('that are over are purged', async () => {
    const { sessions, store, clock, ada, attempt } = await begin(open);
    await sessions.signIn(attempt);
    clock.now += hour;
    await sessions.signIn(attempt);
    expect(await store.sessions.purge(clock.now, epoch)).toBe(0);
    expect(await store.sessions.purge(clock.now, epoch + 1)).toBe(1);
    expect(await store.sessions.purge(epoch + hour + limits.sessionLifetimeMs, epoch)).toBe(1);
    expect(store.sessions.ofUser(ada.id)).toEqual([]);
  });

  test('are told apart from forged secrets, and from a store that cannot be read', async () => {
    const { sessions, store, attempt, isOpen } = await begin(open);
    const { secret } = await sessions.signIn(attempt);
    for (const forged of ['', 'x', `${secret}x`, secret.toUpperCase(), 'x'.repeat(100_000)]) {
      expect(isOpen(forged)).toBe(false);
    }
    await store.close();
    expect(() => sessions.authenticate(secret)).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
  });

  test('leave their marks in the audit log, without a secret', async () => {
    const { sessions, store, ada, attempt } = await begin(open);
    const { secret, principal } = await sessions.signIn(attempt);
    const change = { current: password, next: 'another password', address: attempt.address, requestId: 'r' };
    const { secret: second, principal: changed } = await sessions.changePassword(principal, change);
    await sessions.endOthers(changed, 'r');
    await sessions.end(changed, 'r');
    const { entries } = store.audit.find({ organizationId: orgA, limit: 100 });
    expect(entries.map(({ action }) => action)).toEqual([
      'session.end',
      'session.end_others',
      'user.password',
      'session.create',
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor: { via: 'session', userId: ada.id }, target: { kind: 'user', id: ada.id } });
    }
    for (const hidden of [secret, second, password, 'another password', 'hash of']) {
      expect(JSON.stringify(entries)).not.toContain(hidden);
    }
  });
});

const memory = stores[0][1];

describe('attempts to sign in', () => {
  test('are limited by e-mail, in windows; a success forgets the failures', async () => {
    const { sessions, clock, attempt, refused } = await begin(memory);
    const tried = (change: object = {}) =>
      sessions.signIn({ ...attempt, ...change }).then(
        () => 'in',
        (error: { code: string }) => error.code,
      );
    const wrong = { password: 'wrong' };
    const fail = async (times: number) => {
      const codes: string[] = [];
      for (let n = 0; n < times; n++) codes.push(await tried({ ...wrong, address: `192.0.2.${n}` }));
      return new Set(codes);
    };
    expect(await fail(limits.signInsPerEmailMax - 1)).toEqual(new Set(['unauthorized']));
    expect(await tried()).toBe('in');
    expect(await fail(limits.signInsPerEmailMax)).toEqual(new Set(['unauthorized']));
    expect(await tried(), 'the right password, too').toBe('rate_limited');
    expect(await tried({ email: 'ADA@example.org', address: '198.51.100.7' })).toBe('rate_limited');
    expect(await tried({ email: 'bob@example.org' }), 'nobody else is').toBe('in');
    await expect(sessions.signIn(attempt)).rejects.toMatchObject({ retryAfterSeconds: limits.signInWindowMs / 1_000 });
    clock.now += limits.signInWindowMs - 1;
    expect(await tried()).toBe('rate_limited');
    await expect(sessions.signIn(attempt)).rejects.toMatchObject({ retryAfterSeconds: 1 });
    clock.now += 1;
    expect(await tried()).toBe('in');
    expect(refused).toHaveLength(2 * limits.signInsPerEmailMax - 1);
  });

  test.each([
    ['192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ['2001:db8:0:1::1', '2001:0db8:0000:0001:ffff::9', '2001:db8:0:2::1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ])('are limited by address, whatever the e-mail: %s', async (address, same, other) => {
    const { sessions, attempt } = await begin(memory);
    const tried = (email: string, from: string) =>
      sessions.signIn({ ...attempt, email, address: from }).then(
        () => 'in',
        (error: { code: string }) => error.code,
      );
    for (let n = 0; n < limits.signInsPerAddressMax; n++) {
      expect(await tried(`nobody${n}@example.org`, address)).toBe('unauthorized');
    }
    expect(await tried('ada@example.org', same)).toBe('rate_limited');
    expect(await tried('ada@example.org', other)).toBe('in');
  });

  test('count for nothing where it was not found out whether they fail', async () => {
    let isBusy = true;
    const busy: Passwords = {
      ...plainPasswords,
      verify: async (hash, given) => {
        if (isBusy) throw new GuardError('overloaded', 'Too many passwords wait to be checked.');
        return plainPasswords.verify(hash, given);
      },
    };
    const { sessions, attempt } = await begin(memory, busy);
    const { principal } = await begin(memory).then(async (other) => other.sessions.signIn(other.attempt));
    for (let n = 0; n <= limits.signInsPerAddressMax; n++) {
      await expect(sessions.signIn(attempt)).rejects.toMatchObject({ code: 'overloaded' });
    }
    isBusy = false;
    expect(await sessions.signIn(attempt)).toMatchObject({ principal: { organizationId: principal.organizationId } });
  });

  test('that run at once are counted before their passwords are checked', async () => {
    const { sessions, attempt } = await begin(memory);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 * limits.signInsPerEmailMax }, () => sessions.signIn({ ...attempt, password: 'wrong' })),
    );
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'in'));
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(limits.signInsPerEmailMax);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2 * limits.signInsPerEmailMax);
  });

  test('count for the change of the password as well', async () => {
    const { sessions, attempt } = await begin(memory);
    const { principal } = await sessions.signIn(attempt);
    const change = { current: 'wrong', next: 'another password', address: attempt.address, requestId: 'r' };
    const codes: string[] = [];
    for (let n = 0; n <= limits.signInsPerEmailMax; n++) {
      codes.push(
        await sessions.changePassword(principal, change).then(String, (error: { code: string }) => error.code),
      );
    }
    expect(codes.indexOf('rate_limited')).toBe(limits.signInsPerEmailMax);
  });

  test('with a password that changes meanwhile lead nowhere', async () => {
    let changed: () => Promise<void> = async () => undefined;
    const slow: Passwords = {
      ...plainPasswords,
      verify: async (passwordHash, given) => {
        const matches = await plainPasswords.verify(passwordHash, given);
        await changed();
        return matches;
      },
    };
    const { sessions, store, ada, attempt } = await begin(memory, slow);
    changed = () => store.change((write) => write.users.put({ ...ada, passwordHash: 'hash of another' }));
    await expect(sessions.signIn(attempt)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('passwords', () => {
  test('are hashed with argon2id and checked; without a hash the answer is no', async () => {
    const passwords = createPasswords();
    const hashed = await passwords.hash(password);
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hashed, password)).toBe(true);
    expect(await passwords.verify(hashed, `${password} `)).toBe(false);
    expect(await passwords.verify(undefined, password)).toBe(false);
  });

  test('are the same however a keyboard writes their letters, and as they were typed where a hash is older than that', async () => {
    const passwords = createPasswords();
    const composed = 'caf\u00e9 cr\u00e8me br\u00fbl\u00e9e';
    const decomposed = composed.normalize('NFD');
    const hashed = await passwords.hash(decomposed);
    expect(await passwords.verify(hashed, composed)).toBe(true);
    expect(await passwords.verify(hashed, decomposed)).toBe(true);
    const former = await hash(decomposed, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    expect(await passwords.verify(former, decomposed)).toBe(true);
    expect(await passwords.verify(former, composed)).toBe(false);
  });

  test('are checked against a hash of the same cost where there is none', async () => {
    const passwords = createPasswords();
    const hashed = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    const times = { known: [] as number[], unknown: [] as number[] };
    const verify = async (taken: number[], passwordHash: string | undefined) => {
      const began = performance.now();
      await passwords.verify(passwordHash, 'wrong');
      taken.push(performance.now() - began);
    };
    for (let n = 0; n < 7; n++) {
      await verify(times.known, hashed);
      await verify(times.unknown, undefined);
    }
    // A hash that is not computed at all answers a hundred times sooner.
    expect(Math.min(...times.unknown)).toBeGreaterThan(Math.min(...times.known) / 4);
  });

  test('wait for their turn, and are refused when too many wait', async () => {
    const passwords = createPasswords(1, 2);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => passwords.hash(password)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[3]).toMatchObject({ reason: { code: 'overloaded' } });
    await expect(passwords.hash(password)).resolves.toMatch(/^\$argon2id/);
  });
});
