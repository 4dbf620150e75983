import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { readDashboard } from '../../src/http/dashboard-files.js';
import { dashboardRoutes } from '../../src/http/dashboard-routes.js';
import { ask, type RawAnswer, type Service, startService } from './fixture.js';

/** A tiny build, as the bundler leaves one behind. */
const files: Readonly<Record<string, string>> = {
  'index.html':
    '<!doctype html><title>Merlon</title><script type="module" src="/dashboard/assets/main-3f2a.js"></script>',
  'assets/main-3f2a.js': `console.log('hello');${' '.repeat(200)}`,
  'assets/plain-77aa.css': 'body { color: black }',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/main-3f2a.js.map': '{}',
};
const compressed = 'assets/main-3f2a.js';

function writeBuild(): string {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-dashboard-'));
  mkdirSync(join(folder, 'assets'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, `${compressed}.br`), brotliCompressSync(files[compressed]));
  writeFileSync(join(folder, `${compressed}.gz`), gzipSync(files[compressed]));
  return folder;
}

let folder: string;
let service: Service;
let bare: Service;
beforeAll(async () => {
  folder = writeBuild();
  service = await startService({ moreRoutes: dashboardRoutes(readDashboard(folder)) });
  bare = await startService({ moreRoutes: dashboardRoutes(readDashboard(join(folder, 'nothing'))) });
});
afterAll(() => {
  service.server.close();
  bare.server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}, on = service): Promise<RawAnswer> =>
  ask(on, `GET ${path}`, { headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`) });

describe('the dashboard', () => {
  test.each([
    ['/dashboard', 'index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/dashboard/', 'index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/dashboard/scans/scan_1', 'index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/dashboard/favicon.svg', 'favicon.svg', 'image/svg+xml', 'no-cache'],
    ['/dashboard/assets/plain-77aa.css', 'assets/plain-77aa.css', 'text/css; charset=utf-8', 'immutable'],
    [`/dashboard/${compressed}`, compressed, 'text/javascript; charset=utf-8', 'immutable'],
  ])('%s is %s', async (path, name, type, cache) => {
    const { status, body, headers } = await get(path);
    expect([status, body, headers.get('content-type')]).toEqual([200, files[name], type]);
    expect(headers.get('cache-control')).toContain(cache);
    expect(headers.get('content-encoding')).toBeUndefined();
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers.get('content-security-policy')).toContain(
      "frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('vary')).toBe('Accept-Encoding');
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.0', undefined],
    ['identity', undefined],
    ['abrupt', undefined],
  ])('is compressed where the client takes it: %s', async (accepted, coding) => {
    const { headers } = await get(`/dashboard/${compressed}`, { 'accept-encoding': accepted });
    expect(headers.get('content-encoding')).toBe(coding);
    const { headers: plain } = await get('/dashboard/assets/plain-77aa.css', { 'accept-encoding': accepted });
    expect(plain.get('content-encoding')).toBeUndefined();
  });

  test('is not sent again to who has it', async () => {
    const etag = (await get('/dashboard')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await fetch(`${service.url}/dashboard`, {
        headers: { 'if-none-match': sent },
      });
      const { status, headers } = response;
      expect([status, await response.text(), headers.get('etag')], sent).toEqual([304, '', etag]);
    }
    expect((await get('/dashboard', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('is where the root leads', async () => {
    const { status, headers } = await get('/');
    expect([status, headers.get('location')]).toEqual([302, '/dashboard']);
  });

  test.each([
    '/dashboard/assets/gone-1.js',
    `/dashboard/${compressed}.map`,
    '/dashboard/assets/../index.html',
    '/dashboards',
  ])('has nothing at %s', async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  test('only reads', async () => {
    expect((await ask(service, 'POST /dashboard', {})).status).toBe(405);
  });

  test('that was not built says so, and does not take the API along', async () => {
    for (const path of ['/dashboard', '/dashboard/scans', '/dashboard/assets/x.js']) {
      expect((await get(path, {}, bare)).status).toBe(404);
    }
    expect((await get('/dashboard', {}, bare)).body).toContain('not built');
    expect((await get('/livez', {}, bare)).status).toBe(200);
  });

  test('of too many files is refused at the start', () => {
    const large = writeBuild();
    for (let n = 0; n <= limits.dashboardFilesMax; n++) writeFileSync(join(large, `f${n}.txt`), '');
    expect(() => readDashboard(large)).toThrow(/more than 500 files/);
    rmSync(large, { recursive: true });
  });
});
