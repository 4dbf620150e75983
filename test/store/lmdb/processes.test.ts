import { once } from 'node:events';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openLmdbStore } from '../../../src/store/lmdb/lmdb-store.js';
import { orgA, organization, scanRecord, temporaryFolder, tokenRecord } from '../samples.js';
import { startChild } from './child.js';

test('what another process commits is seen in the next turn of the event loop', async () => {
  const folder = temporaryFolder();
  const store = openLmdbStore(folder);
  onTestFinished(() => store.close());
  const token = tokenRecord();
  await store.change((write) => write.tokens.put(token));
  const before = store.version();

  const child = startChild('administer', [folder, token.id]);
  // Reads all the while, so that this process holds snapshots that it must let go of.
  const reading = setInterval(() => store.tokens.findByHash(token.hash), 1);
  onTestFinished(() => clearInterval(reading));
  await child.printed(1);
  // The reads of this turn may go on with the snapshot that it began with.
  await nextTurn();

  expect(store.version()).not.toBe(before);
  expect(store.tokens.findByHash(token.hash)?.revokedAt).toBeDefined();
  expect(store.applications.list().map(({ name }) => name)).toEqual(['Made elsewhere']);
  const page = store.scans.find({ organizationId: orgA, projectId: 'elsewhere', limit: 100, offset: 4_900 });
  expect(page).toMatchObject({ total: 5_000, records: { length: 100 } });

  // Both go on with the same counts.
  await store.scans.append(scanRecord(9_999, 9_999, { projectId: 'elsewhere' }));
  expect(store.scans.find({ organizationId: orgA, projectId: 'elsewhere', limit: 0 }).total).toBe(5_001);
  expect((await child.ended).code).toBe(0);
});

test('a process that holds the lock stops writes, which health tells, and never reads; its death frees the lock', async () => {
  const folder = temporaryFolder();
  const store = openLmdbStore(folder, { stallMs: 30 });
  onTestFinished(() => store.close());
  const known = organization();
  await store.change((write) => write.organizations.put(known));

  const child = startChild('hold-lock', [folder]);
  await child.printed(1);
  const appending = store.scans.append(scanRecord(0, 0));
  const saving = store.change((write) => write.organizations.put(organization()));
  await expect.poll(() => store.health()).toEqual({ ok: false, reason: 'Writes to the store are not answered.' });
  expect(store.organizations.list()).toEqual([known]);
  expect(await Promise.race([appending, saving, delay(20, 'waiting')])).toBe('waiting');

  child.process.kill('SIGKILL');
  await once(child.process, 'close');
  await Promise.all([appending, saving]);
  expect(store.health()).toEqual({ ok: true });
  expect(store.organizations.list()).toHaveLength(2);
  expect(store.scans.find({ organizationId: orgA, limit: 1 }).total).toBe(1);
});
