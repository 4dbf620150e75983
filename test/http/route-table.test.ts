import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/api/route.js';
import { clientAddress, RequestHeaders } from '../../src/http/request-head.js';
import { createRouteTable } from '../../src/http/route-table.js';

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  whileDraining: false,
  open: () => ({ status: 200, contentType: 'text/plain', body: path, headers: [] }),
});

const find = createRouteTable([
  route('GET', '/items'),
  route('GET', '/items/{id}'),
  route('DELETE', '/items/{id}'),
  route('GET', '/items/newest'),
  route('POST', '/items/{id}/parts/{part}'),
  route('GET', '/pages/*'),
]);

describe('a path', () => {
  test.each<[string, string, object]>([
    ['GET /items', '/items', {}],
    ['GET /items/17', '/items/{id}', { id: '17' }],
    ['HEAD /items/17', '/items/{id}', { id: '17' }],
    ['DELETE /items/17', '/items/{id}', { id: '17' }],
    ['GET /items/newest', '/items/newest', {}],
    ['GET /items/a%2Fb', '/items/{id}', { id: 'a%2Fb' }],
    ['GET /items/{id}', '/items/{id}', { id: '{id}' }],
    ['GET /items/__proto__', '/items/{id}', { id: '__proto__' }],
    ['POST /items/17/parts/9', '/items/{id}/parts/{part}', { id: '17', part: '9' }],
    ['GET /pages/a/b/c', '/pages/*', {}],
  ])('%s leads to %s', (line, path, parameters) => {
    const [method, asked] = line.split(' ');
    expect(find(method, asked)).toMatchObject({ kind: 'route', route: { path }, parameters });
  });

  test.each([
    '/items/',
    '/items/17/',
    '/items//parts/9',
    '/items/17/parts',
    '/items/17/parts/9/x',
    '/item/17',
    `/items${'/x'.repeat(5_000)}`,
  ])('%s leads nowhere', (path) => {
    expect(find('GET', path)).toEqual({ kind: 'unknown' });
  });

  test.each([
    ['POST', '/items/17', 'GET, HEAD, DELETE'],
    ['DELETE', '/items/newest', 'GET, HEAD'],
    ['PATCH', '/items/17/parts/9', 'POST'],
  ])('takes no other method: %s %s', (method, path, allow) => {
    expect(find(method, path)).toMatchObject({ kind: 'wrong_method', allow });
  });
});

describe('the address of a client', () => {
  const seen = '198.51.100.1';
  test.each([
    [0, '192.0.2.1', seen],
    [1, '192.0.2.1', '192.0.2.1'],
    [1, '10.0.0.1, 192.0.2.1', '192.0.2.1'],
    [2, '10.0.0.1, 192.0.2.1, 203.0.113.1', '192.0.2.1'],
    [2, '203.0.113.1', seen],
    [1, 'forged', seen],
    [1, '', seen],
    [1, '2001:db8::1', '2001:db8::1'],
    [1, undefined, seen],
  ])('behind %s proxies that tell %s is %s', (proxies, forwarded, address) => {
    const headers = new RequestHeaders();
    if (forwarded !== undefined) headers.add('x-forwarded-for', forwarded);
    expect(clientAddress(seen, headers, proxies)).toBe(address);
  });
});
