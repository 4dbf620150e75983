import { afterEach, describe, expect, it } from 'vitest';
import type { Durability } from '../../src/domain/durability.js';
import type { Principal } from '../../src/domain/identity.js';
import { compileProfile } from '../../src/engine/judge/profile.js';
import { createRecallParts, openRecall } from '../../src/engine/judge/recall.js';
import { createScanner } from '../../src/engine/scanner.js';
import { createAssignedProfile } from '../../src/guard/assigned-profile.js';
import { readBuildInfo } from '../../src/guard/build-info.js';
import type { Guard, ScanRequest } from '../../src/guard/guard.js';
import { createInspector } from '../../src/guard/inspector.js';
import { createOverlays } from '../../src/guard/overlays.js';
import { createProfiles } from '../../src/guard/profiles.js';
import { createRecorder } from '../../src/guard/recorder.js';
import { createGuardService } from '../../src/guard/service.js';
import { createTextKeeper } from '../../src/guard/text-keeper.js';
import { issueToken } from '../../src/guard/tokens.js';
import { createPool, type Pool, type PoolOptions } from '../../src/pool/pool.js';
import { openMemoryStore } from '../../src/store/memory/memory-store.js';
import { type Store, StoreError } from '../../src/store/store.js';
import { systemClock } from '../../src/telemetry/clock.js';
import { programOf } from '../engine/program-of.js';

const program = programOf([{ phrase: 'two words' }, { phrase: 'other thing' }]);
const enforced = { LLM01: { mode: 'enforce', threshold: 0.5 } } as const;
const profiles = [
  compileProfile({ id: 'default', title: 'Default', policies: enforced }, program),
  compileProfile(
    { id: 'observe', title: 'Observe', policies: { LLM01: { mode: 'monitor', threshold: 0.5 } } },
    program,
  ),
  compileProfile({ id: 'nothing', title: 'Nothing', policies: {} }, program),
  compileProfile({ id: 'latest', title: 'Latest', policies: enforced, scanScope: 'latest_turn' }, program),
];
const workerFile = new URL('../../dist/pool/worker.js', import.meta.url);
const organizationId = '10000000-0000-4000-8000-000000000001';
const userId = '20000000-0000-4000-8000-000000000001';
const appUuid = '30000000-0000-4000-8000-000000000001';
const foreignApp = '30000000-0000-4000-8000-000000000002';
const inactiveApp = '30000000-0000-4000-8000-000000000003';
const latestApp = '30000000-0000-4000-8000-000000000004';

const pools: Pool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

interface World {
  readonly guard: Guard;
  readonly principal: Principal;
  readonly token: string;
  readonly events: { failures: number; dropped: number; unconfirmed: number };
  /** From now on the named part of the store throws `StoreError`, as a failing disk does. */
  breakStore(part: 'reads' | 'writes' | 'everything'): void;
}

async function createWorld(
  options: { durability?: Durability; inlineUnitsMax?: number; pool?: Partial<PoolOptions> } = {},
): Promise<World> {
  const real = openMemoryStore();
  await real.change((write) => write.organizations.put({ id: organizationId, name: 'Test', createdAt: 1 }));
  const user = { id: userId, organizationId, email: 'a@example.org', role: 'admin', service: false } as const;
  await real.change((write) => write.users.put({ ...user, profileId: 'default', createdAt: 1 }));
  for (const [id, owner, profileId, active] of [
    [appUuid, organizationId, 'observe', true],
    [foreignApp, '10000000-0000-4000-8000-000000000002', 'default', true],
    [inactiveApp, organizationId, 'default', false],
    [latestApp, organizationId, 'latest', true],
  ] as const) {
    await real.change((write) =>
      write.applications.put({ id, organizationId: owner, name: id, profileId, active, createdAt: 1 }),
    );
  }
  const { token } = await real.change((write) =>
    issueToken(real, write, { userId, name: 'test', scopes: ['guard:scan'] }, Date.now()),
  );
  const broken = { reads: false, writes: false };
  const events = { failures: 0, dropped: 0, unconfirmed: 0 };
  const storeFailed = () => {
    events.failures++;
  };
  const store = breakable(real, broken);
  const recall = createRecallParts(1_000);
  const compiler = { open: () => Promise.reject(new Error('nobody has rules here')) };
  const guard = createGuardService({
    store,
    overlays: createOverlays({ store, compiler, program, clock: systemClock, failed: () => undefined }),
    program,
    assignedProfile: createAssignedProfile(store, createProfiles({ store, program, shipped: profiles })),
    inspector: createInspector(
      createScanner(program),
      () => {
        const pool = createPool({ program: program.memory, threads: 1, workerFile, recall, ...options.pool });
        pools.push(pool);
        return pool;
      },
      { inlineUnitsMax: options.inlineUnitsMax ?? 1_000, recall: openRecall(recall) },
    ),
    keepText: createTextKeeper(createScanner(program)),
    clock: systemClock,
    build: readBuildInfo(),
    recorder: createRecorder({
      scans: store.scans,
      durability: options.durability ?? 'relaxed',
      confirmMs: 50,
      events: {
        storeFailed,
        textDropped: () => undefined,
        recordDropped: (count) => {
          events.dropped += count;
        },
        recordUnconfirmed: () => {
          events.unconfirmed++;
        },
      },
    }),
    storeFailed,
  });
  return {
    guard,
    token,
    principal: guard.authenticate(token),
    events,
    breakStore: (part) => {
      broken.reads ||= part !== 'writes';
      broken.writes ||= part !== 'reads';
    },
  };
}

/** A store whose every method fails once its side is broken. */
function breakable(store: Store, broken: { reads: boolean; writes: boolean }): Store {
  const guardTable = <T extends object>(table: T): T =>
    new Proxy(table, {
      get: (target, name, receiver) => {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]) => {
          const isWrite = ['save', 'remove', 'touch', 'append', 'purge'].includes(String(name));
          if (isWrite && broken.writes) return Promise.reject(new StoreError('the disk is full'));
          if (!isWrite && broken.reads) throw new StoreError('the file is gone');
          return value.apply(target, args);
        };
      },
    });
  return {
    organizations: guardTable(store.organizations),
    users: guardTable(store.users),
    applications: guardTable(store.applications),
    tokens: guardTable(store.tokens),
    customRules: guardTable(store.customRules),
    profiles: guardTable(store.profiles),
    sessions: guardTable(store.sessions),
    audit: guardTable(store.audit),
    scans: guardTable(store.scans),
    change: (act) => (broken.writes ? Promise.reject(new StoreError('the disk is full')) : store.change(act)),
    version: () => {
      if (broken.reads) throw new StoreError('the file is gone');
      return store.version();
    },
    health: () => (broken.reads || broken.writes ? { ok: false, reason: 'broken by the test' } : store.health()),
    close: () => store.close(),
  };
}

function request(content: string, change: Partial<ScanRequest> = {}): ScanRequest {
  return {
    messages: [{ role: 'user', content }],
    source: 'rest',
    requestId: 'r',
    receivedUs: systemClock.nowUs(),
    positionEncoding: 'utf-16',
    payload: true,
    breakdown: false,
    devInfo: false,
    ...change,
  };
}

describe('profiles and applications', () => {
  it.each([
    ['no application: the default profile of the user', undefined, true, 1],
    ['an application: its own profile', appUuid, false, 1],
  ])('%s', async (_, app, flagged, matches) => {
    const { guard, principal } = await createWorld();
    const result = await guard.scan(principal, request('two words', app === undefined ? {} : { appUuid: app }));
    expect(result.flagged).toBe(flagged);
    expect(result.payload).toHaveLength(matches);
  });

  it.each([
    ['of another organization', foreignApp, 'forbidden_app', 'You do not have access to this application.'],
    ['that is unknown', '30000000-0000-4000-8000-00000000000f', 'unknown_app', 'Unknown app_uuid.'],
    ['that is inactive', inactiveApp, 'unknown_app', 'Unknown app_uuid.'],
  ])('refuses an application %s and records nothing', async (_, app, code, message) => {
    const { guard, principal } = await createWorld();
    expect(() => guard.scan(principal, request('two words', { appUuid: app }))).toThrowError(
      expect.objectContaining({ code, message }),
    );
    expect((await guard.results(principal, { limit: 10 })).total).toBe(0);
  });

  it('enforces the default profile where the assigned one no longer exists', async () => {
    const { guard, principal } = await createWorld();
    const result = await guard.scan({ ...principal, profileId: 'removed' }, request('two words'));
    expect(result.flagged).toBe(true);
  });

  it('lists no policy for a profile that has none on', async () => {
    const { guard, principal } = await createWorld();
    expect(guard.policies({ ...principal, profileId: 'nothing' })).toEqual([]);
    expect(guard.policies(principal)).toEqual([{ code: 'LLM01', mode: 'enforce' }]);
  });
});

describe('a failing store never changes a verdict', () => {
  it('goes on when writes fail, and counts what is lost', async () => {
    const { guard, principal, events, breakStore } = await createWorld();
    breakStore('writes');
    expect((await guard.scan(principal, request('two words'))).flagged).toBe(true);
    expect((await guard.scan(principal, request('nothing'))).flagged).toBe(false);
    expect((await guard.results(principal, { limit: 10 })).total).toBe(0);
    expect(events).toEqual({ failures: 2, dropped: 2, unconfirmed: 0 });
  });

  it('goes on where scans wait for their records, and tells that there is none', async () => {
    const { guard, principal, events, breakStore } = await createWorld({ durability: 'committed' });
    expect(await guard.scan(principal, request('two words'))).not.toHaveProperty('unrecorded');
    breakStore('writes');
    expect(await guard.scan(principal, request('two words'))).toMatchObject({ flagged: true, unrecorded: true });
    expect(events).toEqual({ failures: 1, dropped: 1, unconfirmed: 1 });
    expect((await guard.results(principal, { limit: 10 })).total).toBe(1);
  });

  it('goes on for known tokens and applications when reads fail too', async () => {
    const { guard, token, principal, breakStore } = await createWorld();
    await guard.scan(principal, request('two words', { appUuid }));
    breakStore('everything');
    const again = guard.authenticate(token);
    expect((await guard.scan(again, request('two words'))).flagged).toBe(true);
    expect((await guard.scan(again, request('two words', { appUuid }))).payload).toHaveLength(1);
  });

  it('answers 503, not a verdict, for an application that it cannot look up', async () => {
    const { guard, principal, breakStore } = await createWorld();
    breakStore('everything');
    expect(() => guard.scan(principal, request('two words', { appUuid }))).toThrowError(
      expect.objectContaining({ code: 'store_unavailable', status: 503 }),
    );
    expect(() => guard.results(principal, { limit: 10 })).toThrowError(
      expect.objectContaining({ code: 'store_unavailable' }),
    );
  });
});

describe('an unfinished scan is never a verdict', () => {
  const large = 'two words '.repeat(300_000);

  it('gives the same answer inline and from the pool', async () => {
    const inline = await createWorld({ inlineUnitsMax: 10_000_000 });
    const pooled = await createWorld();
    const text = `${'fine '.repeat(10_000)}two words`;
    const a = inline.guard.scan(inline.principal, request(text));
    const b = pooled.guard.scan(pooled.principal, request(text));
    expect(a, 'inline answers at once').not.toBeInstanceOf(Promise);
    expect(b).toBeInstanceOf(Promise);
    expect((await b).payload).toEqual((await a).payload);
  });

  it.each([
    ['its worker dies', { resourceLimits: { maxOldGenerationSizeMb: 4 } }, 'worker_lost'],
    ['it misses its deadline', { deadlineMs: 1 }, 'deadline'],
    ['the queue is full', { queueMax: -1 }, 'overloaded'],
  ] as [string, Partial<PoolOptions>, string][])('is a 503 when %s', async (_, pool, code) => {
    const { guard, principal } = await createWorld({ pool });
    await expect(guard.scan(principal, request(large))).rejects.toMatchObject({ code, status: 503 });
    expect((await guard.results(principal, { limit: 10 })).total).toBe(0);
  });
});

describe('what is before the latest turn', () => {
  const turn = (content: string) => [
    { role: 'user', content: `two words ${'x'.repeat(2_000)}` },
    { role: 'assistant', content: 'other thing' },
    { role: 'user', content },
  ];
  const asked = (content: string, change: Partial<ScanRequest> = {}) =>
    request('', { messages: turn(content), appUuid: latestApp, devInfo: true, breakdown: true, ...change });

  it('is neither scanned nor does it send the scan to the pool, and record and answer tell so', async () => {
    const { guard, principal } = await createWorld();
    const clean = guard.scan(principal, asked('hello'));
    expect(clean).not.toBeInstanceOf(Promise);
    expect(await clean).toMatchObject({
      flagged: false,
      messages: { scanned: 1, recalled: 0, skipped: 2 },
      devInfo: { scannedFrom: 2 },
      breakdown: [{ messageId: 2 }, { messageId: 2 }],
    });
    expect((await guard.scan(principal, asked('hello'))).messages).toEqual({ scanned: 0, recalled: 1, skipped: 2 });
    expect((await guard.results(principal, { limit: 1 })).records).toMatchObject([{ scannedFrom: 2 }]);
  });

  it('is not in the task of the pool either', async () => {
    const { guard, principal } = await createWorld();
    const found = guard.scan(principal, asked(`${'x'.repeat(2_000)} two words`));
    expect(found).toBeInstanceOf(Promise);
    expect((await found).payload).toMatchObject([{ messageId: 2 }]);
  });

  it('is not known to be free of secrets', async () => {
    const { guard, principal } = await createWorld();
    const ofMcp = { source: 'mcp', messages: [{ role: 'user', content: 'hello' }] } as const;
    expect((await guard.scan(principal, asked('', ofMcp))).hasNoSecrets).toBe(true);
    expect((await guard.scan(principal, asked('hello', { source: 'mcp' }))).hasNoSecrets).toBeUndefined();
  });
});

describe('what was clean before', () => {
  const turns = (count: number) =>
    Array.from({ length: count }, (_, turn) => ({ role: 'user', content: `turn ${turn} `.repeat(80) }));

  it('is not scanned again, and the answer tells so', async () => {
    const { guard, principal } = await createWorld();
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'two words' },
      { role: 'user', content: 'hello' },
    ];
    const ask = () => guard.scan(principal, request('', { messages, devInfo: true }));
    expect(await ask()).toMatchObject({
      flagged: true,
      messages: { scanned: 3, recalled: 0, skipped: 0 },
      devInfo: { recalled: 0 },
    });
    expect(await ask()).toMatchObject({
      flagged: true,
      messages: { scanned: 1, recalled: 2, skipped: 0 },
      devInfo: { recalled: 2 },
    });
    expect((await ask()).payload).toMatchObject([{ messageId: 1, start: 0, end: 9 }]);
  });

  it.each([
    ['an application with another profile', {}, { appUuid }],
    ['another organization', { organizationId: '10000000-0000-4000-8000-000000000002' }, {}],
  ])('is scanned for %s', async (_, other, change) => {
    const { guard, principal } = await createWorld();
    await guard.scan(principal, request('hello'));
    expect((await guard.scan(principal, request('hello'))).messages).toEqual({ scanned: 0, recalled: 1, skipped: 0 });
    const again = await guard.scan({ ...principal, ...other }, request('hello', change));
    expect(again.messages).toEqual({ scanned: 1, recalled: 0, skipped: 0 });
  });

  it('brings a long conversation back from the pool to the thread that read it', async () => {
    const { guard, principal } = await createWorld();
    const first = guard.scan(principal, request('', { messages: turns(4) }));
    expect(first).toBeInstanceOf(Promise);
    expect((await first).messages).toEqual({ scanned: 4, recalled: 0, skipped: 0 });
    const second = guard.scan(principal, request('', { messages: turns(5) }));
    expect(second).not.toBeInstanceOf(Promise);
    expect((await second).messages).toEqual({ scanned: 1, recalled: 4, skipped: 0 });
    const farther = guard.scan(principal, request('', { messages: turns(8) }));
    expect(farther, 'too much of it is new').toBeInstanceOf(Promise);
    expect((await farther).messages).toEqual({ scanned: 3, recalled: 5, skipped: 0 });
  });

  it('is known of a message that only the pool may scan', async () => {
    const { guard, principal } = await createWorld();
    const text = 'a long document '.repeat(100);
    expect((await guard.scan(principal, request(text))).messages).toEqual({ scanned: 1, recalled: 0, skipped: 0 });
    expect((await guard.scan(principal, request(text))).messages).toEqual({ scanned: 0, recalled: 1, skipped: 0 });
  });
});
