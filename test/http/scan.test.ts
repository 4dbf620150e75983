import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { apps, scanId } from '../api/fake-guard.js';
import { message, type Service, scan, startService } from './fixture.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.server.close());
beforeEach(() => {
  service.guard.scans.length = 0;
});

const everything = { ...message('an attack'), payload: true, breakdown: true, dev_info: true };

describe('the answer of a scan', () => {
  test('holds the verdict alone when nothing else is asked for', async () => {
    const answer = await scan(service, message('hello'));
    expect(answer.status).toBe(200);
    expect(answer.body).toBe('{"flagged":false}');
  });

  test('has its keys in the documented order', async () => {
    const { body } = await scan(service, everything, { headers: ['X-Request-Id: r-1'] });
    expect(body).toBe(
      JSON.stringify({
        flagged: true,
        payload: [{ start: 3, end: 9, text: 'attack', detector_type: 'LLM01', labels: ['Attack'], message_id: 0 }],
        breakdown: [
          {
            app_uuid: null,
            policy_id: 'default',
            detector_id: 'LLM01:attack',
            detector_type: 'LLM01',
            detected: true,
            message_id: 0,
          },
        ],
        dev_info: {
          git_revision: 'abcdef0',
          git_timestamp: '1767225600',
          model_version: '1',
          version: '0.1.0',
          request_id: 'r-1',
          scan_id: scanId,
          policy_version: 'abc',
          timing: { queue: 0, scan: 2, total: 9 },
          scanned_from: 0,
          recalled: 1,
          rules: [{ id: 'r1', severity: 'high', references: ['https://example.org/r1'] }],
          learned: [{ detector_type: 'LLM01', message_id: 0, score: 0.7, parts: [{ text: 'attack', weight: 1.5 }] }],
        },
      }),
    );
  });

  test.each([
    ['nothing', {}, ['flagged']],
    ['payload', { payload: true }, ['flagged', 'payload']],
    ['breakdown', { breakdown: true }, ['flagged', 'breakdown']],
    ['dev_info', { dev_info: true }, ['flagged', 'dev_info']],
    ['nothing, explicitly', { payload: false, breakdown: false, dev_info: false }, ['flagged']],
  ])('holds %s exactly when asked for', async (_name, options, keys) => {
    const { body } = await scan(service, { ...message('hello'), ...options });
    expect(Object.keys(JSON.parse(body))).toEqual(keys);
  });

  test('has an empty payload where nothing matched', async () => {
    expect((await scan(service, { ...message('hello'), payload: true })).body).toBe('{"flagged":false,"payload":[]}');
  });

  test.each(['an attack', 'later: an attack'])('carries its headers: %s', async (content) => {
    const { headers } = await scan(service, message(content));
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-scan-id')).toBe(scanId);
    expect(headers.get('server-timing')).toMatch(/^scan;dur=\d+(\.\d+)?$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['utf-16', { start: 3, end: 9 }],
    ['utf-32', { start: 2, end: 8 }],
    ['utf-8', { start: 5, end: 11 }],
  ])('passes on the position encoding %s', async (encoding, span) => {
    const body = { ...message('🙂 attack'), payload: true, position_encoding: encoding };
    expect(JSON.parse((await scan(service, body)).body).payload[0]).toMatchObject(span);
  });

  test('may be larger than what a socket takes at once', async () => {
    const content = 'attack '.repeat(60_000);
    const { status, body } = await scan(service, { ...message(content), payload: true });
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(4_000_000);
    expect(JSON.parse(body).payload).toHaveLength(60_000);
  });
});

describe('what the guard is asked', () => {
  test('by default', async () => {
    await scan(service, message('hello'), { headers: ['X-Request-Id: r-2'] });
    expect(service.guard.scans).toEqual([
      {
        messages: [{ role: 'user', content: 'hello' }],
        source: 'rest',
        requestId: 'r-2',
        receivedUs: expect.any(Number),
        positionEncoding: 'utf-16',
        payload: false,
        breakdown: false,
        devInfo: false,
        abandoned: expect.any(Function),
      },
    ]);
  });

  test('with everything; a UUID is lowercased', async () => {
    await scan(service, {
      ...everything,
      app_uuid: apps.known.toUpperCase(),
      project_id: 'p',
      position_encoding: 'utf-8',
    });
    expect(service.guard.scans[0]).toMatchObject({
      appUuid: apps.known,
      projectId: 'p',
      positionEncoding: 'utf-8',
      payload: true,
      breakdown: true,
      devInfo: true,
    });
  });

  test('content comes through to the unit', async () => {
    const content = 'NUL \0, lone \ud800 and \udc00, astral 🙂, BOM \ufeff, "quotes" \\ / {}[]:,';
    await scan(service, message(content));
    expect(service.guard.scans[0].messages[0].content).toBe(content);
  });

  test('the most messages', async () => {
    const messages = Array.from({ length: limits.messagesMax }, () => ({ role: 'tool', content: '' }));
    expect((await scan(service, { messages })).status).toBe(200);
    expect(service.guard.scans[0].messages).toHaveLength(limits.messagesMax);
  });
});

describe('applications', () => {
  test.each([
    ['unknown', '11111111-1111-4111-8111-111111111111', 404, 'Unknown app_uuid.'],
    ['of another organization', apps.foreign, 403, 'You do not have access to this application.'],
  ])('%s: no scan runs', async (_name, app, status, detail) => {
    const answer = await scan(service, { ...message('x'), app_uuid: app });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).detail).toBe(detail);
    expect(answer.headers.has('x-scan-id')).toBe(false);
    expect(service.guard.scans).toHaveLength(0);
  });
});

describe('a scan that fails is never a verdict', () => {
  test.each([
    ['the guard is overloaded', 'overload', 503, 'Too many scans are waiting.'],
    ['the guard throws', 'explode: sesame', 500, 'An internal error occurred.'],
    ['the guard rejects', 'explode-later: sesame', 500, 'An internal error occurred.'],
  ])('%s', async (_name, content, status, detail) => {
    service.logged.length = 0;
    const answer = await scan(service, message(content));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).detail).toBe(detail);
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : undefined);
    expect(answer.body).not.toContain('flagged');
    expect(answer.body + service.logged.join('')).not.toContain('sesame');
    expect(service.logged.some((line) => line.includes('request failed'))).toBe(status === 500);
  });

  test('the metrics tell scans, findings and statuses', async () => {
    await scan(service, message('attack attack'));
    const text = await service.metrics.render();
    expect(text).toMatch(/^merlon_scans_total\{source="rest",flagged="true"\} [1-9]/m);
    expect(text).toMatch(/^merlon_findings_total\{policy="LLM01"\} [1-9]/m);
    expect(text).toMatch(/^merlon_http_requests_total\{route="\/api\/v1\/guard",method="POST",status="500"\} 2$/m);
    expect(text).toMatch(/^merlon_scan_duration_seconds_count [1-9]/m);
  });
});
