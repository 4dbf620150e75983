import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../src/domain/identity.js';
import {
  type Administration,
  changeApplication,
  createApplication,
  createOrganization,
  renameOrganization,
} from '../../src/guard/administration.js';
import { bootstrap } from '../../src/guard/bootstrap.js';
import { createOrganizationProfiles } from '../../src/guard/organization-profiles.js';
import { createPasswords } from '../../src/guard/passwords.js';
import { createSessions } from '../../src/guard/sessions.js';
import { createSignInThrottle } from '../../src/guard/sign-in-throttle.js';
import { createToken, revokeToken } from '../../src/guard/token-administration.js';
import { changeUser, createUser, removeUser, type UserRequest } from '../../src/guard/users.js';
import { openLmdbStore } from '../../src/store/lmdb/lmdb-store.js';
import type { Store } from '../../src/store/store.js';
import { startChild } from '../store/lmdb/child.js';
import { epoch, temporaryFolder } from '../store/samples.js';

const password = 'correct horse battery';
const unknown = { code: 'unknown_id' };
const conflict = { code: 'conflict' };
const settings = { title: 'Own', policies: {}, storeText: 'none', scanScope: 'all' } as const;
const profiles = createOrganizationProfiles([]);

async function begin() {
  const folder = temporaryFolder();
  const open = (): Administration => {
    const store = openLmdbStore(folder);
    onTestFinished(() => store.close());
    return { store, knownProfiles: ['default', 'strict'], actor: { via: 'command' }, passwords: createPasswords() };
  };
  const here = open();
  const { id: organizationId } = await createOrganization(here, 'Example', epoch);
  const addUser = (name: string, values: Partial<UserRequest> = {}) => {
    const email = `${name}@example.org`;
    return createUser(here, { organizationId, email, role: 'admin', profileId: 'default', ...values }, epoch);
  };
  /** Can act, so that others may go. */
  const root = await addUser('root', { password });
  const changesOf = (action: string) =>
    here.store.audit
      .find({ organizationId, action, limit: 100 })
      .entries.map(({ changes }) => changes)
      .reverse();
  return { folder, here, there: open(), organizationId, root, addUser, changesOf };
}

/** The store as one sees it whom another process overtakes: what that does is committed before any of its acts begins to write. */
function overtaken(store: Store, other: () => Promise<unknown>): Store {
  return {
    ...store,
    change: async (act) => {
      // LMDB reads for a millisecond as it did before: the other one is to see what was made for the test.
      await delay(5);
      await other();
      return store.change(act);
    },
  };
}
const late = (admin: Administration, other: () => Promise<unknown>): Administration => ({
  ...admin,
  store: overtaken(admin.store, other),
});

describe('two processes that administer one store', () => {
  test('do not bring back a user whom the other removed', async () => {
    const { here, there, addUser } = await begin();
    const { id } = await addUser('ada');
    const admin = late(here, () => removeUser(there, id, epoch + 1));
    await expect(changeUser(admin, id, { profileId: 'strict' }, epoch + 1)).rejects.toMatchObject(unknown);
    expect(here.store.users.get(id)).toBeUndefined();
    expect(here.store.users.findByEmail('ada@example.org')).toBeUndefined();
  });

  test('do not bring one back with a new password, either', async () => {
    const { here, there, addUser } = await begin();
    const { id, email } = await addUser('ada', { password });
    const sessions = createSessions({
      store: overtaken(here.store, () => removeUser(there, id, epoch + 1)),
      passwords: { hash: async (next) => next, verify: async () => true },
      throttle: createSignInThrottle(),
      clock: { nowMs: () => epoch },
      events: { signInRefused: () => {}, storeFailed: () => {} },
    });
    const from = { address: '::1', requestId: 'r' };
    const { principal } = await sessions.signIn({ email, password, ...from });
    const changing = sessions.changePassword(principal, { current: password, next: `${password}.`, ...from });
    await expect(changing).rejects.toMatchObject({ code: 'unauthorized' });
    expect(here.store.users.get(id)).toBeUndefined();
    expect(here.store.sessions.ofUser(id)).toEqual([]);
  });

  test('keep what the other changed of a user, and the log tells what each changed', async () => {
    const { here, there, addUser, changesOf } = await begin();
    const { id } = await addUser('ada');
    const admin = late(here, () => changeUser(there, id, { role: 'viewer' }, epoch + 1));
    await changeUser(admin, id, { profileId: 'strict' }, epoch + 1);
    expect(here.store.users.get(id)).toMatchObject({ role: 'viewer', profileId: 'strict' });
    const changes = [
      { role: { before: 'admin', after: 'viewer' } },
      { profile_id: { before: 'default', after: 'strict' } },
    ];
    expect(changesOf('user.update')).toEqual(changes);
    await changeUser(admin, id, { role: 'viewer' }, epoch + 1);
    expect(changesOf('user.update'), 'what is so already').toEqual(changes);
  });

  test.each<[string, (admin: Administration, id: string) => Promise<unknown>]>([
    ['demote', (admin, id) => changeUser(admin, id, { role: 'viewer' }, epoch + 1)],
    ['remove', (admin, id) => removeUser(admin, id, epoch + 1)],
  ])('never %s the last two admins', async (_, lose) => {
    const { here, there, root, addUser } = await begin();
    const { id } = await addUser('ada', { password });
    const admin = late(here, () => lose(there, root.id));
    await expect(lose(admin, id)).rejects.toMatchObject(conflict);
    expect(here.store.users.list().filter(({ role }) => role === 'admin')).toHaveLength(1);
  });

  test('do not count on an admin whose last token the other revoked', async () => {
    const { here, there, root, addUser } = await begin();
    const { id: userId } = await addUser('ada');
    const { record } = await createToken(here, { userId, name: 'x', scopes }, epoch);
    const admin = late(here, () => revokeToken(there, record.id, epoch + 1));
    await expect(changeUser(admin, root.id, { role: 'viewer' }, epoch + 1)).rejects.toMatchObject(conflict);
    expect(here.store.users.get(root.id)?.role).toBe('admin');
  });

  test.each<[string, string, (admin: Administration, id: string) => Promise<unknown>]>([
    ['to a user whom the other removed', '/user_id', (admin, id) => removeUser(admin, id, epoch + 1)],
    ['scopes that the role lost', '/scopes', (admin, id) => changeUser(admin, id, { role: 'viewer' }, epoch + 1)],
  ])('give no token %s', async (_, pointer, other) => {
    const { here, there, addUser } = await begin();
    const { id: userId } = await addUser('ada');
    const admin = late(here, () => other(there, userId));
    const creating = createToken(admin, { userId, name: 'x', scopes: ['admin'] }, epoch + 1);
    await expect(creating).rejects.toMatchObject({ fields: [{ pointer }] });
    expect(here.store.tokens.list()).toEqual([]);
  });

  test('revoke all tokens of a user whom they remove, those that the other made meanwhile, too', async () => {
    const { here, there, addUser } = await begin();
    const { id: userId } = await addUser('ada');
    const admin = late(here, () => createToken(there, { userId, name: 'x', scopes }, epoch));
    await removeUser(admin, userId, epoch + 1);
    expect(here.store.tokens.list()).toMatchObject([{ userId, revokedAt: epoch + 1 }]);
  });

  test('revoke a token once', async () => {
    const { here, there, addUser, changesOf } = await begin();
    const { id: userId } = await addUser('ada');
    const { record } = await createToken(here, { userId, name: 'x', scopes: ['guard:scan'] }, epoch);
    const admin = late(here, () => revokeToken(there, record.id, epoch + 1));
    const revoked = { ...record, revokedAt: epoch + 1 };
    expect(await revokeToken(admin, record.id, epoch + 2)).toEqual(revoked);
    expect(here.store.tokens.get(record.id)).toEqual(revoked);
    expect(changesOf('token.revoke')).toHaveLength(1);
  });

  test('keep what the other changed of an application', async () => {
    const { here, there, organizationId, changesOf } = await begin();
    const { id } = await createApplication(here, { organizationId, name: 'Shop', profileId: 'default' }, epoch);
    const admin = late(here, () => changeApplication(there, id, { active: false }, epoch + 1));
    await changeApplication(admin, id, { name: 'Store' }, epoch + 1);
    expect(here.store.applications.get(id)).toMatchObject({ active: false, name: 'Store' });
    expect(changesOf('application.update')).toEqual([
      { active: { before: true, after: false } },
      { name: { before: 'Shop', after: 'Store' } },
    ]);
  });

  test('tell of each name of an organization which one it replaced', async () => {
    const { here, there, organizationId, changesOf } = await begin();
    const admin = late(here, () => renameOrganization(there, organizationId, 'Second', epoch + 1));
    await renameOrganization(admin, organizationId, 'Third', epoch + 1);
    expect(changesOf('organization.update')).toEqual([
      { name: { before: 'Example', after: 'Second' } },
      { name: { before: 'Second', after: 'Third' } },
    ]);
  });

  test('tell of each version of a profile what it changed', async () => {
    const { here, there, organizationId, changesOf } = await begin();
    await profiles.save(here, organizationId, 'own', settings, epoch);
    const rename = (admin: Administration, title: string) =>
      profiles.save(admin, organizationId, 'own', { ...settings, title }, epoch + 1);
    await rename(
      late(here, () => rename(there, 'Second')),
      'Third',
    );
    expect(changesOf('profile.update')).toEqual([
      { title: { before: 'Own', after: 'Second' } },
      { title: { before: 'Second', after: 'Third' } },
    ]);
  });

  test('take no profile away that the other has assigned', async () => {
    const { here, there, organizationId, root } = await begin();
    await profiles.save(here, organizationId, 'own', settings, epoch);
    const admin = late(here, () => changeUser(there, root.id, { profileId: 'own' }, epoch + 1));
    await expect(profiles.remove(admin, organizationId, 'own', epoch + 1)).rejects.toMatchObject(conflict);
    expect(here.store.profiles.get(organizationId, 'own')).toBeDefined();
  });

  test('begin a new store once', async () => {
    const folder = temporaryFolder();
    const [one, two] = [openLmdbStore(folder), openLmdbStore(folder)];
    onTestFinished(() => one.close());
    onTestFinished(() => two.close());
    const late = overtaken(one, () => bootstrap(two, { now: epoch }));
    expect(await bootstrap(late, { now: epoch })).toMatchObject({ created: false, user: { email: 'admin@localhost' } });
    expect([one.organizations, one.users, one.tokens].map((table) => table.list().length)).toEqual([1, 1, 1]);
  });

  test('wait for each other: what the other does in a transaction that has begun counts', async () => {
    const { folder, here, addUser } = await begin();
    const { id } = await addUser('ada');
    const child = startChild('remove-slowly', [folder, id]);
    await child.printed(1);
    // It holds the lock and has removed the user, which nobody else sees yet.
    const changing = changeUser(here, id, { profileId: 'strict' }, epoch + 1);
    expect(here.store.users.get(id)).toBeDefined();
    child.process.stdin?.end('go on\n');
    await expect(changing).rejects.toMatchObject(unknown);
    expect((await child.ended).code).toBe(0);
    expect(here.store.users.get(id)).toBeUndefined();
  });
});
