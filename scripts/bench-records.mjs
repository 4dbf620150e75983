// Measures what scan records cost: processor time of the thread that appends them, and of the whole process.
//
//   npm run build && node scripts/bench-records.mjs [--rate 20000] [--seconds 3] [--rounds 5] [--projects 20] [--folder DIR]
//
// Records are appended at an even rate, those that are due in each turn of the event loop together, as a serving thread
// does. Every round also runs the same loop without a store; its time is taken off. Prints the medians of the rounds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { openLmdbStore } from '../dist/store/lmdb/lmdb-store.js';
import { scanRecord } from './scan-records.mjs';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    projects: { type: 'string', default: '20' },
    flagged: { type: 'string', default: '10' },
    folder: { type: 'string', default: tmpdir() },
    json: { type: 'boolean', default: false },
  },
});
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const projects = Number(values.projects);
const oneInFlagged = Number(values.flagged);
const organizationId = '0a0a0a0a-0000-4000-8000-000000000001';

let gcMs = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) gcMs += entry.duration;
}).observe({ entryTypes: ['gc'] });

const record = (serial) => scanRecord(organizationId, serial, Date.now(), { projects, oneInFlagged });

/** Processor time so far in µs: of this thread (Linux counts it for each), and of all. */
function cpu() {
  const [threadNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  const { user, system } = process.cpuUsage();
  return { thread: Number(threadNs) / 1_000, all: user + system };
}

let serial = 0;
/** Keeps the engine from leaving out what nobody reads. */
const sink = new Float64Array(1);

/** In place of a store: makes flat what the engine joins lazily, as the answer to a request does. */
function read({ id, requestId, projectId }) {
  sink[0] += id.charCodeAt(9) + requestId.charCodeAt(35) + projectId.charCodeAt(projectId.length - 1);
  return undefined;
}

/** Appends at the rate; gives µs of processor time for each record. */
async function run(append) {
  const gcBefore = gcMs;
  const before = cpu();
  const begun = performance.now();
  const first = serial;
  let failed = 0;
  let pending = 0;
  let pendingMost = 0;
  let latest;
  const follow = (promise) => {
    const batch = { promise, records: 1 };
    const done = () => {
      pending -= batch.records;
      if (latest === batch) latest = undefined;
    };
    promise.then(done, () => {
      failed += batch.records;
      done();
    });
    return batch;
  };
  await new Promise((resolve) => {
    const turn = () => {
      const elapsed = performance.now() - begun;
      const due = first + Math.floor((Math.min(elapsed, seconds * 1_000) * rate) / 1_000);
      while (serial < due) {
        const appended = append(record(serial++));
        if (!appended) continue;
        // Records of one transaction share a promise.
        if (appended === latest?.promise) latest.records++;
        else latest = follow(appended);
        pendingMost = Math.max(pendingMost, ++pending);
      }
      if (elapsed >= seconds * 1_000 && (pending === 0 || elapsed > seconds * 1_000 + 10_000)) resolve();
      else setTimeout(turn, 1);
    };
    turn();
  });
  const after = cpu();
  const count = serial - first;
  return {
    count,
    failed,
    pendingMost,
    thread: (after.thread - before.thread) / count,
    all: (after.all - before.all) / count,
    gc: ((gcMs - gcBefore) * 1_000) / count,
  };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const folder = mkdtempSync(join(values.folder, 'merlon-records-'));
const store = openLmdbStore(folder);
await run(read);
await run((each) => store.scans.append(each));
const rounds = [];
for (let i = 0; i < Number(values.rounds); i++) {
  const bare = await run(read);
  const full = await run((each) => store.scans.append(each));
  rounds.push({
    threadUs: full.thread - bare.thread,
    allUs: full.all - bare.all,
    gcUs: full.gc - bare.gc,
    failed: full.failed,
    waiting: full.pendingMost,
  });
}
await store.close();
rmSync(folder, { recursive: true, force: true });
const result = Object.fromEntries(
  Object.keys(rounds[0]).map((key) => [key, median(rounds.map((round) => round[key]))]),
);
if (values.json) console.log(JSON.stringify({ rate, projects, result, rounds }));
else for (const [key, value] of Object.entries(result)) console.log(`${key.padEnd(22)} ${value.toFixed(2)}`);
