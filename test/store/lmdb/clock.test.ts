import { expect, onTestFinished, test } from 'vitest';
import { createRecorder } from '../../../src/guard/recorder.js';
import { type LmdbStoreOptions, openLmdbStore } from '../../../src/store/lmdb/lmdb-store.js';
import type { ScanQuery, Store } from '../../../src/store/store.js';
import { epoch, orgA, scanRecord, temporaryFolder } from '../samples.js';

/*
 * The clock of the machine is set back and forth while the service writes and starts anew. Ids follow it (within one
 * process they never go back), so records arrive far from where the newest one is. Lists are by id: a cursor must neither
 * lose nor repeat what was there when its walk began.
 */

const hour = 3_600_000;
/** The clock at each start, relative to the epoch of the tests, and how far each record is from the one before. */
const jumps: readonly (readonly [startMs: number, stepMs: number])[] = [
  [10 * hour, 7],
  [9 * hour, 3],
  [34 * hour, 11],
  [10 * hour + 100, 0],
  [-48 * hour, 1],
  [10 * hour, 5],
];
const perStart = 160;

test.each<[string, LmdbStoreOptions]>([
  ['in the tail', { tailRowsMax: 100_000 }],
  ['partly indexed', { tailRowsMax: 90 }],
  ['indexed at once', { tailRowsMax: 1 }],
])('a clock that jumps loses and misorders nothing: records %s', async (_, options) => {
  const folder = temporaryFolder();
  const expected = new Set<string>();
  let serial = 0;
  let walked = 0;
  for (const [startMs, stepMs] of jumps) {
    const store = openLmdbStore(folder, { spacingMs: 0, ...options });
    const query = { organizationId: orgA, limit: 17 };
    const walks = [
      walk(store, query),
      walk(store, { ...query, projectId: 'p1' }),
      walk(store, { ...query, flagged: true }),
    ];
    const before = new Set(expected);
    for (let i = 0; i < perStart; i += 20) {
      const batch = Array.from({ length: 20 }, (_, k) => {
        const projectId = `p${serial % 2}`;
        return scanRecord(startMs + (i + k) * stepMs, serial++, { projectId, flagged: serial % 5 === 0 });
      });
      await Promise.all(batch.map((record) => store.scans.append(record)));
      for (const { id } of batch) expected.add(id);
      // A page of each walk between the transactions.
      for (const each of walks) each.next();
    }
    for (const each of walks) while (!each.next().done);
    for (const each of walks) {
      const { ids, all } = each;
      expect(ids, 'in order, each once').toEqual([...new Set(ids)].sort().reverse());
      const old = all.filter((id) => before.has(id));
      expect(
        ids.filter((id) => before.has(id)),
        'nothing is lost that was there',
      ).toEqual(old);
      walked += ids.length;
    }
    const { ids } = drained(store, query);
    expect(ids).toEqual([...expected].sort().reverse());
    const day = { ...query, from: epoch + 9 * hour, to: epoch + 11 * hour };
    const timely = ids.filter((id) => {
      const ms = Number.parseInt(id.slice(5, 17), 16);
      return ms >= day.from && ms < day.to;
    });
    expect(drained(store, day).ids).toEqual(timely);
    await store.close();
  }
  expect(walked).toBeGreaterThan(1_000);
  const store = openLmdbStore(folder, options);
  onTestFinished(() => store.close());
  expect(await store.scans.purge(epoch), 'those of the clock that was set back').toBe(perStart);
  expect(store.scans.find({ organizationId: orgA, limit: 0 }).total).toBe(expected.size - perStart);
});

test('a record whose time a jump has taken from its id is refused and counted, and the next one is not', async () => {
  const store = openLmdbStore(temporaryFolder());
  onTestFinished(() => store.close());
  const counts = { dropped: 0, failures: 0 };
  const recorder = createRecorder({
    scans: store.scans,
    durability: 'committed',
    events: {
      recordDropped: (count) => {
        counts.dropped += count;
      },
      storeFailed: () => {
        counts.failures++;
      },
      textDropped: () => undefined,
      recordUnconfirmed: () => undefined,
    },
  });
  const refused = recorder.save(scanRecord(0, 0, { createdAt: epoch + hour }), undefined);
  const stored = recorder.save(scanRecord(1, 1), undefined);
  expect([await refused, await stored]).toEqual([false, true]);
  expect(counts).toEqual({ dropped: 1, failures: 1 });
  expect(store.health()).toEqual({ ok: true });
});

/** A walk over all pages of a query, a page at a time; `all` is what the query gave when it began. */
function walk(store: Store, query: ScanQuery) {
  const all = drained(store, query).ids;
  const ids: string[] = [];
  let page = store.scans.find(query);
  ids.push(...page.records.map(({ id }) => id));
  return {
    all,
    ids,
    next(): { done: boolean } {
      if (page.next === undefined) return { done: true };
      page = store.scans.find({ ...query, cursor: page.next });
      ids.push(...page.records.map(({ id }) => id));
      return { done: false };
    },
  };
}

function drained(store: Store, query: ScanQuery): { readonly ids: readonly string[] } {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = store.scans.find({ ...query, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.records.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== undefined);
  return { ids };
}
