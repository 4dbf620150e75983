// `npm run bench:mcp`: tools/call beside the REST scan, in one run against one service. See bench/README.md.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { root, setUp } from '../../scripts/setup.mjs';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
});
const rounds = Number(values.rounds);
const seconds = 3;
const connections = 16;
const leastRatio = 0.5;
const cli = join(root, 'dist', 'cli.js');
const prefix = 'io.modelcontextprotocol/';

const sentence =
  'The quarterly report shows that revenue in the northern region grew by four percent, mostly thanks to new customers. ';
const content = sentence.repeat(5).slice(0, 500);
const messages = [{ role: 'user', content }];
const call = { name: 'scan_with_guard', arguments: { messages } };
const accept = { accept: 'application/json, text/event-stream' };
const envelope = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} };

/** A `_meta` of the client's own is unusual enough for the fast path to leave the call to the library. */
const subjects = [
  { name: 'REST scan', path: '/api/v1/guard', headers: {}, body: { messages } },
  { name: 'tools/call 2025-11-25', ...mcp({ ...accept, 'mcp-protocol-version': '2025-11-25' }, call) },
  { name: 'tools/call 2026-07-28', ...mcp(modernHeaders(), { ...call, _meta: envelope }) },
  {
    name: '2025-11-25 by library',
    ...mcp({ ...accept, 'mcp-protocol-version': '2025-11-25' }, { ...call, _meta: { own: 1 } }),
  },
  { name: '2026-07-28 by library', ...mcp(modernHeaders(), { ...call, _meta: { ...envelope, own: 1 } }) },
];

if (spawnSync('wrk', ['--version']).error) {
  process.stderr.write('bench: wrk is not here (apt-get install wrk)\n');
  process.exit(2);
}
setUp();
const folder = mkdtempSync(join(tmpdir(), 'merlon-bench-'));
const results = [];
for (const level of ['info', 'warn']) results.push(...(await measure(level)));
rmSync(folder, { recursive: true, force: true });
const machine = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} threads, Node ${process.version}`;
if (values.json)
  process.stdout.write(`${JSON.stringify({ machine, connections, seconds, rounds, results }, null, 2)}\n`);
else print(results);
const slow = results.filter(({ name, ratio }) => name.startsWith('tools/call') && ratio < leastRatio);
for (const { name, ratio } of slow)
  process.stderr.write(`bench: ${name} is at ${ratio} of REST, wanted ${leastRatio}\n`);
process.exit(slow.length > 0 ? 1 : 0);

/** All subjects in turn, round after round, on one service; the median of the rounds counts. */
async function measure(level) {
  const token = spawnSync(process.execPath, [cli, 'token', 'generate'], { encoding: 'utf8' }).stdout.trim();
  const log = openSync(join(folder, `${level}.log`), 'w');
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', join(folder, level)], {
    // The same message again and again would be scanned once.
    env: {
      ...process.env,
      MERLON_BOOTSTRAP_TOKEN: token,
      MERLON_LOG_LEVEL: level,
      MERLON_REMEMBERED_MESSAGES: '0',
    },
    stdio: ['ignore', 'pipe', log],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const url = `http://127.0.0.1:${JSON.parse(line).port}`;
  const rates = subjects.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    subjects.forEach((subject, at) => {
      const rate = load(url, token, subject);
      // The first round warms up.
      if (round > 0) rates[at].push(rate);
    });
  }
  child.kill('SIGTERM');
  await once(child, 'exit');
  const medians = rates.map((own) => own.sort((one, other) => one - other)[own.length >> 1]);
  return subjects.map(({ name }, at) => ({
    log: level,
    name,
    perSecond: Math.round(medians[at]),
    ratio: Math.round((medians[at] / medians[0]) * 100) / 100,
  }));
}

/** Requests a second; ends the process where one is not answered 200. */
function load(url, token, { path, headers, body }) {
  const script = join(folder, 'request.lua');
  const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `wrk.headers["${name}"] = ${JSON.stringify(value)}`);
  const text = JSON.stringify(JSON.stringify(body));
  writeFileSync(script, `wrk.method = "POST"\nwrk.path = "${path}"\nwrk.body = ${text}\n${lines.join('\n')}\n`);
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script, url];
  const { stdout } = spawnSync('wrk', args, { encoding: 'utf8' });
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (rate > 0 && !stdout.includes('Non-2xx')) return rate;
  process.stderr.write(`bench: not every request was answered 200\n${stdout}`);
  process.exit(2);
}

function mcp(headers, params) {
  return { path: '/mcp/guard', headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } };
}

function modernHeaders() {
  const named = { 'mcp-method': 'tools/call', 'mcp-name': 'scan_with_guard' };
  return { ...accept, 'mcp-protocol-version': '2026-07-28', ...named };
}

function print(rows) {
  process.stdout.write('log   request                 requests/s  of REST\n');
  for (const { log, name, perSecond, ratio } of rows) {
    const cells = [log.padEnd(6), name.padEnd(24), String(perSecond).padStart(10), ratio.toFixed(2).padStart(9)];
    process.stdout.write(`${cells.join('')}\n`);
  }
}
