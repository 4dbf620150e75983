import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/api/operation.js';
import { operationTable } from '../../src/api/operations.js';
import { type Role, roles, type Scope, scopes, scopesOfRole, type User } from '../../src/domain/identity.js';
import { issueToken } from '../../src/guard/tokens.js';
import { openLmdbStore } from '../../src/store/lmdb/lmdb-store.js';
import type { Store } from '../../src/store/store.js';
import { openSession, password, passwordHash, saveToken, saveUser } from './people.js';
import { removeService, startTestService, type TestService } from './service.js';

/*
 * Every operation × every kind of caller × own and foreign ids, on a real service with a real store. What is expected
 * follows from two declarations alone: the rows of `cases` below (what an operation is asked, and what a foreign id is
 * answered), and `expected` (who may call). Operations without a row fail the first test.
 */

/** Names that only the other organization has: no answer may hold one. */
const foreignMark = `foreign-${randomUUID()}`;

interface World {
  readonly store: Store;
  readonly organizationId: string;
  readonly users: Readonly<Record<Role, User>>;
  readonly application: string;
}

interface Asked {
  readonly path?: string;
  readonly query?: string;
  readonly body?: object;
}

interface Case {
  /** The request; `world` is the organization whose ids it names, which is the caller's own or the other one. */
  readonly ask?: (world: World, caller: User) => Asked | Promise<Asked>;
  /** Status where all is well; 200 when left out. */
  readonly status?: number;
  /** Status for ids of another organization; absent where the request names none. */
  readonly foreign?: number;
  /** The same for an id that nobody has: must look alike, so this is asked, too. */
  readonly unknown?: Asked;
  /** Roles that the handler itself turns away. */
  readonly refuses?: readonly Role[];
}

const rules = { rules: [{ policy: 'LLM02', patterns: [{ phrase: 'project falcon' }] }] };
const messages = [{ role: 'user', content: 'hello' }];
const nobody = '00000000-0000-4000-8000-000000000000';

const freshUser = async ({ store, organizationId }: World): Promise<Asked> => ({
  path: `/api/v1/users/${(await saveUser(store, organizationId, 'viewer')).id}`,
});

const profile = { title: 'Made', policies: {}, storeText: 'none', scanScope: 'all' } as const;
const profileBody = { title: 'Made', policies: {}, store_text: 'none' };

/** A profile of the organization that no cell has touched. */
const freshProfile = async ({ store, organizationId }: World) => {
  const draft = { ...profile, organizationId, id: `p-${randomUUID()}`, updatedAt: Date.now() };
  const saved = await store.change((write) => write.profiles.put(draft));
  return { id: draft.id, version: saved?.version ?? 0, path: `/api/v1/profiles/${draft.id}` };
};

/** A state of the organization's own rules; its number is one that the caller's organization has not reached. */
const freshRules = async ({ store, organizationId }: World): Promise<number> => {
  const past = own.store.customRules.history(own.organizationId, 1)[0]?.revision ?? 0;
  for (;;) {
    const allow = [{ phrase: `words of ${organizationId}`, policies: ['LLM09'] }] as const;
    const state = { organizationId, version: randomUUID(), allow, lastNumber: 7, updatedAt: Date.now() };
    const owned = [{ id: 'ORG-0007', policy: 'LLM09', patterns: [{ phrase: 'of one' }], title: foreignMark }] as const;
    const isOwn = organizationId === own.organizationId;
    const { revision } = await store.change((write) => write.customRules.put({ ...state, rules: isOwn ? [] : owned }));
    if (isOwn || revision > past) return revision;
  }
};

const cases: Readonly<Record<string, Case>> = {
  explain: {
    ask: async (world) => ({ body: { messages, profile_id: (await freshProfile(world)).id } }),
    foreign: 404,
  },
  readOverview: { ask: ({ application }) => ({ query: `app_uuid=${application}` }), foreign: 200 },
  readCustomRulesHistory: {},
  readCustomRulesRevision: {
    ask: async (world) => ({ path: `/api/v1/organization/rules/history/${await freshRules(world)}` }),
    foreign: 404,
    unknown: { path: '/api/v1/organization/rules/history/999999' },
  },
  rollBackCustomRules: {
    ask: async (world) => ({ body: { revision: await freshRules(world) } }),
    foreign: 422,
  },
  listRules: {},
  readRule: {
    ask: async (world) => {
      await freshRules(world);
      return { path: `/api/v1/rules/${world === own ? 'LLM02-0060' : 'ORG-0007'}` };
    },
    foreign: 404,
    unknown: { path: '/api/v1/rules/LLM99-0001' },
  },
  reloadRules: {},
  listProfiles: {},
  readProfile: { ask: freshProfilePath(), foreign: 404, unknown: { path: '/api/v1/profiles/nobodys' } },
  saveProfile: {
    ask: freshProfilePath(() => profileBody),
    // Names are of an organization's own choice: that of another's profile is free.
    foreign: 200,
    unknown: { path: '/api/v1/profiles/nobodys-own', body: profileBody },
  },
  removeProfile: { ask: freshProfilePath(), foreign: 404, unknown: { path: '/api/v1/profiles/nobodys' } },
  readProfileHistory: {
    ask: freshProfilePath(undefined, '/history'),
    foreign: 404,
    unknown: { path: '/api/v1/profiles/nobodys/history' },
  },
  rollBackProfile: {
    ask: freshProfilePath((version) => ({ version }), '/rollback'),
    foreign: 404,
    unknown: { path: '/api/v1/profiles/nobodys/rollback', body: { version: 1 } },
  },
  previewChange: {
    ask: async (world) => ({ body: { messages, against: (await freshProfile(world)).id } }),
    foreign: 404,
  },
  scan: {
    ask: ({ application }) => ({ body: { messages, app_uuid: application } }),
    foreign: 403,
  },
  listResults: { ask: ({ application }) => ({ query: `app_uuid=${application}` }), foreign: 200 },
  listPolicies: {},
  readCustomRules: {},
  saveCustomRules: { ask: () => ({ body: rules }) },
  removeCustomRules: {},
  checkCustomRules: { ask: () => ({ body: rules }) },
  signIn: { ask: ({ users }) => ({ body: { email: users.member.email, password } }) },
  readSession: {},
  signOut: {},
  endOtherSessions: {},
  changePassword: { ask: () => ({ body: { current_password: password, new_password: 'staple that battery' } }) },
  listTokens: {},
  createToken: {
    ask: ({ users, application }, caller) => ({
      body: {
        name: 'made',
        scopes: ['results:read'],
        app_uuid: application,
        ...(caller.role === 'admin' ? { user_id: users.viewer.id } : {}),
      },
    }),
    status: 201,
    foreign: 422,
    refuses: ['viewer'],
  },
  revokeToken: {
    ask: async ({ store, users }, caller) => {
      // In the own organization the caller's own token; what an admin may do beyond that stands in another test.
      const owner = caller.organizationId === users.admin.organizationId ? caller : users.admin;
      const { record } = await store.change((write) =>
        issueToken(store, write, { userId: owner.id, name: 'x', scopes: ['results:read'] }, Date.now()),
      );
      return { path: `/api/v1/tokens/${record.id}` };
    },
    foreign: 404,
    unknown: { path: `/api/v1/tokens/${nobody}` },
  },
  listUsers: {},
  createUser: {
    ask: () => ({ body: { email: `new-${randomUUID()}@example.org`, role: 'viewer' } }),
    status: 201,
  },
  changeUser: {
    ask: async (world) => ({ ...(await freshUser(world)), body: { role: 'member' } }),
    foreign: 404,
    unknown: { path: `/api/v1/users/${nobody}`, body: { role: 'member' } },
  },
  removeUser: { ask: freshUser, foreign: 404, unknown: { path: `/api/v1/users/${nobody}` } },
  listApplications: {},
  createApplication: { ask: () => ({ body: { name: 'made' } }), status: 201 },
  changeApplication: {
    ask: ({ application }) => ({ path: `/api/v1/applications/${application}`, body: { name: 'renamed' } }),
    foreign: 404,
    unknown: { path: `/api/v1/applications/${nobody}`, body: { name: 'renamed' } },
  },
  readOrganization: {},
  changeOrganization: { ask: () => ({ body: { name: 'Renamed' } }) },
  listAudit: {},
  readOpenapi: {},
  isLive: {},
  isReady: {},
  readMetrics: {},
};

function freshProfilePath(bodyOf?: (version: number) => object, behind = ''): NonNullable<Case['ask']> {
  return async (world) => {
    const { path, version } = await freshProfile(world);
    return { path: `${path}${behind}`, ...(bodyOf === undefined ? {} : { body: bodyOf(version) }) };
  };
}

/** Who calls, and how. */
type Caller =
  | { readonly name: string; readonly kind: 'nobody' }
  | { readonly name: string; readonly kind: 'token'; readonly role: Role; readonly scopes: readonly Scope[] }
  | {
      readonly name: string;
      readonly kind: 'session';
      readonly role: Role;
      readonly fault?: 'no CSRF token' | 'wrong CSRF token' | 'foreign origin' | 'foreign site';
    };

const faults = ['no CSRF token', 'wrong CSRF token', 'foreign origin', 'foreign site'] as const;
const callers: readonly Caller[] = [
  { name: 'nobody', kind: 'nobody' },
  ...scopes.map((scope) => ({ name: `token ${scope}`, kind: 'token', role: 'admin', scopes: [scope] }) as const),
  // Scopes that the role has lost since the token was made.
  { name: 'token admin of a member', kind: 'token', role: 'member', scopes: ['admin'] },
  { name: 'token guard:scan of a viewer', kind: 'token', role: 'viewer', scopes: ['guard:scan'] },
  ...roles.map((role) => ({ name: `session ${role}`, kind: 'session', role }) as const),
  ...roles.flatMap((role) =>
    faults.map((fault) => ({ name: `session ${role}, ${fault}`, kind: 'session', role, fault }) as const),
  ),
];

type Target = 'own' | 'foreign' | 'unknown';

/** The one rule of who may do what. */
function expected(operation: Operation, given: Case, caller: Caller, target: Target): number {
  const { scope, method } = operation;
  const well = target === 'own' ? (given.status ?? 200) : (given.foreign ?? 0);
  if (scope === null) return well;
  const fault = caller.kind === 'session' ? caller.fault : undefined;
  const isForeignPage = fault === 'foreign origin' || fault === 'foreign site';
  if (scope === 'sign-in') return isForeignPage ? 403 : well;
  if (caller.kind === 'nobody' || (caller.kind === 'token' && scope === 'session')) return 401;
  if (isForeignPage || (fault !== undefined && method !== 'GET')) return 403;
  if (scope === 'session') return well;
  const allowed = scopesOfRole[caller.role];
  const has = caller.kind === 'session' ? allowed : caller.scopes.filter((one) => allowed.includes(one));
  const isLetIn =
    has.includes(scope) || has.includes('admin') || (caller.kind === 'session' && operation.anySession === true);
  if (!isLetIn || given.refuses?.includes(caller.role)) return 403;
  return well;
}

const operations = operationTable('1.2.3');
const cells = operations.flatMap((operation) => {
  const given = cases[operation.id] ?? {};
  const targets: readonly Target[] = [
    'own',
    ...(given.foreign === undefined ? [] : (['foreign'] as const)),
    ...(given.unknown === undefined ? [] : (['unknown'] as const)),
  ];
  return targets.flatMap((target) => callers.map((caller) => ({ operation, given, caller, target })));
});

let service: TestService;
let store: Store;
let own: World;
let other: World;

async function createWorld(mark: string): Promise<World> {
  const organizationId = randomUUID();
  await store.change((write) => write.organizations.put({ id: organizationId, name: mark, createdAt: Date.now() }));
  const [admin, member, viewer] = [
    await saveUser(store, organizationId, 'admin'),
    await saveUser(store, organizationId, 'member'),
    await saveUser(store, organizationId, 'viewer'),
  ];
  const application = randomUUID();
  const row = {
    id: application,
    organizationId,
    name: mark,
    profileId: 'default',
    active: true,
    createdAt: Date.now(),
  };
  await store.change((write) => write.applications.put(row));
  await saveToken(store, admin, ['admin'], mark);
  return { store, organizationId, users: { admin, member, viewer }, application };
}

beforeAll(async () => {
  service = await startTestService();
  store = openLmdbStore(service.dataFolder);
  own = await createWorld('own');
  other = await createWorld(foreignMark);
});
afterAll(async () => {
  await store.close();
  await removeService(service);
});

/** The credentials of a caller, fresh for every cell, because some cells end them. */
async function credentials(caller: Exclude<Caller, { kind: 'nobody' }>): Promise<Record<string, string>> {
  const person = own.users[caller.role];
  if (caller.kind === 'token') return { authorization: `Bearer ${await saveToken(store, person, caller.scopes)}` };
  // Some cells change the password.
  await store.change((write) => write.users.put({ ...person, passwordHash }));
  const { cookie, csrfToken } = await openSession(store, person);
  const origin = caller.fault === 'foreign origin' ? 'https://evil.example' : service.url;
  const csrf = { 'wrong CSRF token': { 'x-csrf-token': 'x'.repeat(43) }, 'no CSRF token': {} };
  return {
    cookie,
    origin,
    'sec-fetch-site': caller.fault === 'foreign site' ? 'same-site' : 'same-origin',
    ...(caller.fault !== undefined && caller.fault in csrf
      ? csrf[caller.fault as keyof typeof csrf]
      : { 'x-csrf-token': csrfToken }),
  };
}

/**
 * The service sees what this process wrote within a turn of its event loop, not at once. The credentials are what was
 * written last, so when they are known everything else is.
 */
async function known(headers: Record<string, string>): Promise<Record<string, string>> {
  const path = 'cookie' in headers ? '/api/v1/session' : '/api/v1/policies';
  const { origin: _origin, 'sec-fetch-site': _site, ...bare } = headers;
  await expect.poll(async () => (await fetch(service.url + path, { headers: bare })).status).not.toBe(401);
  return headers;
}

describe('who may do what', () => {
  test('is declared for every operation, and nothing else', () => {
    expect(Object.keys(cases).sort()).toEqual(operations.map(({ id }) => id).sort());
    for (const { id, path } of operations.filter((operation) => operation.path.includes('{'))) {
      expect(cases[id].foreign, `${path} takes an id`).toBe(id === 'saveProfile' ? 200 : 404);
      expect(cases[id].unknown, `${path} takes an id`).toBeDefined();
    }
    expect(cells.length).toBeGreaterThan(600);
  });

  test.each(operations.map((operation) => ({ id: operation.id, operation })))('$id', async ({ operation }) => {
    const wrong: string[] = [];
    const told = new Map<string, Set<string>>();
    for (const { given, caller, target } of cells.filter((cell) => cell.operation === operation)) {
      const person = caller.kind === 'nobody' ? own.users.viewer : own.users[caller.role];
      const asked = target === 'unknown' ? given.unknown : await given.ask?.(target === 'own' ? own : other, person);
      const { path = operation.path, query, body } = asked ?? {};
      const response = await fetch(`${service.url}${path}${query === undefined ? '' : `?${query}`}`, {
        method: operation.method,
        headers: {
          ...(caller.kind === 'nobody' ? {} : await known(await credentials(caller))),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const status = expected(operation, given, caller, target);
      if (response.status !== status) wrong.push(`${caller.name}, ${target}: ${response.status} instead of ${status}`);
      if (text.includes(foreignMark)) wrong.push(`${caller.name}, ${target}: tells of the other organization`);
      if (operation.path.includes('{') && response.status === 404) {
        const { request_id: _, ...problem } = JSON.parse(text) as Record<string, unknown>;
        told.set(caller.name, (told.get(caller.name) ?? new Set()).add(JSON.stringify(problem)));
      }
    }
    expect(wrong).toEqual([]);
    for (const [caller, answers] of told) expect(answers.size, `${caller}: a foreign id looks unknown`).toBe(1);
  });
});
