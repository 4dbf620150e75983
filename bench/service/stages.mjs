// Where the microseconds of one scan request go: the service in this process under load by wrk, sampled by V8's profiler.
//
//   npm run build && node bench/service/stages.mjs [--dist DIR] [--seconds 8] [--connections 32] [--json]
//
// Every sample counts for the innermost stage that it lies in; what is native (sockets, the store's commits on their own
// threads) shows in `process`, the CPU time of the whole process for one request, and not in the stages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    dist: { type: 'string', default: 'dist' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
    /** Also what one stage consists of, by the innermost function. */
    within: { type: 'string' },
  },
});

/** What a stage begins with. Of nested ones the outermost counts: a read of the store for a token is the token's. */
const stages = [
  ['scan', ({ name }) => name === 'scanInline'],
  ['token', ({ name }) => name === 'establishCaller'],
  ['parse', ({ name }) => name === 'parseJsonObject'],
  ['validate', ({ name, url }) => name !== 'createChecker' && url.endsWith('api/validate.js')],
  ['record', ({ name, url }) => name === 'save' && url.endsWith('guard/service.js')],
  ['store, later', ({ url }) => url.includes('/lmdb/')],
  ['ids', ({ name }) => name === 'newScanId' || name === 'requestIdOf'],
  ['metrics', ({ url }) => url.includes('/telemetry/metrics')],
  ['answer', ({ name, url }) => name === 'send' && url.endsWith('uws-exchange.js')],
];
/** For what lies in no stage: the innermost of these counts. */
const rest = [
  ['collector', ({ name }) => name === '(garbage collector)'],
  ['front end', ({ url }) => url.includes('/http/')],
  ['guard and API', ({ url }) => url.includes('/guard/') || url.includes('/api/')],
];

const text = `Hi team, could you please help me plan the agenda for our quarterly offsite in Lisbon? We have about twenty people
joining from four countries, two full days, and a budget that covers a venue, lunch and one dinner. I would like a mix of
focused workshops in the morning, lighter sessions after lunch and something social in the evening that is not just drinks.
Please suggest timings, who should lead each block, and what we should prepare in advance so that nobody is bored.`;

const load = (file) => import(pathToFileURL(join(resolve(values.dist), file)).href);
const folder = mkdtempSync(join(tmpdir(), 'merlon-stages-'));
try {
  const outcome = await measure();
  if (values.json) console.log(JSON.stringify(outcome));
  else print(outcome);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function measure() {
  const { readConfig } = await load('config.js');
  const { loadRules } = await load('commands/ruleset.js');
  const { openLmdbStore } = await load('store/lmdb/lmdb-store.js');
  const { bootstrap } = await load('guard/bootstrap.js');
  const { generateToken } = await load('guard/tokens.js');
  const { startService } = await load('main.js');
  const { createLogger } = await load('telemetry/log.js');
  // The same message again and again would be scanned once.
  const environment = { ...process.env, MERLON_REMEMBERED_MESSAGES: '0' };
  const config = readConfig({ port: '0', data: join(folder, 'data') }, environment);
  const store = openLmdbStore(config.dataFolder);
  const token = generateToken('pat');
  await bootstrap(store, { token, now: Date.now() });
  const service = await startService(config, loadRules(config.rulesFolder), store, createLogger({ level: 'error' }));
  const script = join(folder, 'post.lua');
  writeFileSync(
    script,
    `wrk.method="POST"\nwrk.body=[==[${JSON.stringify({ messages: [{ role: 'user', content: text }] })}]==]\n` +
      `wrk.headers["Content-Type"]="application/json"\nwrk.headers["Authorization"]="Bearer ${token}"\n`,
  );
  const url = `http://127.0.0.1:${service.port}/api/v1/guard`;
  const wrk = async (seconds) => {
    const child = spawn('wrk', ['-t1', `-c${values.connections}`, `-d${seconds}s`, '-s', script, url]);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await once(child, 'close');
    if (/Non-2xx/.test(output)) throw new Error(output);
    return Number(/(\d+) requests in/.exec(output)?.[1]);
  };
  await delay(4_000); // Until the regexes are compiled.
  await wrk(3);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 250 });
  const cpuBefore = process.cpuUsage();
  await session.post('Profiler.start');
  const requests = await wrk(Number(values.seconds));
  const { profile } = await session.post('Profiler.stop');
  const cpu = process.cpuUsage(cpuBefore);
  await service.stop();
  return { requests, processUs: (cpu.user + cpu.system) / requests, ...byStage(profile, requests) };
}

/**
 * @param {import('node:inspector').Profiler.Profile} profile
 * @param {number} requests
 */
function byStage({ nodes, samples = [], timeDeltas = [] }, requests) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stageOf = new Map();
  const find = (id) => {
    const path = [];
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const { functionName: name, url } = byId.get(at).callFrame;
      path.push({ name, url });
    }
    if (path[0].name === '(idle)') return undefined;
    const stageOfFrame = (table) => (frame) => table.find(([, fits]) => fits(frame))?.[0];
    const outermost = path.toReversed().map(stageOfFrame(stages));
    const innermost = path.map(stageOfFrame(rest));
    return [...outermost, ...innermost].find((stage) => stage !== undefined) ?? 'other';
  };
  const sums = new Map();
  const within = new Map();
  const add = (map, key, us) => map.set(key, (map.get(key) ?? 0) + us / requests);
  for (const [index, id] of samples.entries()) {
    if (!stageOf.has(id)) stageOf.set(id, find(id));
    const stage = stageOf.get(id);
    if (stage === undefined) continue;
    add(sums, stage, timeDeltas[index]);
    const { functionName, url, lineNumber } = byId.get(id).callFrame;
    if (stage === values.within)
      add(within, `${functionName} ${url.split('/').at(-1)}:${lineNumber + 1}`, timeDeltas[index]);
  }
  const sorted = (map) => Object.fromEntries([...map].sort(([, one], [, other]) => other - one).slice(0, 25));
  return { stages: sorted(sums), within: sorted(within) };
}

function print({ requests, processUs, stages: us, within }) {
  const rows = [...Object.entries(us), ['serving thread', Object.values(us).reduce((sum, each) => sum + each, 0)]];
  for (const [name, each] of [...rows, ['process', processUs]]) console.log(`${name.padEnd(16)}${each.toFixed(2)}`);
  for (const [name, each] of Object.entries(within)) console.log(`  ${each.toFixed(2)} ${name}`);
  console.log(`µs a request, of ${requests} requests`);
}
