// Fills a store with scan records and measures, over HTTP on a real service, how long results and overview take.
//
//   npm run build && node scripts/bench-results.mjs [RECORDS] [FOLDER]
//
// 1,000,000 records when left out, in a temporary folder that is removed afterwards; a folder that is named is filled
// where it is empty, and kept. Prints the median and the slowest of 15 answers of each kind, one after the other.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bootstrap } from '../dist/guard/bootstrap.js';
import { issueToken } from '../dist/guard/tokens.js';
import { openLmdbStore } from '../dist/store/lmdb/lmdb-store.js';
import { apps, scanRecord } from './scan-records.mjs';

const records = Number(process.argv[2] ?? 1_000_000);
const folder = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'merlon-bench-'));
const rounds = 15;
const days = 25;
const dayMs = 86_400_000;

/** Records spread evenly over the last days. */
function record(organizationId, serial, beginMs) {
  return scanRecord(organizationId, serial, Math.floor(beginMs + (serial * days * dayMs) / records));
}

async function fill() {
  const store = openLmdbStore(folder);
  const { organization, user } = await bootstrap(store, { now: Date.now() });
  const { scans } = store;
  const missing = records - scans.find({ organizationId: organization.id, limit: 0 }).total;
  const beginMs = Date.now() - days * dayMs;
  const began = performance.now();
  for (let at = records - missing; at < records; at += 5_120) {
    const batch = Array.from({ length: Math.min(5_120, records - at) }, (_, i) =>
      record(organization.id, at + i, beginMs),
    );
    await Promise.all(batch.map((each) => scans.append(each)));
  }
  if (missing > 0)
    console.log(`${missing} records written, ${((performance.now() - began) * 1_000) / missing} µs each`);
  const request = { userId: user.id, name: 'bench', scopes: ['results:read', 'policies:read'] };
  const issued = await issueToken(store, request, Date.now());
  await store.close();
  return issued;
}

async function serve() {
  const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: `http://127.0.0.1:${JSON.parse(line).port}`, stop: () => child.kill('SIGTERM') };
  }
  throw new Error('the service did not start');
}

const iso = (agoMs) => new Date(Date.now() - agoMs).toISOString();
const results = '/api/v1/guard/results';

async function measure(url, token) {
  const get = async (path) => {
    const began = performance.now();
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.json();
    const ms = performance.now() - began;
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body.detail}`);
    return { ms, body };
  };
  const first = (await get(`${results}?per_page=1&page=${Math.floor(records * 0.9)}`)).body;
  /** From page 50 on, or as far as the records reach. */
  const deepCursor = async (query) => {
    const { meta } = (await get(`${results}?per_page=100&page=50&${query}`)).body;
    return `${results}?per_page=100&${query}${meta.next_cursor === null ? '' : `&cursor=${meta.next_cursor}`}`;
  };
  const kinds = [
    ['first page', results],
    ['page of 100', `${results}?per_page=100`],
    ['project', `${results}?project_id=project-7`],
    ['flagged', `${results}?flagged=true`],
    ['not flagged', `${results}?flagged=false`],
    ['application', `${results}?app_uuid=${apps[3]}`],
    ['policy, common', `${results}?detector=LLM01`],
    ['policy, rare', `${results}?detector=LLM05`],
    ['policy, never', `${results}?detector=LLM09`],
    ['from, an hour ago', `${results}?from=${iso(3_600_000)}`],
    ['from, a day ago', `${results}?from=${iso(dayMs)}`],
    ['from, all of it', `${results}?from=${iso(40 * dayMs)}`],
    ['to, 20 days ago', `${results}?to=${iso(20 * dayMs)}`],
    ['an hour, 20 days ago', `${results}?from=${iso(20 * dayMs)}&to=${iso(20 * dayMs - 3_600_000)}`],
    [
      'all filters',
      `${results}?project_id=project-7&flagged=true&app_uuid=${apps[3]}&detector=LLM01&from=${iso(10 * dayMs)}`,
    ],
    ['by id', `${results}?scan_id=${first.data[0].id}`],
    ['deep page', `${results}?page=${Math.floor(records / 20)}`],
    ['deep cursor', await deepCursor('')],
    ['deep cursor, policy', await deepCursor('detector=LLM01')],
    ['overview, a day', '/api/v1/overview'],
    ['overview, 7 days', `/api/v1/overview?from=${iso(7 * dayMs)}`],
    ['overview, 30 days', `/api/v1/overview?step=day&from=${iso(30 * dayMs)}`],
    ['overview, 92 days', `/api/v1/overview?step=day&from=${iso(92 * dayMs)}`],
    ['overview, project', `/api/v1/overview?step=day&from=${iso(30 * dayMs)}&project_id=project-7`],
    ['rules', '/api/v1/rules'],
  ];
  for (const [name, path] of kinds) {
    await get(path);
    const times = [];
    let total;
    for (let i = 0; i < rounds; i++) {
      const { ms, body } = await get(path);
      times.push(ms);
      total = body.meta?.total ?? body.totals?.scans;
    }
    times.sort((a, b) => a - b);
    const [median, slowest] = [times[rounds >> 1], times[rounds - 1]].map((ms) => ms.toFixed(1).padStart(7));
    console.log(`${name.padEnd(22)} median ${median} ms   slowest ${slowest} ms   total ${total}`);
  }
}

const issued = await fill();
const service = await serve();
try {
  await measure(service.url, issued.token);
} finally {
  service.stop();
  if (process.argv[3] === undefined && existsSync(folder)) rmSync(folder, { recursive: true, force: true });
}
