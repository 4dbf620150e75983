import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../../../src/domain/limits.js';
import { policyCodes } from '../../../src/domain/policy.js';
import type { ScanRecord } from '../../../src/domain/scan-record.js';
import { openLmdbStore } from '../../../src/store/lmdb/lmdb-store.js';
import { openMemoryStore } from '../../../src/store/memory/memory-store.js';
import type { RollupQuery, ScanLog, ScanPage, ScanQuery } from '../../../src/store/store.js';
import { appA, appB, epoch, orgA, orgB, scanRecord, temporaryFolder } from '../samples.js';

/*
 * Both stores are put through the same random history; then and in between, random queries must get the same answer
 * from both, page by page. Batches of up to 120 records of few scopes fill, split and empty the blocks of the index,
 * and times within 40 ms make ties and late arrivals the rule.
 */

const projects = [null, 'p', 'pp', 'p\0'] as const;
/** More than the counts of an organization name. */
const manyProjects = Array.from({ length: limits.rollupProjectsMax + 8 }, (_, i) => `n${i}`);
const time = fc.nat({ max: 40 });

const facts = fc.record({
  ms: time,
  /** How far the record's time is from the time in its id, as after a step of the clock. */
  skewMs: fc.constantFrom(0, 0, 0, 7),
  organizationId: fc.constantFrom(orgA, orgA, orgB),
  projectId: fc.oneof(fc.constantFrom(...projects), fc.constantFrom(...manyProjects)),
  appUuid: fc.constantFrom(null, appA, appB),
  flagged: fc.boolean(),
  detectors: fc.subarray([...policyCodes], { maxLength: 2 }),
});

const filters = fc.record(
  {
    organizationId: fc.constantFrom(orgA, orgB),
    projectId: fc.constantFrom('p', 'pp', 'p\0', 'none'),
    flagged: fc.boolean(),
    appUuid: fc.constantFrom(appA, appB),
    detector: fc.constantFrom(...policyCodes),
    from: time.map((ms) => epoch + ms),
    to: time.map((ms) => epoch + ms),
  },
  { requiredKeys: ['organizationId'] },
);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ append: fc.array(facts, { minLength: 1, maxLength: 120 }) }) },
  { weight: 1, arbitrary: fc.record({ purge: time }) },
  {
    weight: 2,
    arbitrary: fc.record({ query: filters, limit: fc.integer({ min: 1, max: 60 }), offset: fc.nat({ max: 90 }) }),
  },
);

test.each([
  ['in the tail', 4_096],
  ['partly indexed', 150],
  ['indexed at once', 1],
])('lmdb answers as memory does, whatever happened before: records %s', async (_, tailRowsMax) => {
  const lmdb = openLmdbStore(temporaryFolder(), { spacingMs: 0, tailRowsMax });
  onTestFinished(() => lmdb.close());
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const memory = openMemoryStore();
      // One environment serves all runs: the purge of everything must leave it as new.
      await lmdb.scans.purge(Number.POSITIVE_INFINITY);
      const both = [lmdb.scans, memory.scans];
      let serial = 0;
      for (const taken of steps) {
        if ('append' in taken) {
          const records = taken.append.map(({ ms, skewMs, ...values }) =>
            skewed(scanRecord(ms, ++serial, values), skewMs),
          );
          await Promise.all(both.map((scans) => Promise.all(records.map((record) => scans.append(record)))));
        } else if ('purge' in taken) {
          const [removed, expected] = await Promise.all(both.map((scans) => scans.purge(epoch + taken.purge)));
          expect(removed).toBe(expected);
        } else {
          compared += compare(both, { ...taken.query, limit: taken.limit }, taken.offset);
        }
      }
      for (const organizationId of [orgA, orgB]) {
        compareRollups(both, { organizationId });
        for (const projectId of ['p', 'n0']) compareRollups(both, { organizationId, projectId });
        compareRollups(both, { organizationId, appUuid: appA });
        compare(both, { organizationId, limit: 50 }, 10);
        compare(both, { organizationId, flagged: true, projectId: 'p', limit: 7 }, 3);
      }
    }),
    { numRuns: 30 },
  );
  expect(compared).toBeGreaterThan(10);
});

function skewed(record: ScanRecord, skewMs: number): ScanRecord {
  return { ...record, createdAt: record.createdAt - skewMs };
}

/** Compares a page at an offset and all pages by cursor; gives the number of pages. */
function compare(both: readonly ScanLog[], query: ScanQuery, offset: number): number {
  const pages = both.map((scans) => outline(scans.find({ ...query, offset })));
  expect(pages[0]).toEqual(pages[1]);
  const walks = both.map((scans) => walk(scans, query));
  expect(walks[0]).toEqual(walks[1]);
  const ids = walks[0].flatMap((page) => page.ids);
  expect(ids).toHaveLength(walks[0][0].total);
  expect(ids).toEqual([...new Set(ids)].sort().reverse());
  return walks[0].length;
}

function compareRollups(both: readonly ScanLog[], scope: Omit<RollupQuery, 'from' | 'to'>): void {
  const range = { from: epoch - 7_200_000, to: epoch + 7_200_000 };
  const [lmdb, memory] = both.map((scans) => scans.rollups({ ...scope, ...range }));
  expect(lmdb).toEqual(memory);
}

function walk(scans: ScanLog, query: ScanQuery) {
  let page = scans.find(query);
  const pages = [outline(page)];
  while (page.next !== undefined) {
    page = scans.find({ ...query, cursor: page.next });
    pages.push(outline(page));
  }
  return pages;
}

function outline({ records, total, next }: ScanPage) {
  return { ids: records.map(({ id }) => id), records, total, next };
}
