import { openLmdbStore } from '../../../../src/store/lmdb/lmdb-store.js';
import { orgA, orgB, scanRecord } from '../../samples.js';

/*
 * Appends records without end and prints their ids. Arguments: folder, first serial number, and when an id is
 * printed: `committed`, when its promise has resolved, or `early`, before, with transactions a minute apart.
 */
const [folder = '', first = '0', mode = 'committed'] = process.argv.slice(2);
const store = openLmdbStore(folder, mode === 'early' ? { spacingMs: 60_000 } : { spacingMs: 2, tailRowsMax: 100 });
let serial = Number(first);

async function client(): Promise<void> {
  for (;;) {
    const number = serial++;
    const record = scanRecord(Math.floor(number / 3), number, {
      organizationId: number % 5 === 0 ? orgB : orgA,
      projectId: number % 2 === 0 ? `project-${number % 6}` : null,
      flagged: number % 4 === 0,
    });
    if (mode === 'early') print(record.id);
    await store.scans.append(record);
    if (mode === 'committed') print(record.id);
  }
}

function print(id: string): void {
  process.stdout.write(`${JSON.stringify(id)}\n`);
}

await Promise.all(Array.from({ length: 12 }, client));
