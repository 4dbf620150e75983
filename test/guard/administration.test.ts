import { verify } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { scopes, type TokenRecord } from '../../src/domain/identity.js';
import { limits } from '../../src/domain/limits.js';
import {
  type Administration,
  changeApplication,
  createApplication,
  createOrganization,
  listApplications,
  listOrganizations,
  renameOrganization,
} from '../../src/guard/administration.js';
import { auditAct } from '../../src/guard/audit.js';
import { bootstrap } from '../../src/guard/bootstrap.js';
import { createOrganizationProfiles } from '../../src/guard/organization-profiles.js';
import { createPasswords } from '../../src/guard/passwords.js';
import { createToken, listTokens, revokeToken } from '../../src/guard/token-administration.js';
import { generateToken, hashToken, verifyToken } from '../../src/guard/tokens.js';
import { changeUser, createUser, listUsers, removeUser, type UserRequest } from '../../src/guard/users.js';
import type { Store } from '../../src/store/store.js';
import { epoch, tokenRecord, user } from '../store/samples.js';
import { stores } from '../store/stores.js';

const password = 'correct horse battery';
const knownProfiles = ['default', 'strict', 'observe'];

function administer(store: Store): Administration {
  return { store, knownProfiles, actor: { via: 'command' }, passwords: createPasswords() };
}

/** The argument that the action's `GuardError` names; undefined when it succeeds. */
async function wrongArgument(action: Promise<unknown>): Promise<string | undefined> {
  return action.then(
    () => undefined,
    (error) => {
      expect(error).toMatchObject({
        name: 'GuardError',
        code: expect.stringMatching(/^(invalid_input|unknown_id)$/),
        fields: [{ message: expect.any(String) }],
      });
      return error.fields[0].pointer;
    },
  );
}

describe.each(stores)('administration of %s', (_, open) => {
  const begin = async () => {
    const admin = administer(open());
    const { id: organizationId } = await createOrganization(admin, 'Example', epoch);
    const request: UserRequest = { organizationId, email: 'ada@example.org', role: 'admin', profileId: 'strict' };
    return { admin, store: admin.store, organizationId, request };
  };

  test('organizations are made, renamed and listed', async () => {
    const { admin, organizationId } = await begin();
    const second = await createOrganization(admin, 'Second', epoch + 1);
    expect(await renameOrganization(admin, organizationId, 'First', epoch)).toMatchObject({
      id: organizationId,
      createdAt: epoch,
    });
    expect(listOrganizations(admin)).toEqual([{ id: organizationId, name: 'First', createdAt: epoch }, second]);
    expect(await wrongArgument(createOrganization(admin, '', epoch))).toBe('/name');
    expect(await wrongArgument(renameOrganization(admin, organizationId, 'a\nb', epoch))).toBe('/name');
    expect(await wrongArgument(renameOrganization(admin, 'nothing', 'x', epoch))).toBe('/organization');
  });

  test('a user is made with what was asked for, and the password as a hash', async () => {
    const { admin, store, request } = await begin();
    const ada = await createUser(admin, { ...request, password }, epoch);
    expect(store.users.get(ada.id)).toEqual(ada);
    const { passwordHash = '', ...rest } = ada;
    expect(rest).toEqual({ id: ada.id, ...request, service: false, createdAt: epoch });
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(passwordHash, password)).toBe(true);
    expect(await verify(passwordHash, `${password}.`)).toBe(false);

    const service = await createUser(admin, { ...request, email: 'bot@example.org', service: true }, epoch + 1);
    expect(service).not.toHaveProperty('passwordHash');
    expect(listUsers(admin)).toEqual([ada, service]);
    expect(listUsers(admin, request.organizationId)).toHaveLength(2);
  });

  test.each<[string, Partial<UserRequest>]>([
    ['/organization', { organizationId: 'nothing' }],
    ['/email', { email: 'ada' }],
    ['/email', { email: 'ada@' }],
    ['/email', { email: 'a da@example.org' }],
    ['/email', { email: 'ada@exam\u0000ple.org' }],
    ['/email', { email: 'ada@exam\ud800ple.org' }],
    ['/email', { email: 'a@b@c' }],
    ['/email', { email: `${'a'.repeat(250)}@b.org` }],
    ['/email', { email: 'TAKEN@example.org' }],
    ['/role', { role: 'owner' }],
    ['/profile_id', { profileId: 'lenient' }],
    ['/password', { password: 'short' }],
    ['/password', { password: 'x'.repeat(1_025) }],
    ['/password', { password: '😀'.repeat(6) }],
    ['/password', { password, service: true }],
  ])('a user is refused with %s named: case %#', async (pointer, values) => {
    const { admin, request } = await begin();
    await createUser(admin, { ...request, email: 'taken@example.org' }, epoch);
    expect(await wrongArgument(createUser(admin, { ...request, ...values }, epoch))).toBe(pointer);
    expect(listUsers(admin)).toHaveLength(1);
  });

  test('a user can be given another profile and another password', async () => {
    const { admin, store, request } = await begin();
    const { id } = await createUser(admin, { ...request, password }, epoch);
    await changeUser(admin, id, { profileId: 'observe' }, epoch);
    await changeUser(admin, id, { password: 'another password' }, epoch);
    const ada = store.users.get(id);
    expect(ada).toMatchObject({ profileId: 'observe', email: 'ada@example.org' });
    expect(await verify(ada?.passwordHash ?? '', 'another password')).toBe(true);

    const bot = await createUser(admin, { ...request, email: 'bot@example.org', service: true }, epoch);
    expect(await wrongArgument(changeUser(admin, bot.id, { password }, epoch))).toBe('/password');
    expect(await wrongArgument(changeUser(admin, id, { password: '' }, epoch))).toBe('/password');
    expect(await wrongArgument(changeUser(admin, 'nobody', { password }, epoch))).toBe('/user');
    expect(await wrongArgument(changeUser(admin, id, { profileId: 'lenient' }, epoch))).toBe('/profile_id');
    expect(await wrongArgument(changeUser(admin, 'nobody', { profileId: 'strict' }, epoch))).toBe('/user');
  });

  test('a removed user takes the tokens along, and only those', async () => {
    const { admin, store, request } = await begin();
    const ada = await createUser(admin, request, epoch);
    const bob = await createUser(admin, { ...request, email: 'bob@example.org' }, epoch);
    const make = (userId: string) => createToken(admin, { userId, name: 'laptop', scopes: ['admin'] }, epoch);
    const [first, second, other] = [await make(ada.id), await make(ada.id), await make(bob.id)];
    await removeUser(admin, ada.id, epoch + 5);
    expect(store.users.get(ada.id)).toBeUndefined();
    for (const { record } of [first, second]) expect(store.tokens.get(record.id)?.revokedAt).toBe(epoch + 5);
    expect(store.tokens.get(other.record.id)).toEqual(other.record);
    expect(await wrongArgument(removeUser(admin, ada.id, epoch))).toBe('/user');
    expect((await createUser(admin, request, epoch)).id).not.toBe(ada.id);
  });

  test('applications are made, listed, renamed, assigned a profile and switched off and on', async () => {
    const { admin, store, organizationId } = await begin();
    const shop = await createApplication(admin, { organizationId, name: 'Shop', profileId: 'default' }, epoch);
    expect(shop).toMatchObject({ organizationId, name: 'Shop', profileId: 'default', active: true, createdAt: epoch });
    await changeApplication(admin, shop.id, { profileId: 'observe' }, epoch);
    await changeApplication(admin, shop.id, { name: 'Store' }, epoch);
    await changeApplication(admin, shop.id, { active: false }, epoch);
    expect(store.applications.get(shop.id)).toEqual({ ...shop, name: 'Store', profileId: 'observe', active: false });
    expect(await changeApplication(admin, shop.id, { active: true }, epoch)).toMatchObject({ active: true });
    expect(listApplications(admin, organizationId)).toEqual([store.applications.get(shop.id)]);

    const request = { organizationId, name: 'Shop', profileId: 'default' };
    expect(await wrongArgument(createApplication(admin, { ...request, organizationId: 'no' }, epoch))).toBe(
      '/organization',
    );
    expect(await wrongArgument(createApplication(admin, { ...request, name: ' ' }, epoch))).toBe('/name');
    expect(await wrongArgument(createApplication(admin, { ...request, name: '\ud800' }, epoch))).toBe('/name');
    expect(await wrongArgument(createApplication(admin, { ...request, profileId: '' }, epoch))).toBe('/profile_id');
    expect(await wrongArgument(changeApplication(admin, shop.id, { profileId: 'lenient' }, epoch))).toBe('/profile_id');
    expect(await wrongArgument(changeApplication(admin, 'nothing', { profileId: 'strict' }, epoch))).toBe(
      '/application',
    );
    expect(await wrongArgument(changeApplication(admin, shop.id, { name: '' }, epoch))).toBe('/name');
    expect(await wrongArgument(changeApplication(admin, 'nothing', { active: true }, epoch))).toBe('/application');
    expect(listApplications(admin)).toHaveLength(1);
  });

  test('tokens are made, listed and revoked', async () => {
    const { admin, store, request, organizationId } = await begin();
    const ada = await createUser(admin, request, epoch);
    const bot = await createUser(admin, { ...request, email: 'bot@example.org', service: true }, epoch);
    const pat = await createToken(admin, { userId: ada.id, name: 'laptop', scopes: ['guard:scan'] }, epoch);
    const key = await createToken(admin, { userId: bot.id, name: 'agent', scopes: ['guard:scan'] }, epoch + 1);
    expect([pat.record.kind, key.record.kind]).toEqual(['pat', 'service']);
    expect(listTokens(admin)).toEqual([pat.record, key.record]);
    expect(listTokens(admin, { organizationId, userId: bot.id })).toEqual([key.record]);
    expect(await revokeToken(admin, key.record.id, epoch + 2)).toEqual({ ...key.record, revokedAt: epoch + 2 });
    expect(store.tokens.findByHash(hashToken(key.token))?.revokedAt).toBe(epoch + 2);
    expect(await wrongArgument(revokeToken(admin, 'nothing', epoch))).toBe('/token');
    expect(await wrongArgument(createToken(admin, { userId: 'nobody', name: 'x', scopes: ['admin'] }, epoch))).toBe(
      '/user_id',
    );
  });

  test('tokens do no more than the role of their user', async () => {
    const { admin, request } = await begin();
    const bob = await createUser(admin, { ...request, role: 'member', email: 'bob@example.org' }, epoch);
    const make = (names: readonly string[]) => createToken(admin, { userId: bob.id, name: 'x', scopes: names }, epoch);
    expect(await wrongArgument(make(['guard:scan', 'admin']))).toBe('/scopes');
    const { token } = await make(['guard:scan', 'results:read']);
    const now = () => verifyToken(admin.store, new Map(), token, epoch, () => {}).scopes;
    expect(now()).toEqual(['guard:scan', 'results:read']);
    await changeUser(admin, bob.id, { role: 'viewer' }, epoch);
    expect(now()).toEqual(['results:read']);
    await changeUser(admin, bob.id, { role: 'admin' }, epoch);
    expect(now()).toEqual(['guard:scan', 'results:read']);
  });

  test('tokens are bound to applications of their own organization only', async () => {
    const { admin, organizationId, request } = await begin();
    const ada = await createUser(admin, request, epoch);
    const foreign = await createOrganization(admin, 'Foreign', epoch);
    const app = (id: string) =>
      createApplication(admin, { organizationId: id, name: 'Shop', profileId: 'default' }, epoch);
    const [shop, theirs] = [await app(organizationId), await app(foreign.id)];
    const make = (applicationId: string) =>
      createToken(admin, { userId: ada.id, name: 'x', scopes: ['guard:scan'], applicationId }, epoch);
    const { token, record } = await make(shop.id);
    expect(record.applicationId).toBe(shop.id);
    expect(verifyToken(admin.store, new Map(), token, epoch, () => {})).toMatchObject({ appUuid: shop.id });
    for (const id of [theirs.id, 'nothing']) expect(await wrongArgument(make(id))).toBe('/app_uuid');
  });

  test('all wrong arguments are named at once', async () => {
    const { admin, organizationId, request } = await begin();
    const ada = await createUser(admin, request, epoch);
    const shop = await createApplication(admin, { organizationId, name: 'Shop', profileId: 'default' }, epoch);
    const [password, profileId, name] = ['short', 'nope', ' '];
    const token = { userId: ada.id, name, scopes: ['guard:scan'], expiresAt: epoch - 1, applicationId: 'nope' };
    const nobody = { ...token, userId: 'nobody', scopes: [] };
    const own = createOrganizationProfiles([]);
    const profile = { title: name, policies: {}, storeText: 'none', scanScope: 'all' } as const;
    const attempts: [readonly string[], () => Promise<unknown>][] = [
      [
        ['/email', '/role', '/profile_id', '/password'],
        () => createUser(admin, { organizationId, email: 'bad', role: 'owner', profileId, password }, epoch),
      ],
      [
        ['/role', '/profile_id', '/password'],
        () => changeUser(admin, ada.id, { role: 'owner', profileId, password }, epoch),
      ],
      [['/name', '/profile_id'], () => createApplication(admin, { organizationId, name, profileId }, epoch)],
      [['/name', '/profile_id'], () => changeApplication(admin, shop.id, { name, profileId }, epoch)],
      [['/name', '/expires_at', '/app_uuid'], () => createToken(admin, token, epoch)],
      [['/user_id', '/name', '/scopes', '/expires_at'], () => createToken(admin, nobody, epoch)],
      [['/id', '/title'], async () => own.save(admin, organizationId, 'A B', profile, epoch)],
    ];
    for (const [pointers, attempt] of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'invalid_input',
        message: `${pointers.length} fields are invalid.`,
        fields: pointers.map((pointer) => ({ pointer })),
      });
    }
  });

  test.each([
    ['🙂'.repeat(128), undefined],
    ['🙂'.repeat(129), 'must have at most 128 characters'],
    [' ', 'must not be blank'],
    ['', 'must not be blank'],
    ['a\u0000', 'must hold neither a control character nor a lone surrogate'],
    ['\ud83d', 'must hold neither a control character nor a lone surrogate'],
  ])('a name is told what is wrong with it: %j', async (name, message) => {
    const { admin, organizationId } = await begin();
    const made = createApplication(admin, { organizationId, name, profileId: 'default' }, epoch);
    if (message === undefined) expect((await made).name).toBe(name);
    else await expect(made).rejects.toMatchObject({ fields: [{ pointer: '/name', message }] });
  });

  test('no profile has the id that is a path beside those of profiles', async () => {
    const { admin, organizationId } = await begin();
    const profile = { title: 'Preview', policies: {}, storeText: 'none', scanScope: 'all' } as const;
    const save = async (id: string) => createOrganizationProfiles([]).save(admin, organizationId, id, profile, epoch);
    for (const id of ['preview', 'new']) {
      await expect(save(id)).rejects.toMatchObject({
        code: 'invalid_input',
        fields: [{ pointer: '/id', message: 'is reserved' }],
      });
    }
    expect(await save('history')).toMatchObject({ id: 'history' });
  });

  test('tokens of one user are bounded, and ended ones make room', async () => {
    const { admin, store, request } = await begin();
    const ada = await createUser(admin, request, epoch);
    const row = (id: string, values: Partial<TokenRecord>) =>
      tokenRecord({ userId: ada.id, organizationId: ada.organizationId, ...values, name: id });
    const rows = Array.from({ length: limits.tokensPerUserMax - 1 }, (_, n) => row(`valid ${n}`, {}));
    const over = Array.from({ length: limits.endedTokensPerUserMax + 2 }, (_, n) =>
      row(`over ${n}`, { createdAt: epoch + n, revokedAt: epoch }),
    );
    await Promise.all([...rows, ...over].map((each) => store.change((write) => write.tokens.put(each))));
    const make = () => createToken(admin, { userId: ada.id, name: 'last', scopes: ['guard:scan'] }, epoch);
    await make();
    const left = listTokens(admin, { userId: ada.id }).map(({ name }) => name);
    expect(left.filter((name) => name.startsWith('over'))).toEqual(over.slice(2).map(({ name }) => name));
    await expect(make()).rejects.toMatchObject({ code: 'conflict' });
    await store.change((write) => write.tokens.put({ ...rows[0], revokedAt: epoch }));
    await make();
  });

  test('users and applications of one organization are bounded', async () => {
    const { admin, organizationId, request } = await begin();
    const full = <T extends object>(table: T): T => ({ ...table, list: () => Array.from({ length: 10_000 }) });
    const store = { ...admin.store, users: full(admin.store.users), applications: full(admin.store.applications) };
    expect([limits.usersPerOrganizationMax, limits.applicationsPerOrganizationMax]).toEqual([10_000, 10_000]);
    await expect(createUser({ ...admin, store }, request, epoch)).rejects.toMatchObject({ code: 'conflict' });
    const app = { organizationId, name: 'Shop', profileId: 'default' };
    await expect(createApplication({ ...admin, store }, app, epoch)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('an organization keeps an admin, also when two are demoted at once', async () => {
    const { admin, store, request } = await begin();
    const [ada, bob] = [
      await createUser(admin, { ...request, password }, epoch),
      await createUser(admin, { ...request, email: 'bob@example.org', password }, epoch),
    ];
    await createUser(admin, { ...request, email: 'bot@example.org', service: true }, epoch);
    const outcomes = await Promise.allSettled([
      changeUser(admin, ada.id, { role: 'member' }, epoch),
      changeUser(admin, bob.id, { role: 'viewer' }, epoch),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'conflict' } });
    await expect(removeUser(admin, bob.id, epoch)).rejects.toMatchObject({ code: 'conflict' });
    const own = { ...admin, actor: { via: 'session', userId: ada.id } as const };
    await expect(removeUser(own, ada.id, epoch)).rejects.toMatchObject({ code: 'conflict' });
    expect(store.users.get(bob.id)?.role).toBe('admin');
  });

  test('an admin who can neither sign in nor show a token is none to leave an organization with', async () => {
    const { admin, request } = await begin();
    const ada = await createUser(admin, { ...request, password }, epoch);
    const ghost = await createUser(admin, { ...request, email: 'ghost@example.org' }, epoch);
    const leave = () => changeUser(admin, ada.id, { role: 'viewer' }, epoch);
    await expect(leave()).rejects.toMatchObject({ code: 'conflict' });
    await expect(removeUser(admin, ada.id, epoch)).rejects.toMatchObject({ code: 'conflict' });
    const tokenOf = async (wanted: string, expiresAt?: number) =>
      createToken(admin, { userId: ghost.id, name: wanted, scopes: [wanted], ...(expiresAt && { expiresAt }) }, epoch);
    await tokenOf('guard:scan');
    await expect(leave()).rejects.toMatchObject({ code: 'conflict' });
    const { record } = await tokenOf('admin');
    await revokeToken(admin, record.id, epoch);
    await expect(leave()).rejects.toMatchObject({ code: 'conflict' });
    await tokenOf('admin');
    expect((await leave()).role).toBe('viewer');
  });

  test('who is signed in changes the own password with the current one only', async () => {
    const { admin, store, request } = await begin();
    const ada = await createUser(admin, { ...request, password }, epoch);
    const bob = await createUser(admin, { ...request, email: 'bob@example.org', password }, epoch);
    const signedIn = { ...admin, actor: { via: 'session', userId: ada.id } as const };
    const change = { password: 'another password' };
    await expect(changeUser(signedIn, ada.id, change, epoch)).rejects.toMatchObject({ code: 'conflict' });
    expect(store.users.get(ada.id)).toEqual(ada);
    await changeUser(signedIn, bob.id, change, epoch);
    await changeUser({ ...admin, actor: { via: 'token', userId: ada.id } }, ada.id, change, epoch);
    expect(store.users.get(ada.id)?.passwordHash).not.toBe(ada.passwordHash);
  });

  test('what changes nothing is no act', async () => {
    const { admin, store, organizationId, request } = await begin();
    const ada = await createUser(admin, { ...request, password }, epoch);
    const shop = await createApplication(admin, { organizationId, name: 'Shop', profileId: 'default' }, epoch);
    const before = store.audit.find({ organizationId, limit: 100 }).entries;
    expect(await changeUser(admin, ada.id, {}, epoch)).toEqual(ada);
    expect(await changeUser(admin, ada.id, { role: 'admin', profileId: 'strict' }, epoch)).toEqual(ada);
    expect(await changeApplication(admin, shop.id, { name: 'Shop' }, epoch)).toEqual(shop);
    await renameOrganization(admin, organizationId, 'Example', epoch);
    expect(store.audit.find({ organizationId, limit: 100 }).entries).toEqual(before);
  });

  test('a profile that is removed at the same moment is assigned to nobody', async () => {
    const { admin, store, organizationId, request } = await begin();
    const ada = await createUser(admin, request, epoch);
    const shop = await createApplication(admin, { organizationId, name: 'Shop', profileId: 'default' }, epoch);
    const profileId = 'own';
    const bob = { ...request, email: 'bob@example.org', profileId };
    const assignments: readonly (() => Promise<unknown>)[] = [
      () => createApplication(admin, { organizationId, name: 'Chat', profileId }, epoch),
      () => changeApplication(admin, shop.id, { profileId }, epoch),
      () => createUser(admin, bob, epoch),
      () => createUser(admin, { ...bob, password }, epoch),
      () => changeUser(admin, ada.id, { profileId }, epoch),
      () => changeUser(admin, ada.id, { profileId, password }, epoch),
    ];
    const own = createOrganizationProfiles([]);
    for (const assign of assignments) {
      await own.save(
        admin,
        organizationId,
        profileId,
        { title: 'Own', policies: {}, storeText: 'none', scanScope: 'all' },
        epoch,
      );
      const removed = own.remove(admin, organizationId, profileId, epoch);
      expect(await wrongArgument(assign())).toBe('/profile_id');
      await removed;
    }
    expect(store.users.list()).toEqual([ada]);
    expect(store.applications.list()).toEqual([shop]);
  });

  test('what an act changed is told in the log, unless that is too large', async () => {
    const { admin, store, organizationId, request } = await begin();
    const ada = await createUser(admin, { ...request, password }, epoch);
    await changeUser(admin, ada.id, { profileId: 'observe', password: 'another password' }, epoch + 1);
    const [changed, made] = store.audit.find({ organizationId, limit: 2 }).entries;
    expect(made).toMatchObject({
      action: 'user.create',
      target: { kind: 'user', id: ada.id, name: 'ada@example.org' },
    });
    expect(made.changes).toEqual({
      email: { after: 'ada@example.org' },
      role: { after: 'admin' },
      service: { after: false },
      profile_id: { after: 'strict' },
      can_sign_in: { after: true },
    });
    expect(changed.changes).toEqual({
      profile_id: { before: 'strict', after: 'observe' },
      password: { after: 'changed' },
    });
    const large = { list: { after: 'x'.repeat(limits.auditChangesUnitsMax) } };
    const act = auditAct(admin.actor, organizationId, 'list.update', made.target, large, epoch);
    expect(act.changes).toEqual({ too_large: { after: JSON.stringify(large).length } });
  });

  test('of one organization, sees and changes nothing of another', async () => {
    const { admin, store, organizationId, request } = await begin();
    const foreign = await createOrganization(admin, 'Foreign', epoch);
    const eve = await createUser(admin, { ...request, organizationId: foreign.id, email: 'eve@foreign.org' }, epoch);
    const { record } = await createToken(admin, { userId: eve.id, name: 'laptop', scopes: ['admin'] }, epoch);
    const app = { organizationId: foreign.id, name: 'Shop', profileId: 'default' };
    const { id: appId } = await createApplication(admin, app, epoch);
    const before = [store.organizations, store.users, store.applications, store.tokens].map((table) => table.list());

    const own: Administration = { ...admin, organizationId };
    expect([listOrganizations(own), listUsers(own), listApplications(own), listTokens(own)]).toMatchObject([
      [{ id: organizationId }],
      [],
      [],
      [],
    ]);
    for (const list of [listUsers, listApplications])
      expect(() => list(own, foreign.id)).toThrow('organization is not known');
    expect(() => listTokens(own, { organizationId: foreign.id })).toThrow('organization is not known');
    const attempts: [string, () => Promise<unknown>][] = [
      ['/organization', () => renameOrganization(own, foreign.id, 'Mine', epoch)],
      ['/organization', () => createUser(own, { ...request, organizationId: foreign.id }, epoch)],
      ['/organization', () => createApplication(own, app, epoch)],
      ['/user', () => removeUser(own, eve.id, epoch)],
      ['/user', () => changeUser(own, eve.id, { profileId: 'observe' }, epoch)],
      ['/user', () => changeUser(own, eve.id, { password }, epoch)],
      ['/user_id', () => createToken(own, { userId: eve.id, name: 'mine', scopes: ['admin'] }, epoch)],
      ['/application', () => changeApplication(own, appId, { profileId: 'observe' }, epoch)],
      ['/application', () => changeApplication(own, appId, { name: 'Mine' }, epoch)],
      ['/application', () => changeApplication(own, appId, { active: false }, epoch)],
      ['/token', () => revokeToken(own, record.id, epoch)],
    ];
    for (const [pointer, attempt] of attempts) expect(await wrongArgument(attempt())).toBe(pointer);
    const after = [store.organizations, store.users, store.applications, store.tokens].map((table) => table.list());
    expect(after).toEqual(before);
  });
});

describe.each(stores)('the first run with %s', (_, open) => {
  test('makes an organization, an admin who can sign in, and a token that may do everything', async () => {
    const store = open();
    const made = await bootstrap(store, { now: epoch });
    if (!made.created) throw new Error('nothing was made');
    expect(store.organizations.list()).toEqual([made.organization]);
    expect(store.users.list()).toEqual([made.user]);
    expect(made.user).toMatchObject({
      email: 'admin@localhost',
      role: 'admin',
      service: false,
      profileId: 'default',
      organizationId: made.organization.id,
    });
    expect(made.password).toMatch(/^[0-9A-Za-z]{20,}$/);
    expect(await verify(made.user.passwordHash ?? '', made.password)).toBe(true);
    expect(made).not.toHaveProperty('bootstrapTokenKnown');
    const principal = verifyToken(store, new Map(), made.token ?? '', epoch, () => {});
    expect(principal).toMatchObject({ userId: made.user.id, scopes, organizationId: made.organization.id });
    expect(store.tokens.list()).toHaveLength(1);
  });

  test('makes the given token valid instead, and does not repeat it', async () => {
    const store = open();
    const token = generateToken('pat');
    const made = await bootstrap(store, { token, now: epoch });
    expect(made).toMatchObject({ created: true, bootstrapTokenKnown: true });
    expect(JSON.stringify(made)).not.toContain(token);
    expect(verifyToken(store, new Map(), token, epoch, () => {})).toMatchObject({ scopes });
    expect(store.tokens.list()).toHaveLength(1);
  });

  test('is made once: later runs change nothing, and tell whether the given token is valid', async () => {
    const store = open();
    const [token, stranger] = [generateToken('pat'), generateToken('pat')];
    const made = await bootstrap(store, { token, now: epoch });
    const rows = () => [store.organizations, store.users, store.tokens].map((table) => table.list());
    const before = rows();
    const again = (given?: string) =>
      bootstrap(store, { ...(given === undefined ? {} : { token: given }), now: epoch + 1 });
    const found = { created: false, organization: made.organization, user: made.user };
    expect(await again()).toEqual(found);
    expect(await again(token)).toEqual({ ...found, bootstrapTokenKnown: true });
    expect(await again(stranger)).toEqual({ ...found, bootstrapTokenKnown: false });
    expect(rows()).toEqual(before);

    await revokeToken(administer(store), store.tokens.list()[0].id, epoch + 2);
    expect(await again(token)).toEqual({ ...found, bootstrapTokenKnown: false });
    await store.change((write) => write.users.remove(made.user?.id ?? ''));
    expect(await again()).toEqual({ created: false, organization: made.organization });
  });

  test.each(['', 'mrl_pat_secret', `${generateToken('pat')} `, generateToken('service')])(
    'refuses a token that it could not make valid, without repeating it, and makes nothing: case %#',
    async (token) => {
      const store = open();
      const error: unknown = await bootstrap(store, { token, now: epoch }).catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'GuardError', fields: [{ pointer: '/MERLON_BOOTSTRAP_TOKEN' }] });
      if (token !== '') expect(String(error)).not.toContain(token);
      expect(store.organizations.list()).toEqual([]);
      expect(store.users.list()).toEqual([]);
      expect((await bootstrap(store, { now: epoch })).created).toBe(true);
    },
  );

  test('that was cut off before its end is begun anew, with the same token too', async () => {
    const store = open();
    const token = generateToken('pat');
    const leftOver = user({ email: 'admin@localhost' });
    await store.change((write) => write.users.put(leftOver));
    await store.change((write) => write.tokens.put(tokenRecord({ userId: leftOver.id, hash: hashToken(token) })));
    const made = await bootstrap(store, { token, now: epoch });
    expect(made.created).toBe(true);
    expect(store.users.list()).toEqual([made.user]);
    expect(store.tokens.list()).toMatchObject([{ userId: made.user?.id }]);
    expect(verifyToken(store, new Map(), token, epoch, () => {})).toMatchObject({ userId: made.user?.id });
  });
});
