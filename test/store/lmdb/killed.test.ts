import { once } from 'node:events';
import { open } from 'lmdb';
import { expect, test } from 'vitest';
import { openLmdbStore } from '../../../src/store/lmdb/lmdb-store.js';
import { scanIdBytes } from '../../../src/store/scan-id.js';
import type { ScanQuery, Store } from '../../../src/store/store.js';
import { orgA, orgB, temporaryFolder } from '../samples.js';
import { startChild } from './child.js';

test('kill -9 at any moment loses nothing that was promised, and leaves indexes and counts in agreement', async () => {
  const folder = temporaryFolder();
  const promised: string[] = [];
  for (const [round, lines] of [40, 150, 400].entries()) {
    promised.push(...(await appendUntilKilled(folder, round * 1_000_000, 'committed', lines)));
    expect(await check(folder, promised)).toEqual([]);
  }
  expect(promised.length).toBeGreaterThanOrEqual(590);
});

test('the check above sees a record that was lost with the process', async () => {
  const folder = temporaryFolder();
  // The first twelve may share a transaction; those after them are announced a minute before theirs.
  const announced = await appendUntilKilled(folder, 0, 'early', 20);
  expect(await check(folder, announced)).toContainEqual(expect.stringMatching(/^lost: \d+ records$/));
});

test('the check above sees a record that went missing behind the index', async () => {
  const folder = temporaryFolder();
  const promised = await appendUntilKilled(folder, 0, 'committed', 30);
  const id = scanIdBytes(promised[7]) ?? Buffer.of(0);
  const root = open<Buffer, Buffer>(folder, { noSubdir: false });
  const segments = root.openDB<Buffer, Buffer>('scan-segments', { encoding: 'binary', keyEncoding: 'binary' });
  const [place] = [...segments.getRange()].flatMap(({ key, value }) => (value.includes(id) ? [key] : []));
  await segments.remove(place);
  await root.close();
  expect(await check(folder, promised)).toContainEqual(expect.stringMatching(/lacks scans that its \w+ names/));
});

/** What the child printed until it was killed, right after it had printed this many lines. */
async function appendUntilKilled(folder: string, first: number, mode: 'committed' | 'early', lines: number) {
  const child = startChild('append', [folder, String(first), mode]);
  await child.printed(lines);
  child.process.kill('SIGKILL');
  await once(child.process, 'close');
  return child.lines as string[];
}

/** What is wrong with the store, as sentences. */
async function check(folder: string, promised: readonly string[]): Promise<string[]> {
  const store = openLmdbStore(folder);
  try {
    const found = new Set([orgA, orgB].flatMap((organizationId) => idsOf(store, { organizationId, limit: 100 })));
    const lost = promised.filter((id) => !found.has(id)).length;
    const wrong = lost > 0 ? [`lost: ${lost} records`] : [];
    for (const organizationId of [orgA, orgB]) {
      for (const projectId of [undefined, 'project-0', 'project-2', 'project-4']) {
        const scope = { organizationId, limit: 100, ...(projectId === undefined ? {} : { projectId }) };
        wrong.push(...compareCounts(store, scope));
      }
    }
    return wrong;
  } catch (error) {
    return [String(error)];
  } finally {
    await store.close();
  }
}

/** A filter by time lets everything pass and makes the store count in a walk instead of reading the count. */
function compareCounts(store: Store, scope: ScanQuery): string[] {
  const wrong: string[] = [];
  for (const query of [scope, { ...scope, flagged: true }]) {
    const counted = store.scans.find(query).total;
    const walked = store.scans.find({ ...query, from: 0 }).total;
    const read = idsOf(store, query).length;
    if (counted !== walked || counted !== read)
      wrong.push(`counts: ${counted} counted, ${walked} walked, ${read} read`);
  }
  return wrong;
}

function idsOf(store: Store, query: ScanQuery): string[] {
  let page = store.scans.find(query);
  const ids = page.records.map(({ id }) => id);
  while (page.next !== undefined) {
    page = store.scans.find({ ...query, cursor: page.next });
    ids.push(...page.records.map(({ id }) => id));
  }
  return ids;
}
