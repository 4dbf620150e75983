import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { type Asked, ask, message, type RawAnswer, type Service, scan, startService } from './fixture.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.server.close());

/** Checks everything that all problems have in common, and gives the document. */
function problemOf(answer: RawAnswer, status: number): { detail: string; errors?: { pointer: string }[] } {
  const problem = JSON.parse(answer.body);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(Object.keys(problem)).toEqual(
    ['type', 'title', 'status', 'detail', 'request_id', 'errors'].slice(0, 'errors' in problem ? 6 : 5),
  );
  expect(problem.status).toBe(status);
  expect(problem.type).toMatch(/^urn:merlon:problem:[a-z_]+$/);
  expect(problem.request_id).toBe(answer.headers.get('x-request-id'));
  expect(problem.detail).toMatch(/\.$/);
  return problem;
}

describe('authentication', () => {
  const bearer = 'Bearer';
  const invalid = 'Bearer error="invalid_token"';
  test.each<[string, string | null, string]>([
    ['missing', null, bearer],
    ['empty', '', bearer],
    ['another scheme', 'Basic ZXZlcnl0aGluZzo=', bearer],
    ['the scheme alone', 'Bearer', bearer],
    ['the scheme and a space', 'Bearer ', bearer],
    ['no scheme', 'everything', bearer],
    ['an unknown token', 'Bearer nobody', invalid],
    ['two tokens', 'Bearer everything everything', invalid],
    ['a token in quotes', 'Bearer "everything"', invalid],
    ['a list', 'Bearer everything, Bearer everything', invalid],
    ['a character that no token has', 'Bearer every*thing', invalid],
  ])('%s: 401', async (_name, authorization, challenge) => {
    const answer = await scan(service, message('hello'), { authorization });
    problemOf(answer, 401);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect(answer.body).not.toContain('everything');
  });

  test('two headers: 401', async () => {
    const answer = await scan(service, message('hello'), { headers: ['Authorization: Bearer everything'] });
    problemOf(answer, 401);
    expect(answer.headers.get('www-authenticate')).toBe(invalid);
  });

  test.each(['bearer everything', 'BEARER everything', 'Bearer   everything'])(
    'accepted: %s',
    async (authorization) => {
      expect((await scan(service, message('hello'), { authorization })).status).toBe(200);
    },
  );

  test.each([
    ['POST /api/v1/guard', 'reader', 403],
    ['GET /api/v1/guard/results', 'scanner', 403],
    ['GET /api/v1/policies', 'scanner', 403],
    ['GET /api/v1/guard/results', 'reader', 200],
    ['GET /api/v1/policies', 'reader', 200],
  ])('%s as %s: %i', async (line, token, status) => {
    const body = line.startsWith('POST') ? { body: message('x') } : {};
    const answer = await ask(service, line, { authorization: `Bearer ${token}`, ...body });
    expect(answer.status).toBe(status);
    if (status === 403) {
      problemOf(answer, 403);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="insufficient_scope", scope="[a-z:]+"$/);
    }
  });
});

describe('paths and methods', () => {
  test.each([
    '/',
    '/api/v1/guard/',
    '/api/v1/Guard',
    '/api/v1/%67uard',
    '/api/v2/guard',
    '//api/v1/guard',
    '/api/v1/guard#x',
  ])('no such path: %s', async (path) => {
    problemOf(await ask(service, `GET ${path}`), 404);
  });

  test.each([
    ['GET /api/v1/guard', 'POST'],
    ['HEAD /api/v1/guard', 'POST'],
    ['OPTIONS /api/v1/guard', 'POST'],
    ['PUT /api/v1/guard', 'POST'],
    ['post /api/v1/guard', 'POST'],
    ['BREW /api/v1/guard', 'POST'],
    ['POST /api/v1/guard/results', 'GET, HEAD'],
    ['OPTIONS /api/v1/policies', 'GET, HEAD'],
    ['DELETE /livez', 'GET, HEAD'],
    ['TRACE /readyz', 'GET, HEAD'],
  ])('%s: 405, without asking for a token', async (line, allow) => {
    const answer = await ask(service, line, { authorization: null });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    if (!line.startsWith('HEAD')) problemOf(answer, 405);
  });

  test.each(['GET /api/v1/policies?x=1', 'POST /api/v1/guard?payload=true'])(
    '%s: a parameter that would have no effect is refused',
    async (line) => {
      const answer = await ask(service, line, line.startsWith('POST') ? { body: message('x') } : {});
      expect(problemOf(answer, 422).errors).toHaveLength(1);
    },
  );

  test.each(['GET /livez?x=1', 'GET /api/v1/openapi.json?v=2', 'GET /api/v1/policies?'])(
    '%s is served',
    async (line) => {
      expect((await ask(service, line)).status).toBe(200);
    },
  );

  test.each([
    '/api/v1/policies',
    '/api/v1/guard/results',
    '/api/v1/openapi.json',
    '/livez',
    '/readyz',
    '/metrics',
    '/nowhere',
  ])('HEAD %s is GET without the body', async (path) => {
    const head = await ask(service, `HEAD ${path}`);
    const get = await ask(service, `GET ${path}`);
    expect(head.status).toBe(get.status);
    expect(head.body).toBe('');
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    if (path !== '/metrics') expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });
});

describe('content types', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8" ',
    'application/json;',
    'application/json ; ;charset=utf-8; ',
  ])('accepted: %s', async (contentType) => {
    expect((await scan(service, message('x'), { contentType })).status).toBe(200);
  });

  test.each<[string, Asked]>([
    ['missing', { contentType: null }],
    ['text', { contentType: 'text/plain' }],
    ['another JSON', { contentType: 'application/problem+json' }],
    ['a longer name', { contentType: 'application/jsonx' }],
    ['another charset', { contentType: 'application/json; charset=latin1' }],
    ['no semicolon', { contentType: 'application/json charset=utf-8' }],
    ['two charsets', { contentType: 'application/json; charset=utf-8; charset=latin1' }],
    ['no parameter at the end', { contentType: `application/json${'; '.repeat(4_000)}x` }],
    ['another parameter', { contentType: 'application/json; version=1' }],
    ['two', { headers: ['Content-Type: application/json'] }],
    ['compressed', { headers: ['Content-Encoding: gzip'] }],
  ])('415: %s', async (_name, asked) => {
    problemOf(await scan(service, message('x'), asked), 415);
  });
});

describe('bodies', () => {
  test.each<[string, string | Uint8Array]>([
    ['empty', ''],
    ['not JSON', '{'],
    ['not an object', '[]'],
    ['not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['too deep', '['.repeat(limits.jsonDepthMax + 1)],
    ['a repeated key', '{"messages":[],"messages":[]}'],
  ])('400: %s', async (_name, body) => {
    problemOf(await scan(service, body), 400);
  });

  test('a byte order mark is passed over', async () => {
    expect((await scan(service, `\uFEFF${JSON.stringify(message('x'))}`)).status).toBe(200);
  });

  test.each([
    ['PATCH /api/v1/applications/nothing', 'The application is not known.', { name: 'x' }],
    ['PATCH /api/v1/users/nothing', 'The user is not known.', { role: 'admin' }],
    ['DELETE /api/v1/users/nothing', 'The user is not known.', undefined],
    ['DELETE /api/v1/tokens/nothing', 'The token is not known.', undefined],
    ['GET /api/v1/profiles/nothing', 'The profile is not known.', undefined],
    ['GET /api/v1/organization/rules/history/9', 'The revision is not known.', undefined],
    ['GET /api/v1/rules/nothing', 'The rule is not known.', undefined],
  ])('404: %s has no invalid field', async (line, detail, body) => {
    const problem = problemOf(await ask(service, line, body === undefined ? {} : { body }), 404);
    expect(problem).toMatchObject({ type: 'urn:merlon:problem:unknown_id', detail });
    expect(problem).not.toHaveProperty('errors');
  });

  test.each([
    [' ', '/title must not be blank.'],
    [5, '/title must be a string.'],
  ])('422: one invalid field is told in one form, whichever check found it', async (title, detail) => {
    const body = { title, policies: {}, store_text: 'none' };
    expect(problemOf(await ask(service, 'PUT /api/v1/profiles/shop', { body }), 422).detail).toBe(detail);
  });

  test('422: all invalid fields at once, by pointer', async () => {
    const answer = await scan(service, { messages: [{ role: '', content: 5 }], playload: true });
    const problem = problemOf(answer, 422);
    expect(problem.detail).toBe('3 fields are invalid.');
    expect(problem.errors).toEqual([
      { pointer: '/messages/0/role', message: 'must be 1 to 256 characters long' },
      { pointer: '/messages/0/content', message: 'must be a string' },
      { pointer: '/playload', message: 'is not a known field' },
    ]);
  });
});

test('422: invalid fields of body and query are named together', async () => {
  const body = { messages: [{ role: 'user', content: 5 }], payload: 'yes' };
  const problem = problemOf(await ask(service, 'POST /api/v1/guard?dry_run=true', { body }), 422);
  expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/messages/0/content', '/payload', '?dry_run']);
});

describe('the order of checks: path, method, token, scope, content type, size, body, query, fields', () => {
  const wrong = { contentType: 'text/plain', body: '{' };
  test.each<[string, string, Asked, number]>([
    ['path before method', 'PUT /nowhere', { authorization: null, ...wrong }, 404],
    ['method before token', 'PUT /api/v1/guard', { authorization: null, ...wrong }, 405],
    ['token before content type', 'POST /api/v1/guard', { authorization: null, ...wrong }, 401],
    ['scope before content type', 'POST /api/v1/guard', { authorization: 'Bearer reader', ...wrong }, 403],
    ['content type before body', 'POST /api/v1/guard', wrong, 415],
    ['body before query', 'POST /api/v1/guard?x=1', { body: '{' }, 400],
    ['query before fields', 'POST /api/v1/guard?x=1', { body: '{}' }, 422],
  ])('%s', async (_name, line, asked, status) => {
    problemOf(await ask(service, line, asked), status);
  });
});

describe('request ids', () => {
  test.each([
    ['one character', '!'],
    ['visible ASCII', 'a-Z_0.9:/+=~{}"'],
    ['128 characters', 'r'.repeat(128)],
  ])('the client’s own is kept: %s', async (_name, id) => {
    const answer = await ask(service, 'GET /nowhere', { headers: [`X-Request-Id: ${id}`] });
    expect(answer.headers.get('x-request-id')).toBe(id);
    expect(JSON.parse(answer.body).request_id).toBe(id);
  });

  test.each([
    ['129 characters', ['r'.repeat(129)]],
    ['empty', ['']],
    ['a space inside', ['a b']],
    ['not ASCII', ['é']],
    ['two of them', ['a', 'b']],
  ])('another is replaced: %s', async (_name, ids) => {
    const headers = ids.map((id) => `X-Request-Id: ${id}`);
    const answer = await ask(service, 'GET /livez', { headers });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
