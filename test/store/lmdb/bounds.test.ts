import { expect, onTestFinished, test } from 'vitest';
import type { ScanRecord } from '../../../src/domain/scan-record.js';
import { type LmdbStoreOptions, openLmdbStore } from '../../../src/store/lmdb/lmdb-store.js';
import { type Store, StoreError } from '../../../src/store/store.js';
import { epoch, orgA, scanRecord, temporaryFolder } from '../samples.js';

function openWith(options: LmdbStoreOptions): Store {
  const store = openLmdbStore(temporaryFolder(), options);
  onTestFinished(() => store.close());
  return store;
}

/** Records of which each tenth has a detector. */
function tenths(count: number): ScanRecord[] {
  return Array.from({ length: count }, (_, i) => scanRecord(i, i, { detectors: i % 10 === 0 ? ['LLM01'] : [] }));
}

test('an append beyond the queue is refused at once; those in the queue are stored', async () => {
  const store = openWith({ recordQueueMax: 5 });
  const appends = tenths(7).map((record) => store.scans.append(record));
  const outcomes = await Promise.allSettled(appends);
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected', 'rejected']);
  await expect(appends[6]).rejects.toThrow(new StoreError('Too many scan records wait for the store.'));
  expect(store.scans.find({ organizationId: orgA, limit: 0 }).total).toBe(5);
  // A full queue is no failure of the store, and it is empty again.
  expect(store.health()).toEqual({ ok: true });
  await store.scans.append(scanRecord(100, 100));
});

test('records that come together share transactions, and the next of them waits for its turn', async () => {
  const store = openWith({ spacingMs: 60 });
  const begun = performance.now();
  await store.scans.append(scanRecord(0, 0));
  await Promise.all(
    tenths(100).map((record) => store.scans.append({ ...record, id: scanRecord(500, record.createdAt).id })),
  );
  const all = performance.now() - begun;
  // Timers count whole milliseconds.
  expect(Math.ceil(all)).toBeGreaterThanOrEqual(60);
  // One transaction for the hundred: with one each, their spacing alone would be six seconds.
  expect(all).toBeLessThan(6_000);
});

test('a full segment does not wait', async () => {
  const store = openWith({ spacingMs: 60_000 });
  await store.scans.append(scanRecord(5_000, 5_000));
  await Promise.all(tenths(1_024).map((record) => store.scans.append(record)));
  expect(store.scans.find({ organizationId: orgA, limit: 0 }).total).toBe(1_025);
});

test('a walk ends at its limit, counts what it saw, and can be gone on with to the end', async () => {
  const store = openWith({ resultsWalkMax: 100, spacingMs: 0 });
  const records = tenths(1_000);
  await Promise.all(records.map((record) => store.scans.append(record)));
  const query = { organizationId: orgA, detector: 'LLM01', limit: 40 } as const;
  const first = store.scans.find(query);
  expect(first.total).toBeGreaterThanOrEqual(10);
  expect(first.total).toBeLessThan(20);
  expect(first.records).toHaveLength(first.total);

  const ids = first.records.map(({ id }) => id);
  let next = first.next;
  let pages = 1;
  while (next !== undefined && pages < records.length) {
    const page = store.scans.find({ ...query, cursor: next });
    ids.push(...page.records.map(({ id }) => id));
    next = page.next;
    pages++;
  }
  expect(ids).toEqual(
    records
      .filter(({ detectors }) => detectors.length > 0)
      .map(({ id }) => id)
      .reverse(),
  );
  expect(pages).toBeGreaterThan(5);
});

test('a walk limit does not touch what needs no walk', async () => {
  const store = openWith({ resultsWalkMax: 100, spacingMs: 0 });
  const records = tenths(1_000).map((record, i) => ({ ...record, flagged: i < 3 }));
  await Promise.all(records.map((record) => store.scans.append(record)));
  expect(store.scans.find({ organizationId: orgA, limit: 0, flagged: true }).total).toBe(3);
  const page = store.scans.find({ organizationId: orgA, limit: 10, offset: 990 });
  expect(page).toEqual({ records: records.slice(0, 10).reverse(), total: 1_000 });
});

test('a deep page is read where it is, not walked to', async () => {
  // A walk from the newest to the deep page would pass 17,900 entries, and end at its limit with nothing found.
  const store = openWith({ resultsWalkMax: 100, spacingMs: 0 });
  const records = tenths(18_000);
  for (const half of [records.slice(0, 9_000), records.slice(9_000)]) {
    await Promise.all(half.map((record) => store.scans.append(record)));
  }
  const query = { organizationId: orgA, limit: 20 };
  const { next: deep = '' } = store.scans.find({ ...query, offset: 17_900 });
  const page = store.scans.find({ ...query, cursor: deep });
  expect(page).toMatchObject({ total: 18_000, records: records.slice(60, 80).reverse() });
});

test('a purge of many lets others have their turn', async () => {
  const store = openWith({ spacingMs: 0 });
  await Promise.all(tenths(3_000).map((record) => store.scans.append(record)));
  // What others see in their turns, however short these are.
  const seen = new Set<number>();
  let isOver = false;
  const look = () => {
    if (isOver) return;
    seen.add(store.scans.find({ organizationId: orgA, limit: 0 }).total);
    setImmediate(look);
  };
  look();
  expect(await store.scans.purge(epoch + 2_500)).toBe(2_500);
  isOver = true;
  expect(seen.size).toBeGreaterThan(4);
  expect(store.scans.find({ organizationId: orgA, limit: 1 })).toMatchObject({ total: 500 });
});

test('a purge that is told to stop ends after the batch at hand', async () => {
  const store = openWith({ spacingMs: 0 });
  await Promise.all(tenths(3_000).map((record) => store.scans.append(record)));
  const stopping = new AbortController();
  const purge = store.scans.purge(epoch + 2_500, stopping.signal);
  stopping.abort();
  const removed = await purge;
  expect(removed).toBeLessThan(2_500);
  expect(store.scans.find({ organizationId: orgA, limit: 1 })).toMatchObject({ total: 3_000 - removed });
  expect(await store.scans.purge(epoch + 2_500)).toBe(2_500 - removed);
});

test.each([
  ['a project of endless name', { projectId: 'x'.repeat(5_000) }],
  ['an application that is no UUID', { appUuid: 'shop' }],
  ['a time before 1970', { createdAt: -1 }],
  ['a time that is no whole number', { createdAt: 0.5 }],
])('%s is refused, and nothing is wrong with the store', async (_, values) => {
  const store = openWith({});
  const outcomes = await Promise.allSettled([
    store.scans.append(scanRecord(0, 0, values)),
    store.scans.append(scanRecord(1, 1)),
  ]);
  expect(outcomes).toMatchObject([{ reason: expect.any(StoreError) }, { status: 'fulfilled' }]);
  expect(store.scans.find({ organizationId: orgA, limit: 0 }).total).toBe(1);
  expect(store.health()).toEqual({ ok: true });
});

test('text beyond what may wait is left out, never its record', async () => {
  const store = openWith({ textQueueBytesMax: 1_000 });
  const text = { form: 'full', messages: [{ role: 'user', content: 'x'.repeat(300), cut: false }] } as const;
  const kept = await Promise.all(tenths(5).map((record) => store.scans.append(record, text)));
  expect(kept).toEqual([true, true, false, false, false]);
  const { records } = store.scans.find({ organizationId: orgA, limit: 9 });
  expect(records.map(({ storedText }) => storedText)).toEqual([undefined, undefined, undefined, 'full', 'full']);
  expect(await store.scans.append(scanRecord(9, 9), text), 'there is room again').toBe(true);
});
