import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GuardError } from '../../src/domain/errors.js';
import { scanRecord } from '../api/fake-guard.js';
import { ask, type Service, startService } from './fixture.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.server.close());
beforeEach(() => {
  service.guard.queries.length = 0;
  service.guard.failure = undefined;
  service.guard.records = ['3', '2', '1'].map(scanRecord);
});

const path = 'GET /api/v1/guard/results';

describe('pages', () => {
  test('have their keys in the documented order', async () => {
    service.guard.records = [scanRecord('1')];
    const { status, body } = await ask(service, path);
    expect(status).toBe(200);
    expect(body).toBe(
      JSON.stringify({
        data: [
          {
            id: scanRecord('1').id,
            created_at: '2026-01-31T08:00:00.000Z',
            flagged: true,
            summary: { matches: 1, detectors: ['LLM01'] },
            project_id: 'checkout-bot',
            app_uuid: null,
            source: 'rest',
          },
        ],
        meta: { page: 1, per_page: 20, total: 1, next_cursor: null },
      }),
    );
  });

  test.each([
    ['', { limit: 20, offset: 0 }, { page: 1, per_page: 20, total: 3, next_cursor: null }, 3],
    ['?per_page=2', { limit: 2, offset: 0 }, { page: 1, per_page: 2, total: 3, next_cursor: '2' }, 2],
    ['?per_page=2&page=2', { limit: 2, offset: 2 }, { page: 2, per_page: 2, total: 3, next_cursor: null }, 1],
    [
      '?per_page=2&cursor=2',
      { limit: 2, offset: 0, cursor: '2' },
      { page: 1, per_page: 2, total: 3, next_cursor: null },
      1,
    ],
    ['?page=9', { limit: 20, offset: 160 }, { page: 9, per_page: 20, total: 3, next_cursor: null }, 0],
    [
      `?page=${'9'.repeat(18)}`,
      { limit: 20, offset: Number.MAX_SAFE_INTEGER },
      { page: 1e18, per_page: 20, total: 3, next_cursor: null },
      0,
    ],
  ])('%s', async (query, asked, meta, count) => {
    const { body } = await ask(service, path + query);
    const parsed = JSON.parse(body);
    expect(parsed.meta).toEqual(meta);
    expect(parsed.data).toHaveLength(count);
    expect(service.guard.queries).toEqual([asked]);
  });

  test('every filter is passed on', async () => {
    const query =
      '?project_id=p%20q&flagged=false&app_uuid=6F2B0C1E-8F5D-4A57-9D1C-3B9F0A7E4D21&detector=LLM02' +
      '&from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00%2B01:00';
    expect((await ask(service, path + query)).status).toBe(200);
    expect(service.guard.queries).toEqual([
      {
        limit: 20,
        offset: 0,
        projectId: 'p q',
        flagged: false,
        appUuid: '6f2b0c1e-8f5d-4a57-9d1c-3b9f0a7e4d21',
        detector: 'LLM02',
        from: Date.UTC(2026, 0, 1),
        to: Date.UTC(2026, 0, 1),
      },
    ]);
  });
});

describe('one scan by its id', () => {
  test('has the details after the summary', async () => {
    const { id } = scanRecord('2');
    const { data, meta } = JSON.parse((await ask(service, `${path}?scan_id=${id}`)).body);
    expect(meta.total).toBe(1);
    expect(Object.keys(data[0])).toEqual([
      'id',
      'created_at',
      'flagged',
      'summary',
      'project_id',
      'app_uuid',
      'source',
      'messages',
      'matches',
      'request_id',
      'policy_version',
      'duration_us',
    ]);
    expect(data[0]).toMatchObject({
      id,
      messages: { count: 2, lengths: [10, 0], scanned_from: 0 },
      matches: [
        {
          start: 4,
          end: 10,
          detector_type: 'LLM01',
          labels: ['Attack'],
          message_id: 0,
          rule_ids: ['r1'],
          severity: 'high',
        },
      ],
      request_id: 'request-1',
      policy_version: 'abc',
      duration_us: 42,
    });
  });

  test.each(['scan_0', '', 'scan_ZZ', '%27%20OR%201', `scan_${'0'.repeat(31)}A`])(
    'of another form is like one that never was: "%s"',
    async (id) => {
      const { status, body } = await ask(service, `${path}?scan_id=${id}`);
      expect(status).toBe(200);
      expect(body).toBe('{"data":[],"meta":{"page":1,"per_page":20,"total":0,"next_cursor":null}}');
      expect(service.guard.queries).toHaveLength(0);
    },
  );
});

describe('refusals', () => {
  test.each(['?per_page=0', '?per_page=101', '?page=0', '?page=x', '?per_pag=1', '?page=1&page=1', '?flagged=yes'])(
    '%s',
    async (query) => {
      const { status, headers, body } = await ask(service, path + query);
      expect(status).toBe(422);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(JSON.parse(body).errors).toHaveLength(1);
      expect(JSON.parse(body).errors[0].pointer).toMatch(/^\?(per_page|page|per_pag|flagged)$/);
    },
  );

  test('a foreign cursor, as the guard tells it', async () => {
    service.guard.failure = new GuardError('invalid_input', 'The cursor is not valid.', [
      { pointer: '?cursor', message: 'is not one that this service issued' },
    ]);
    const { status, body } = await ask(service, `${path}?cursor=x`);
    expect(status).toBe(422);
    expect(JSON.parse(body).errors[0].pointer).toBe('?cursor');
  });

  test('a store that cannot be read', async () => {
    service.guard.failure = new GuardError('store_unavailable', 'The store cannot be read.');
    const { status, headers } = await ask(service, path);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
  });
});

describe('policies', () => {
  test('are keyed by code and name', async () => {
    const { body } = await ask(service, 'GET /api/v1/policies');
    expect(body).toBe(
      '{"policy":{"LLM01__prompt_injection":{"name":"Prompt Injection","enabled":true,' +
        '"policy_name":"prompt_injection","mode":"enforce"},"LLM02__sensitive_information_disclosure":' +
        '{"name":"Sensitive Information Disclosure","enabled":true,' +
        '"policy_name":"sensitive_information_disclosure","mode":"monitor"}}}',
    );
  });

  test('none is an empty object', async () => {
    const { enabled } = service.guard;
    service.guard.enabled = [];
    expect((await ask(service, 'GET /api/v1/policies')).body).toBe('{"policy":{}}');
    service.guard.enabled = enabled;
  });
});
