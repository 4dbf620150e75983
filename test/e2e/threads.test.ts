import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOneRule } from './one-rule.js';
import { removeService, startTestService, type TestService } from './service.js';

/*
 * Three threads on one port. Connections are dealt out in turn, so six of them reach each thread twice; each agent here
 * keeps to one connection.
 */

const threads = 3;
const { env, writePack, remove } = makeOneRule();
const agents = Array.from({ length: 2 * threads }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ ...env, MERLON_THREADS: String(threads) });
}, 60_000);
afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await removeService(service);
  remove();
});

interface Answered {
  readonly status: number;
  readonly scanId: string;
  readonly body: string;
}

async function send(
  agent: Agent,
  method: string,
  path: string,
  body?: object,
  token = service.token,
): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const asked = request(`${service.url}${path}`, { method, agent, headers });
  asked.end(body && JSON.stringify(body));
  const [response] = await once(asked, 'response');
  return { status: response.statusCode, scanId: response.headers['x-scan-id'] ?? '', body: await text(response) };
}

const scanBody = (content = 'two words, project falcon') => ({ messages: [{ role: 'user', content }], dev_info: true });
const scan = (agent: Agent, token?: string, content?: string) =>
  send(agent, 'POST', '/api/v1/guard', scanBody(content), token);
const scanAll = (token?: string) => Promise.all(agents.map((agent) => scan(agent, token)));
const ruleIds = ({ body }: Answered) => {
  const { dev_info } = JSON.parse(body) as { dev_info: { rules: readonly { id: string }[] } };
  return dev_info.rules.map(({ id }) => id).join();
};
const everywhere = <T>(value: T): readonly T[] => agents.map(() => value);

test('a revoked token is refused on every thread at once, whichever thread was asked to revoke it', async () => {
  for (const agent of agents) {
    const made = await send(agent, 'POST', '/api/v1/tokens', { name: 'short', scopes: ['guard:scan'] });
    const { id, token } = JSON.parse(made.body) as { id: string; token: string };
    expect((await scanAll(token)).map(({ status }) => status)).toEqual(everywhere(200));
    expect((await send(agent, 'DELETE', `/api/v1/tokens/${id}`)).status).toBeLessThan(300);
    expect((await scanAll(token)).map(({ status }) => status)).toEqual(everywhere(401));
  }
});

test('rules of an organization count on every thread with the answer that they are saved', async () => {
  const path = '/api/v1/organization/rules';
  for (const [index, agent] of agents.entries()) {
    const rule = { policy: 'LLM02', label: `codename-${index}`, patterns: [{ phrase: 'project falcon' }] };
    expect((await send(agent, 'PUT', path, { rules: [rule] })).status).toBe(200);
    const expected = `LLM01-0001,ORG-${String(index + 1).padStart(4, '0')}`;
    expect((await scanAll()).map(ruleIds)).toEqual(everywhere(expected));
  }
  expect((await send(agents[0], 'DELETE', path)).status).toBeLessThan(300);
  expect((await scanAll()).map(ruleIds)).toEqual(everywhere('LLM01-0001'));
});

test('a message that was clean on one thread is known to all of them', async () => {
  const recalled = ({ body }: Answered) => (JSON.parse(body) as { dev_info: { recalled: number } }).dev_info.recalled;
  expect(recalled(await scan(agents[0], undefined, 'nothing of it'))).toBe(0);
  for (const agent of agents) expect(recalled(await scan(agent, undefined, 'nothing of it'))).toBe(1);
});

test('a profile counts on every thread with the answer that it is saved', async () => {
  const path = '/api/v1/profiles/own';
  const profile = (mode: string) => ({
    title: 'Own',
    policies: { LLM01: { mode, threshold: 0.5 } },
    store_text: 'none',
  });
  await send(agents[0], 'PUT', path, profile('enforce'));
  const made = await send(agents[0], 'POST', '/api/v1/applications', { name: 'Shop', profile_id: 'own' });
  const { id } = JSON.parse(made.body) as { id: string };
  const flags = () =>
    Promise.all(
      agents.map(async (agent) => {
        const { body } = await send(agent, 'POST', '/api/v1/guard', { ...scanBody(), app_uuid: id });
        return (JSON.parse(body) as { flagged: boolean }).flagged;
      }),
    );
  for (const [index, agent] of agents.entries()) {
    const mode = index % 2 === 0 ? 'off' : 'enforce';
    expect((await send(agent, 'PUT', path, profile(mode))).status).toBe(200);
    expect(await flags()).toEqual(everywhere(mode === 'enforce'));
  }
});

test('every thread scans the latest turn alone where the profile says so, inline and in the pool', async () => {
  const policies = { LLM01: { mode: 'enforce', threshold: 0.5 } };
  const profile = { title: 'Latest', policies, store_text: 'none', scan_scope: 'latest_turn' };
  await send(agents[0], 'PUT', '/api/v1/profiles/latest', profile);
  const made = await send(agents[0], 'POST', '/api/v1/applications', { name: 'Chat', profile_id: 'latest' });
  const { id } = JSON.parse(made.body) as { id: string };
  const turns = (content: string) => [
    { role: 'user', content: 'two words' },
    { role: 'assistant', content: 'no' },
    { role: 'user', content },
  ];
  for (const [content, flagged] of [
    ['hello', false],
    ['two words', true],
    ['hello '.repeat(20_000), false],
  ] as const) {
    for (const agent of agents) {
      const asked = { messages: turns(content), app_uuid: id, dev_info: true };
      const { body } = await send(agent, 'POST', '/api/v1/guard', asked);
      expect(JSON.parse(body)).toMatchObject({ flagged, dev_info: { scanned_from: 2 } });
    }
  }
});

test('a reload counts on every thread with its answer', async () => {
  for (const [index, agent] of agents.entries()) {
    writePack(`LLM01-${1_000 + index}`);
    expect((await send(agent, 'POST', '/api/v1/rules/reload')).status).toBe(200);
    expect((await scanAll()).map(ruleIds)).toEqual(everywhere(`LLM01-${1_000 + index}`));
  }
});

test('scans of every thread are found with the next request to any thread, the large ones too', async () => {
  const large = `${'All is well. '.repeat(4_000)}two words`;
  const answers = await Promise.all(agents.flatMap((agent) => [scan(agent), scan(agent, service.token, large)]));
  expect(answers.map(({ status }) => status)).toEqual([...everywhere(200), ...everywhere(200)]);
  for (const [index, { scanId }] of answers.entries()) {
    const agent = agents[(index + 1) % agents.length];
    const { body } = await send(agent, 'GET', `/api/v1/guard/results?scan_id=${scanId}`);
    expect((JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([scanId]);
  }
});

test('metrics add up over the threads', async () => {
  const count = async (agent: Agent) => {
    const { body } = await send(agent, 'GET', '/metrics');
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1]);
    return {
      scans: value('merlon_scans_total\\{source="rest",flagged="true"\\}'),
      timed: value('merlon_scan_duration_seconds_count'),
      up: value('merlon_store_up'),
      began: value('process_start_time_seconds'),
    };
  };
  const before = await count(agents[0]);
  await scanAll();
  const scans = before.scans + agents.length;
  const timed = before.timed + agents.length;
  expect(before.began).toBeGreaterThan(0);
  for (const agent of agents) expect(await count(agent)).toEqual({ scans, timed, up: 1, began: before.began });
});

test('the load of the overview is that of all threads', async () => {
  const callers = Array.from({ length: threads }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  // Begun and not ended: one on each thread.
  const begun = callers.map((agent) => {
    const asked = request(`${service.url}/api/v1/guard`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', 'content-length': 100 },
    });
    asked.on('error', () => undefined);
    asked.write('{');
    return asked;
  });
  const inFlight = async () => {
    const { body } = await send(agents[0], 'GET', '/api/v1/overview');
    return (JSON.parse(body) as { load: { in_flight: number } }).load.in_flight;
  };
  await expect.poll(inFlight).toBe(threads + 1);
  for (const each of begun) each.destroy();
  await expect.poll(inFlight).toBe(1);
});

test('every thread takes MCP calls, and people without a token are refused on every thread', async () => {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'scan_with_guard', arguments: { messages: [{ role: 'user', content: 'two words' }] } },
  };
  for (const agent of agents) {
    const headers = {
      authorization: `Bearer ${service.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    const asked = request(`${service.url}/mcp/guard`, { method: 'POST', agent, headers });
    asked.end(JSON.stringify(call));
    const [response] = await once(asked, 'response');
    expect(await text(response)).toContain('"flagged":true');
    expect((await send(agent, 'POST', '/api/v1/guard', scanBody(), 'none')).status).toBe(401);
  }
});

test('stopping lets every thread finish what it has begun', async () => {
  const statuses: number[] = [];
  let isOver = false;
  const asking = agents.map(async (agent) => {
    while (!isOver) {
      const answer = await scan(agent).catch(() => undefined);
      if (!answer) return;
      statuses.push(answer.status);
    }
  });
  await expect.poll(() => statuses.length).toBeGreaterThan(30);
  expect(await service.stop()).toBe(0);
  isOver = true;
  await Promise.all(asking);
  expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(service.errors()).not.toContain('"level":"error"');
});
