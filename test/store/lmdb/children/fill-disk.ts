import type { ScanRecord } from '../../../../src/domain/scan-record.js';
import { openLmdbStore } from '../../../../src/store/lmdb/lmdb-store.js';
import { epoch, orgA, organization, scanRecord } from '../../samples.js';

/*
 * Runs under a limit on the size of files. Appends until that fails, goes on a while, recovers by a purge where it is
 * told to, and prints what it saw. Arguments: folder, `recover` or `leave`.
 */
const [folder = '', end = 'leave'] = process.argv.slice(2);
const store = openLmdbStore(folder, { spacingMs: 0, retryPauseMs: 60_000 });
let unhandled = 0;
process.on('unhandledRejection', () => unhandled++);
process.on('uncaughtException', () => unhandled++);
const kept = organization();
await store.change((write) => write.organizations.put(kept));

let stored = 0;
let failure: unknown;
for (let serial = 0; failure === undefined && serial < 100_000; serial += 20) {
  const appends = Array.from({ length: 20 }, (_, i) => store.scans.append(record(serial + i)));
  const outcomes = await Promise.allSettled(appends);
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') stored++;
    else failure = outcome.reason;
  }
}
report({ step: 'full', stored, failure: describe(failure), health: store.health() });

const rejections = new Set<string>();
for (let serial = 200_000; serial < 202_000; serial++) {
  await store.scans.append(scanRecord(serial, serial)).catch((error) => rejections.add(describe(error)));
}
report({ step: 'still full', rejections: [...rejections], health: store.health() });

report({
  step: 'reads',
  total: store.scans.find({ organizationId: orgA, limit: 1 }).total,
  walked: store.scans.find({ organizationId: orgA, limit: 1, from: 0 }).total,
  newest: store.scans.find({ organizationId: orgA, limit: 1 }).records.length,
  organization: store.organizations.get(kept.id)?.name,
});

if (end === 'recover') {
  const purged = await store.scans.purge(epoch + 1_000_000).catch(describe);
  report({ step: 'purged', purged, health: store.health() });
  const appended = await store.scans.append(scanRecord(900_000, 900_000)).then(() => true, describe);
  const { total } = store.scans.find({ organizationId: orgA, limit: 1 });
  report({ step: 'recovered', appended, total, health: store.health() });
}

const begun = performance.now();
await store.close();
report({ step: 'closed', promptly: performance.now() - begun < 30_000, unhandled });

/** Of one of many projects, so that removing a batch of records takes more pages than a full disk has free. */
function record(serial: number): ScanRecord {
  return scanRecord(serial, serial, { projectId: `project-with-a-name-${serial % 97}` });
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
