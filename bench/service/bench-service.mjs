import { join } from 'node:path';
import { median } from '../engine/measure.mjs';
import { cleanTexts, headOf, makeBodies, writeRequests } from './bodies.mjs';
import { groupName, groups, kinds, mixed, overload, overloadName, subjects } from './cases.mjs';
import { load } from './load.mjs';
import { absence, cpuUs } from './subjects.mjs';

/**
 * @typedef {{ rps: number, p50ms: number, p99ms: number, p999ms: number, cpuUs: number }} Figures
 * @typedef {Figures & { case: string, group: string, subject: string, bare?: Figures, note?: string }} Row
 *   `bare` is the echo measured around the case's own samples
 */

/**
 * The whole benchmark, or the groups whose names contain `only`.
 * @param {{ program: string, folder: string, ordinary: readonly import('../command.mjs').Ordinary[], token: string, only?: string,
 *   running: ReturnType<typeof import('./subjects.mjs').createSubjects>,
 *   effort: { rounds: number, seconds: number, mixedSeconds: number }, say: (text: string) => void,
 *   progress: (share: number, what: string) => void }} options
 * @returns {Promise<{ rows: Row[], absent: string[] }>}
 */
export async function benchService(options) {
  const absent = Object.entries(subjects).flatMap(([name, subject]) => {
    const why = absence(subject);
    return why === undefined ? [] : [`${name}: ${why}`];
  });
  const bench = { ...options, requests: await prepareRequests(options), warm: new Set() };
  const parts = [
    ...groups.map((group) => ({ name: groupName(group), run: (name) => measureGroup(bench, group, name) })),
    { name: mixed.name, run: () => measureMixed(bench) },
    ...overload.kinds.map((kind) => ({ name: overloadName(kind), run: (name) => measureOverload(bench, kind, name) })),
  ].filter(({ name }) => name.includes(options.only ?? ''));
  const rows = [];
  for (const [index, { name, run }] of parts.entries()) {
    options.progress(index / parts.length, name);
    rows.push(...(await run(name)));
  }
  options.progress(1, 'done');
  return { rows, absent };
}

/** Files of requests by kind. Only texts with the verdict of their kind are sent. */
async function prepareRequests({ folder, ordinary, token, running }) {
  const { port } = await running.get('full');
  const texts = await cleanTexts(ordinary);
  const files = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const { path, headers } = headOf(kind, token);
    const bodies = [];
    for (const body of makeBodies(texts, kind)) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
      /** @type {any} */
      const answer = await response.json();
      const { flagged } = kind.mcp ? answer.result.structuredContent : answer;
      if (kind.flagged === undefined || flagged === kind.flagged) bodies.push(body);
    }
    if (bodies.length === 0) throw new Error(`no text of kind ${name} has the verdict that its kind says`);
    files[name] = join(folder, `${name.replaceAll(' ', '-')}.requests`);
    writeRequests(files[name], kind, bodies, token);
  }
  return files;
}

/** Until a service has served each kind of request for this long, its regexes and its code are still being compiled. */
const firstSeconds = 4;

/** Warms a subject up: long before its first sample, briefly before each group. */
async function warmUp(bench, { subject, kind, connections: count }) {
  const key = `${subject}, ${kind}`;
  const seconds = bench.warm.has(key) || !subjects[subject].isMerlon ? bench.effort.warmSeconds : firstSeconds;
  bench.warm.add(key);
  await sample(bench, { subject, kind, connections: Math.min(count, 16), seconds });
}

/** Waits until a service has answered what the sample before left behind. */
async function settle({ running }, subject) {
  const { port } = await running.get(subject);
  for (let left = settlePolls; left > 0; left--) {
    const began = performance.now();
    await fetch(`http://127.0.0.1:${port}/livez`).then((response) => response.arrayBuffer());
    if (performance.now() - began < settledMs) return;
  }
}

const settlePolls = 200;
const settledMs = 10;

/**
 * One sample: figures of the answers 200, and what the service's process spent on one of them.
 * @param {{ program: string, running: any, requests: Readonly<Record<string, string>> }} bench
 * @param {{ subject: string, kind: string, connections: number, seconds: number, rate?: number, patient?: boolean }} how
 */
async function sample({ program, running, requests }, { subject, kind, ...how }) {
  const { child, port } = await running.get(subject);
  const before = cpuUs(child.pid);
  const measured = await load(program, { port, requests: requests[kind], ...how });
  if (measured.other.count > 0) {
    throw new Error(`${subject}, ${kind}: ${measured.other.count} answers were neither 200 nor 503`);
  }
  return { ...measured, cpu: (cpuUs(child.pid) - before) / Math.max(measured.ok.count, 1) };
}

const figuresOf = ({ seconds, cpu }, { count, p50ms, p99ms, p999ms }) => ({
  rps: count / seconds,
  p50ms,
  p99ms,
  p999ms,
  cpuUs: cpu,
});

/** The medians of each figure by itself. */
function medians(all) {
  const names = ['rps', 'p50ms', 'p99ms', 'p999ms', 'cpuUs'];
  return Object.fromEntries(names.map((name) => [name, median(all.map((figures) => figures[name]))]));
}

/** The bare echo, a case, the bare echo, the next case …: so each case has a bare sample on either side. */
async function measureGroup(bench, group, name) {
  const cases = group.cases
    .map((one) => (typeof one === 'string' ? { subject: one, kind: group.kind } : one))
    .filter(({ subject }) => absence(subjects[subject]) === undefined);
  const how = { connections: group.connections, seconds: bench.effort.seconds * (group.times ?? 1) };
  const bareHow = { ...how, subject: 'bare', kind: group.kind };
  for (const one of [bareHow, ...cases]) await warmUp(bench, { ...how, ...one });
  const taken = cases.map(() => ({ own: [], bare: [], refused: 0, all: 0 }));
  const bareAll = [];
  for (let round = 0; round < bench.effort.rounds; round++) {
    let before = await sample(bench, bareHow);
    for (const [index, one] of cases.entries()) {
      const own = await sample(bench, { ...how, ...one });
      const after = await sample(bench, bareHow);
      const entry = taken[index];
      entry.own.push(figuresOf(own, own.ok));
      entry.bare.push(figuresOf(before, before.ok), figuresOf(after, after.ok));
      entry.refused += own.busy.count;
      entry.all += own.busy.count + own.ok.count;
      before = after;
    }
  }
  for (const { bare } of taken) bareAll.push(...bare);
  const rows = cases.map(({ subject, kind }, index) => {
    const { own, bare, refused, all } = taken[index];
    const label = kind === group.kind ? subject : `${subject} (${kind})`;
    return {
      case: `${label}, ${name}`,
      group: name,
      subject: label,
      ...medians(own),
      bare: medians(bare),
      ...(refused > 0 && { note: `${percent(refused / all)} were 503` }),
    };
  });
  return [{ case: `bare, ${name}`, group: name, subject: 'bare', ...medians(bareAll) }, ...rows];
}

async function measureMixed(bench) {
  const { small, large, rows } = mixed;
  const seconds = bench.effort.mixedSeconds;
  const taken = rows.map(() => ({ own: [], large: [], refused: 0, all: 0 }));
  for (const { subject } of rows) {
    for (const { kind } of [small, large]) await warmUp(bench, { subject, kind, connections: 4 });
  }
  for (let round = 0; round < bench.effort.rounds; round++) {
    for (const [index, row] of rows.entries()) {
      await settle(bench, row.subject);
      const beside = row.large ? sample(bench, { ...large, subject: row.subject, seconds }) : undefined;
      const own = await sample(bench, { ...small, subject: row.subject, seconds });
      taken[index].own.push(figuresOf(own, own.ok));
      taken[index].refused += own.busy.count;
      taken[index].all += own.busy.count + own.ok.count;
      const answered = await beside;
      if (answered) taken[index].large.push(figuresOf(answered, answered.ok));
    }
  }
  return rows.flatMap(({ name, subject }, index) => {
    const { own, large: others, refused, all } = taken[index];
    const note = refused > 0 ? { note: `${percent(refused / all)} were 503` } : {};
    const row = { case: name, group: 'mixed', subject: name, ...medians(own), ...note };
    if (others.length === 0) return [row];
    const label = `its large ones${subject === 'inline only' ? ', inline only' : ''}`;
    return [row, { case: label, group: 'mixed', subject: label, ...medians(others) }];
  });
}

async function measureOverload(bench, kind, name) {
  const { subject, capacityConnections, rows } = overload;
  const seconds = bench.effort.mixedSeconds;
  const closed = { subject, kind, connections: capacityConnections, seconds };
  await warmUp(bench, closed);
  const capacities = [];
  const taken = rows.map(() => ({ admitted: [], refused: [], dropped: 0, offered: 0 }));
  for (let round = 0; round < bench.effort.rounds; round++) {
    await settle(bench, subject);
    const full = await sample(bench, closed);
    const capacity = full.ok.count / full.seconds;
    capacities.push(figuresOf(full, full.ok));
    for (const [index, { share, ...how }] of rows.entries()) {
      await settle(bench, subject);
      const own = await sample(bench, { subject, kind, seconds, ...how, rate: capacity * share });
      const entry = taken[index];
      entry.admitted.push(figuresOf(own, own.ok));
      if (own.busy.count > 0) entry.refused.push(figuresOf(own, own.busy));
      entry.dropped += own.dropped + own.broken;
      entry.offered += own.dropped + own.broken + own.ok.count + own.busy.count;
    }
  }
  const label = (what) => ({ case: `${what}, ${kind}`, group: name, subject: what });
  return [
    { ...label('capacity'), ...medians(capacities) },
    ...rows.flatMap(({ name: what }, index) => {
      const { admitted, refused, dropped, offered } = taken[index];
      const note = dropped > 0 ? { note: `${percent(dropped / offered)} of the arrivals found no connection` } : {};
      const first = { ...label(refused.length > 0 ? `${what}, admitted` : what), ...medians(admitted), ...note };
      return refused.length > 0 ? [first, { ...label(`${what}, 503`), ...medians(refused) }] : [first];
    }),
  ];
}

function percent(share) {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
