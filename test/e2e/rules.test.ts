import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeService, startTestService, type TestService } from './service.js';

/** Rules as people read about them, on a real service. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 60_000);
afterAll(() => removeService(service));

interface Rule {
  readonly id: string;
  readonly policy: string;
  readonly origin: string;
  readonly title: string;
  readonly why: string;
  readonly references: readonly string[];
  readonly examples: { readonly match: readonly string[] };
  readonly hits_30d: number;
}

const get = async (path: string) => {
  const response = await service.fetch(`/api/v1${path}`);
  return { status: response.status, body: (await response.json()) as { data: Rule[]; meta: Meta } & Rule };
};
interface Meta {
  readonly total: number;
  readonly next_cursor: string | null;
}

describe('the rules', () => {
  it('are listed page by page, each once, by policy', async () => {
    const ids: string[] = [];
    let cursor: string | null = '';
    let total = 0;
    while (cursor !== null) {
      const { body } = await get(`/rules?per_page=50${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.data.map(({ id }) => id));
      total = body.meta.total;
      cursor = body.meta.next_cursor;
    }
    expect(ids.length).toBeGreaterThan(150);
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
    expect(ids.map((id) => id.slice(0, 5))).toEqual(ids.map((id) => id.slice(0, 5)).sort());
  });

  it.each([
    '/rules?cursor=x',
    '/rules?cursor=LLM99-0001',
    '/audit?cursor=x',
    '/users?cursor=x',
    '/tokens?cursor=x',
    '/guard/results?cursor=x',
  ])('and other lists take no other cursor than theirs, and do not tell its form: %s', async (path) => {
    const message = 'is not one that this list gave with these filters';
    expect(await get(path)).toMatchObject({
      status: 422,
      body: { detail: `?cursor ${message}.`, errors: [{ pointer: '?cursor', message }] },
    });
  });

  it('tell why, with examples and references, one by one', async () => {
    const { body } = await get('/rules?per_page=1&policy=LLM02');
    const [rule] = body.data;
    expect(rule).toMatchObject({ policy: 'LLM02', origin: 'shipped' });
    expect(Math.min(rule.why.length, rule.references.length, rule.examples.match.length)).toBeGreaterThan(0);
    expect((await get(`/rules/${rule.id}`)).body).toEqual(rule);
    expect((await get('/rules/LLM99-0001')).status).toBe(404);
  });

  it('are found by words', async () => {
    const { body } = await get('/rules?query=CARD%20number&per_page=100');
    expect(body.data.length).toBeGreaterThan(0);
    for (const { id, title, why } of body.data) expect(`${id} ${title} ${why}`.toLowerCase()).toMatch(/card/);
    expect((await get('/rules?query=qqqqqq')).body).toEqual({ data: [], meta: { total: 0, next_cursor: null } });
  });

  it('count in how much of the organization’s traffic they matched', async () => {
    const send = async (method: string, path: string, body: object) =>
      service.fetch(`/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const rules = [
      {
        policy: 'LLM02',
        title: 'Codename',
        patterns: [{ phrase: 'project falcon' }],
        examples: { match: ['Project Falcon'] },
      },
    ];
    expect((await send('PUT', '/organization/rules', { rules })).status).toBe(200);
    for (let i = 0; i < 3; i++)
      await service.scan({ messages: [{ role: 'user', content: 'project falcon project falcon' }] });
    const { dataFolder, token } = service;
    await service.stop();
    service = await startTestService({ MERLON_BOOTSTRAP_TOKEN: token }, dataFolder);
    const { body } = await get('/rules/ORG-0001');
    expect(body).toMatchObject({ origin: 'organization', title: 'Codename', hits_30d: 3, examples: { match: [] } });
    const { total } = (await get('/rules')).body.meta;
    expect((await get('/rules?query=codename')).body.data.map(({ id }) => id)).toContain('ORG-0001');
    expect(total).toBeGreaterThan(150);
  });

  it.each([
    ['?policy=LLM77', '?policy'],
    ['?per_page=0', '?per_page'],
    ['?cursor=LLM99-9999', '?cursor'],
    ['?cursor=x', '?cursor'],
    ['?id=1', '?id'],
  ])('refuse %s', async (query, pointer) => {
    expect(await get(`/rules${query}`)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });
});
