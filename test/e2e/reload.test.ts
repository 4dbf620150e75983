import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeOneRule } from './one-rule.js';
import { merlon, removeService, startTestService, type TestService, temporaryFolder } from './service.js';

/** Rules that change under a real service: by request, by signal, by command. */

const { packFile, profilesFolder, env, writePack, remove } = makeOneRule();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(env);
}, 60_000);
afterAll(async () => {
  await removeService(service);
  remove();
});

interface Scanned {
  readonly flagged: boolean;
  readonly dev_info: {
    readonly policy_version: string;
    readonly recalled: number;
    readonly rules: readonly { readonly id: string }[];
  };
}

async function scan(content = 'two words, project falcon'): Promise<{ version: string; rules: string }> {
  const response = await service.scan({ messages: [{ role: 'user', content }], dev_info: true });
  const body = (await response.json()) as Scanned;
  expect([response.status, body.flagged]).toEqual([200, true]);
  const { policy_version: version, rules } = body.dev_info;
  return { version, rules: rules.map(({ id }) => id).join() };
}

const reload = () => service.fetch('/api/v1/rules/reload', { method: 'POST' });

describe('a reload', () => {
  test('counts with the first scan after its answer', async () => {
    const before = await scan();
    writePack('LLM01-0002');
    const response = await reload();
    expect([response.status, await response.json()]).toEqual([200, { generation: 1, rules: 1, profiles: 1 }]);
    const after = await scan();
    expect([before.rules, after.rules]).toEqual(['LLM01-0001', 'LLM01-0002']);
    expect(after.version).not.toBe(before.version);
    const listed = (await (await service.fetch('/api/v1/rules')).json()) as { data: { id: string }[] };
    expect(listed.data.map(({ id }) => id)).toEqual(['LLM01-0002']);
  });

  test('brings what was clean before under its rules', async () => {
    const ask = async () => {
      const response = await service.scan({ messages: [{ role: 'user', content: 'three words' }], dev_info: true });
      const { flagged, dev_info: info } = (await response.json()) as Scanned;
      return { flagged, recalled: info.recalled };
    };
    expect([await ask(), await ask()]).toEqual([
      { flagged: false, recalled: 0 },
      { flagged: false, recalled: 1 },
    ]);
    writePack('LLM01-0005', 'three words');
    await reload();
    expect([await ask(), await ask()]).toEqual([
      { flagged: true, recalled: 0 },
      { flagged: true, recalled: 0 },
    ]);
    writePack('LLM01-0002');
    await reload();
  });

  test('of a broken file changes nothing and says what is wrong where, in its answer and in the log', async () => {
    const before = await scan();
    writeFileSync(packFile, 'policy: LLM01\nrules:\n  - id: LLM02-0001\n    label: words\n');
    const response = await reload();
    const { detail, errors } = (await response.json()) as {
      detail: string;
      errors: { pointer: string; code: string }[];
    };
    expect([response.status, detail]).toEqual([
      422,
      expect.stringMatching(/^The rule files have .*nothing was changed\.$/),
    ]);
    expect(errors[0]).toMatchObject({
      pointer: expect.stringMatching(/^LLM01-test\/words\.yaml:3:\d+$/),
      code: 'E102',
    });
    await expect.poll(() => service.errors()).toMatch(/LLM01-test\/words\.yaml:3:\d+ E102/);
    expect(await scan()).toEqual(before);

    rmSync(packFile);
    expect((await reload()).status).toBe(422);
    expect(await scan()).toEqual(before);
  });

  test('is asked for by SIGHUP, too', async () => {
    writePack('LLM01-0003');
    service.process.kill('SIGHUP');
    await expect.poll(async () => (await scan()).rules).toBe('LLM01-0003');
  });

  test('is asked for on the command line, too', async () => {
    const env = { MERLON_TOKEN: service.token };
    const run = (...args: readonly string[]) => merlon(['rules', 'reload', ...args], { env });
    writePack('LLM01-0004');
    expect(await run('--url', service.url)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Reloaded: 1 rules/),
    });
    expect((await scan()).rules).toBe('LLM01-0004');
    writePack('broken');
    expect(await run('--url', service.url)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^LLM01-test\/words\.yaml:3:\d+ E10/),
    });
    expect(await run('--url', 'http://127.0.0.1:1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no service at/),
    });
  });

  test('is for admins', async () => {
    const { token } = (await (
      await service.fetch('/api/v1/tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'scans', scopes: ['guard:scan'] }),
      })
    ).json()) as { token: string };
    const response = await service.fetch('/api/v1/rules/reload', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(403);
  });
});

test('a profile that is gone weakens nobody in silence: a reload is refused, a start warns', async () => {
  writePack('LLM01-0006');
  const strict = join(profilesFolder, 'strict.yaml');
  const write = () =>
    writeFileSync(strict, 'id: strict\ntitle: S\npolicies:\n  LLM01: { mode: enforce, threshold: 0.1 }\n');
  write();
  const folder = temporaryFolder();
  const first = await startTestService(env, folder);
  const post = (path: string, body?: unknown) =>
    first.fetch(path, {
      method: 'POST',
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  expect((await post('/api/v1/applications', { name: 'checkout', profile_id: 'strict' })).status).toBe(201);
  rmSync(strict);
  const refused = await post('/api/v1/rules/reload');
  const message = 'The profile strict is missing, but assigned to 1 applications and 0 users';
  expect([refused.status, await refused.json()]).toEqual([
    422,
    expect.objectContaining({ errors: [{ pointer: '', message }] }),
  ]);
  expect(await (await first.fetch('/readyz')).json()).toEqual({ status: 'ready', reasons: [] });
  await first.stop();

  const second = await startTestService({ ...env, MERLON_BOOTSTRAP_TOKEN: first.token }, folder);
  try {
    const reasons = ['1 assigned profiles are missing; the log of the start names them.'];
    expect(await (await second.fetch('/readyz')).json()).toEqual({ status: 'degraded', reasons });
    await expect.poll(() => second.errors()).toContain(`"level":"warn"`);
    expect(second.errors()).toContain(message);
    const missingBefore = await second.fetch('/api/v1/rules/reload', { method: 'POST' });
    expect(missingBefore.status).toBe(200);
    write();
    expect((await second.fetch('/api/v1/rules/reload', { method: 'POST' })).status).toBe(200);
    expect(await (await second.fetch('/readyz')).json()).toEqual({ status: 'ready', reasons: [] });
  } finally {
    await removeService(second);
    rmSync(strict, { force: true });
  }
});

test('under load no request fails, and every answer is of exactly one generation', async () => {
  const own = { policy: 'LLM02', label: 'codename', patterns: [{ phrase: 'project falcon' }] };
  const saved = await service.fetch('/api/v1/organization/rules', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules: [own] }),
  });
  expect(saved.status).toBe(200);
  let isOver = false;
  const rulesOfVersion = new Map<string, Set<string>>();
  const seen = { inline: 0, pool: 0 };
  const scanAll = async (kind: keyof typeof seen, content: string) => {
    while (!isOver) {
      const { version, rules } = await scan(content);
      rulesOfVersion.set(version, (rulesOfVersion.get(version) ?? new Set()).add(rules));
      seen[kind]++;
    }
  };
  const words = 'two words, project falcon';
  const scanning = [
    ...Array.from({ length: 6 }, () => scanAll('inline', words)),
    ...Array.from({ length: 2 }, () => scanAll('pool', `${'All is well. '.repeat(4_000)}${words}`)),
  ];
  const ids = new Set<string>();
  const failures: number[] = [];
  for (let round = 0; round < 20; round++) {
    const id = `LLM01-${String(1_000 + round)}`;
    ids.add(id);
    writePack(id);
    const { status } = await reload();
    if (status !== 200) failures.push(status);
    await delay(100);
  }
  const last = `${[...ids].at(-1)},ORG-0001`;
  await expect.poll(() => [...rulesOfVersion.values()].some((rules) => rules.has(last))).toBe(true);
  isOver = true;
  await Promise.all(scanning);
  expect(failures).toEqual([]);
  for (const rules of rulesOfVersion.values()) expect([...rules]).toHaveLength(1);
  const found = [...rulesOfVersion.values()].flatMap((rules) => [...rules]);
  for (const rules of found) expect(rules).toMatch(/^LLM01-\d{4},ORG-0001$/);
  expect(new Set(found).size, 'no two versions have the same rules').toBe(found.length);
  expect(Math.min(seen.inline, seen.pool)).toBeGreaterThan(0);
}, 60_000);
