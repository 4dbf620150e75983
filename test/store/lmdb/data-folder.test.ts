import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ScanRecord } from '../../../src/domain/scan-record.js';
import { openLmdbStore } from '../../../src/store/lmdb/lmdb-store.js';
import { encodeRollup } from '../../../src/store/lmdb/rollup-entry.js';
import { organizationScope } from '../../../src/store/lmdb/scan-scope.js';
import { emptyRollup } from '../../../src/store/rollup.js';
import { type Store, StoreError } from '../../../src/store/store.js';
import {
  epoch,
  orgA,
  organization,
  orgB,
  profileDraft,
  scanRecord,
  storedRules,
  temporaryFolder,
  tokenRecord,
  user,
} from '../samples.js';

async function fill(folder: string, scans: number): Promise<void> {
  const store = openLmdbStore(folder);
  await store.change((write) => write.organizations.put(organization()));
  await Promise.all(Array.from({ length: scans }, (_, i) => store.scans.append(scanRecord(i, i))));
  await store.close();
}

async function writeSchema(folder: string, schema: string): Promise<void> {
  const root = open<Buffer, Buffer>(folder, { noSubdir: false });
  const meta = root.openDB<Buffer, Buffer>('meta', { encoding: 'binary', keyEncoding: 'binary' });
  await meta.put(Buffer.from('schema'), Buffer.from(schema));
  await root.close();
}

describe('opening a folder', () => {
  test('creates it for its owner alone, with its parents and a dot in its name', async () => {
    const folder = join(temporaryFolder(), 'deep', 'merlon.data');
    await openLmdbStore(folder).close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'data.mdb')).isFile()).toBe(true);
  });

  test('keeps the mode of one that is there, with files for the owner alone', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    await openLmdbStore(folder).close();
    const modes = ['.', 'data.mdb', 'lock.mdb'].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o600, 0o600]);
  });

  test('finds again what was stored, many times over', async () => {
    const folder = temporaryFolder();
    for (let round = 1; round <= 3; round++) {
      const store = openLmdbStore(folder);
      await store.scans.append(scanRecord(round, round));
      await store.close();
      const again = openLmdbStore(folder);
      expect(again.scans.find({ organizationId: orgA, limit: 1 }).total).toBe(round);
      await again.close();
    }
  });

  test.each([
    ['3', /newer version of Merlon \(schema 3, this version knows 2\)/],
    ['17', /newer version of Merlon \(schema 17,/],
    ['x', /damaged/],
    ['0', /damaged/],
  ])('refuses schema %s', async (schema, message) => {
    const folder = temporaryFolder();
    await fill(folder, 0);
    await writeSchema(folder, schema);
    expect(() => openLmdbStore(folder)).toThrow(StoreError);
    expect(() => openLmdbStore(folder)).toThrow(message);
    // And leaves it as it was: the version that wrote it can go on.
    await writeSchema(folder, '2');
    const store = openLmdbStore(folder);
    expect(store.organizations.list()).toHaveLength(1);
    await store.close();
  });

  test.each<[string, (folder: string) => void, RegExp]>([
    ['its name is taken by a file', (folder) => replace(folder, 'text'), /cannot be used/],
    ['its parent is a file', (folder) => replace(join(folder, '..'), 'text'), /cannot be used/],
    ['data.mdb is no database', (folder) => replace(join(folder, 'data.mdb'), 'A'.repeat(100_000)), /not a database/],
    ['data.mdb is a word', (folder) => replace(join(folder, 'data.mdb'), 'word'), /not a database/],
    ['data.mdb is a folder', (folder) => replaceByFolder(join(folder, 'data.mdb')), /not a file/],
    ['lock.mdb is a folder', (folder) => replaceByFolder(join(folder, 'lock.mdb')), /not a file/],
    ['data.mdb was cut off', (folder) => truncateSync(join(folder, 'data.mdb'), 200_000), /cut off/],
  ])('is refused, without harm to the process, when %s', async (_, damage, message) => {
    const folder = join(temporaryFolder(), 'inner', 'data');
    await fill(folder, 9_000);
    damage(folder);
    expect(() => openLmdbStore(folder)).toThrow(StoreError);
    expect(() => openLmdbStore(folder)).toThrow(message);
  });

  test('is refused wherever data.mdb was cut off behind its first pages', async () => {
    const folder = temporaryFolder();
    await fill(folder, 300);
    const file = join(folder, 'data.mdb');
    const whole = readFileSync(file);
    for (let bytes = 8_192; bytes < whole.length; bytes += 4_096) {
      // One more byte than a page is a page that is not whole.
      for (const length of [bytes, Math.min(bytes + 1, whole.length - 1)]) {
        writeFileSync(file, whole.subarray(0, length));
        expect(() => openLmdbStore(folder), `${length} of ${whole.length}`).toThrow(/cut off/);
      }
    }
    writeFileSync(file, whole);
    const store = openLmdbStore(folder);
    expect(store.scans.find({ organizationId: orgA, limit: 1 }).total).toBe(300);
    await store.close();
  });

  test('does not mind pages that LMDB counted and never wrote', async () => {
    const folder = temporaryFolder();
    await fill(folder, 300);
    const root = open<Buffer, Buffer>(folder, { noSubdir: false, maxDbs: 64, eventTurnBatching: false });
    const table = root.openDB<Buffer, Buffer>('large', { encoding: 'binary', keyEncoding: 'binary' });
    const key = Buffer.from('key');
    await table.put(key, Buffer.alloc(10));
    // Pages of their own for some lists of unused pages, too.
    for (let round = 0; round < 3; round++) {
      await root.transaction(() => {
        table.putSync(key, Buffer.alloc(4_000_000));
        table.removeSync(key);
      });
    }
    await root.close();
    const file = readFileSync(join(folder, 'data.mdb'));
    const [first, second] = [24, 4_096 + 24].map((meta) => Number(file.readBigUInt64LE(meta + 120)));
    expect(file.length / 4_096, 'that it is short').toBeLessThan(Math.max(first, second) + 1 - 64);
    const store = openLmdbStore(folder);
    onTestFinished(() => store.close());
    expect(store.scans.find({ organizationId: orgA, limit: 1 }).total).toBe(300);
    await store.scans.append(scanRecord(300, 300));
    expect(store.scans.find({ organizationId: orgA, limit: 1 }).total).toBe(301);
  });

  test('of a version that knew no sessions and no audit log goes on as if it had', async () => {
    const folder = temporaryFolder();
    const before = openLmdbStore(folder);
    const [ada, token] = [user({ passwordHash: 'hash' }), tokenRecord()];
    await before.change((write) => write.users.put(ada));
    await before.change((write) => write.tokens.put(token));
    await before.scans.append(scanRecord(1, 1));
    await before.close();
    const root = open<Buffer, Buffer>(folder, { noSubdir: false, maxDbs: 64 });
    for (const name of ['audit', 'sessions', 'sessions-by-user']) {
      root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' }).dropSync();
    }
    await root.close();
    const store = openLmdbStore(folder);
    expect([store.users.get(ada.id), store.tokens.findByHash(token.hash)]).toEqual([ada, token]);
    expect(store.scans.find({ organizationId: orgA, limit: 1 }).total).toBe(1);
    expect([store.sessions.ofUser(ada.id), store.audit.find({ organizationId: orgA, limit: 1 }).entries]).toEqual([
      [],
      [],
    ]);
    await store.close();
  });

  test('does not mind a lost lock file', async () => {
    const folder = temporaryFolder();
    await fill(folder, 1);
    rmSync(join(folder, 'lock.mdb'));
    const store = openLmdbStore(folder);
    expect(store.organizations.list()).toHaveLength(1);
    await store.close();
  });
});

describe('a folder of the version before', () => {
  test('keeps its profiles, which have all messages scanned', async () => {
    const folder = temporaryFolder();
    await openLmdbStore(folder).close();
    const root = open<Buffer, Buffer>(folder, { noSubdir: false, maxDbs: 64 });
    const table = (name: string) => root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
    const { scanScope: _, ...draft } = profileDraft();
    const old = { ...draft, version: 1 };
    await table('profiles').put(Buffer.from(`${orgA}\0own`), Buffer.from(JSON.stringify(old)));
    await table('profile-versions').put(Buffer.from(`${orgA}\0own\0\0\0\0\u0001`), Buffer.from(JSON.stringify(old)));
    await root.close();

    const store = openLmdbStore(folder);
    onTestFinished(() => store.close());
    const read = { ...old, scanScope: 'all' };
    expect([store.profiles.get(orgA, 'own'), store.profiles.list(orgA)]).toEqual([read, [read]]);
    const next = await store.change((write) => write.profiles.put(profileDraft({ scanScope: 'latest_turn' })));
    expect(store.profiles.history(orgA, 'own')).toEqual([next, read]);
  });

  test('keeps its records and rules; their history begins with what is there, and counts begin now', async () => {
    const folder = temporaryFolder();
    const root = open<Buffer, Buffer>(folder, { noSubdir: false, maxDbs: 20 });
    const table = (name: string) => root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    const { revision: _, ...rules } = storedRules({ version: 'old' });
    await table('meta').put(Buffer.from('schema'), Buffer.from('1'));
    await table('custom-rules').put(Buffer.from(orgA), json(rules));
    await table('custom-rules-versions').put(Buffer.from(orgA), Buffer.from('old'));
    await root.close();

    const store = openLmdbStore(folder);
    onTestFinished(() => store.close());
    expect([store.customRules.version(orgA), store.customRules.get(orgA)]).toEqual(['old', rules]);
    expect(store.customRules.history(orgA)).toEqual([{ ...rules, revision: 1 }]);
    await store.change((write) => write.customRules.remove(orgA, { updatedAt: 7 }));
    await store.change((write) => write.customRules.put(storedRules({ version: 'new' })));
    const states = store.customRules.history(orgA).map(({ revision, version }) => [revision, version]);
    expect(states).toEqual([
      [3, 'new'],
      [2, ''],
      [1, 'old'],
    ]);
    expect([store.profiles.list(orgA), store.profiles.generation()]).toEqual([[], 0]);
    await store.scans.append(scanRecord(0, 1));
    expect(store.scans.rollups({ organizationId: orgA, from: epoch - 7_200_000, to: epoch + 1 })).toMatchObject([
      { scans: 1 },
    ]);
  });
});

describe('a folder of schema 1', () => {
  const text = { form: 'full', messages: [{ role: 'user', content: 'kept', cut: false }] } as const;
  const records = Array.from({ length: 2_500 }, (_, i) =>
    scanRecord(i, i, {
      organizationId: i % 5 === 0 ? orgB : orgA,
      projectId: i % 3 === 0 ? null : `project-${i % 3}`,
      flagged: i % 7 === 0,
      ...(i === 600 ? { storedText: 'full' } : {}),
    }),
  );
  const hour = Math.floor(epoch / 3_600_000);

  /** What that version wrote, but for its index, which nobody reads. */
  async function writeOld(folder: string): Promise<void> {
    const root = open<Buffer, Buffer>(folder, { noSubdir: false, maxDbs: 64 });
    const table = (name: string) => root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    const id = (record: ScanRecord) => Buffer.from(record.id.slice(5), 'hex');
    const [scans, texts, rollups, heads] = ['scans', 'scan-texts', 'scan-rollups', 'scan-heads'].map(table);
    await table('meta').put(Buffer.from('schema'), Buffer.from('1'));
    const old = ({ scannedFrom: _, ...record }: ScanRecord) => json(record);
    await Promise.all(records.map((record) => scans.put(id(record), old(record))));
    await texts.put(id(records[600]), json(text));
    await heads.put(Buffer.from('head'), Buffer.alloc(100));
    const key = Buffer.concat([Buffer.alloc(4), organizationScope(orgA) ?? Buffer.alloc(0)]);
    key.writeUInt32BE(hour);
    await rollups.put(key, encodeRollup({ ...emptyRollup(hour * 3_600_000), scans: 77 }));
    await root.close();
  }

  const check = (store: Store) => {
    for (const organizationId of [orgA, orgB]) {
      for (const projectId of ['project-1', 'project-2', undefined]) {
        const wanted = records.filter(
          (record) => record.organizationId === organizationId && (projectId ?? record.projectId) === record.projectId,
        );
        const query = { organizationId, limit: 5_000, ...(projectId === undefined ? {} : { projectId }) };
        expect(store.scans.find(query)).toEqual({ records: wanted.reverse(), total: wanted.length });
        const flagged = wanted.filter((record) => record.flagged).length;
        expect(store.scans.find({ ...query, limit: 0, flagged: true }).total).toBe(flagged);
      }
    }
    expect(store.scans.text(orgB, records[600].id)).toEqual(text);
    const counted = store.scans.rollups({ organizationId: orgA, from: epoch - 7_200_000, to: epoch + 1 });
    expect(
      counted.map(({ scans }) => scans),
      'counted once',
    ).toEqual([77]);
  };

  test('is moved to this one with all that it holds, once', async () => {
    const folder = temporaryFolder();
    await writeOld(folder);
    for (let round = 0; round < 2; round++) {
      const store = openLmdbStore(folder);
      check(store);
      await store.close();
    }
    const store = openLmdbStore(folder);
    expect(await store.scans.purge(epoch + 10_000)).toBe(records.length);
    await store.close();
  });

  test('is moved to the end where that was cut off', async () => {
    const folder = temporaryFolder();
    await writeOld(folder);
    await openLmdbStore(folder).close();
    // As a process leaves it that ended on the way: some records are moved, some are not.
    const root = open<Buffer, Buffer>(folder, { noSubdir: false, maxDbs: 64 });
    const table = (name: string) => root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
    await table('meta').put(Buffer.from('migrating'), Buffer.alloc(1));
    const late = scanRecord(3_000, 3_000, { projectId: 'late' });
    await table('scans').put(Buffer.from(late.id.slice(5), 'hex'), Buffer.from(JSON.stringify(late)));
    await root.close();
    const store = openLmdbStore(folder);
    onTestFinished(() => store.close());
    expect(store.scans.find({ organizationId: orgA, limit: 1 })).toMatchObject({ records: [late], total: 2_001 });
    expect(store.scans.find({ organizationId: orgA, projectId: 'late', limit: 1 }).total).toBe(1);
  });
});

describe('a folder that goes away under an open store', () => {
  test.each<[string, (folder: string) => void]>([
    ['removed', (folder) => rmSync(folder, { recursive: true })],
    [
      'replaced',
      (folder) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        writeFileSync(join(folder, 'data.mdb'), '');
      },
    ],
  ])('%s: writes fail, because they would be lost; reads go on', async (_, lose) => {
    const folder = join(temporaryFolder(), 'data');
    const store: Store = openLmdbStore(folder);
    onTestFinished(() => store.close());
    const kept = organization();
    await store.change((write) => write.organizations.put(kept));
    lose(folder);
    await expect(store.scans.append(scanRecord(0, 0))).rejects.toThrow(/removed or replaced/);
    await expect(store.change((write) => write.organizations.put(organization()))).rejects.toThrow(StoreError);
    expect(store.health()).toEqual({ ok: false, reason: expect.stringContaining('removed or replaced') });
    expect(store.organizations.list()).toEqual([kept]);
    expect(store.health().ok).toBe(false);
  });
});

function replace(path: string, text: string): void {
  rmSync(path, { recursive: true });
  writeFileSync(path, text);
}

function replaceByFolder(path: string): void {
  if (existsSync(path)) rmSync(path);
  mkdirSync(path);
}
