import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationTable } from '../../src/api/operations.js';
import { problemResponse } from '../../src/api/schemas.js';
import { scanRecord } from '../api/fake-guard.js';
import { type Asked, ask, message, type Service, startService } from './fixture.js';

/** Real answers against the schemas that the OpenAPI document shows: nothing missing, and nothing that it does not tell. */

let service: Service;
beforeAll(async () => {
  service = await startService();
  service.guard.records = ['2', '1'].map(scanRecord);
});
afterAll(() => service.server.close());

/** The schema with every object closed, so that an answer's undocumented field is found. */
function closed(schema: TSchema): TSchema {
  if (Type.IsArray(schema)) return Type.Array(closed(schema.items));
  if (!Type.IsObject(schema)) return schema;
  const properties: Record<string, TSchema> = {};
  for (const [key, child] of Object.entries(schema.properties)) {
    properties[key] = Type.IsOptional(child) ? Type.Optional(closed(child)) : closed(child);
  }
  return Type.Object(properties, { additionalProperties: false });
}

const everything = { ...message('an attack'), payload: true, breakdown: true, dev_info: true };
const cases: [string, Asked, number][] = [
  ['POST /api/v1/guard', { body: message('hello') }, 200],
  ['POST /api/v1/guard', { body: everything }, 200],
  ['POST /api/v1/guard', { body: '{' }, 400],
  ['POST /api/v1/guard', { body: everything, authorization: null }, 401],
  ['POST /api/v1/guard', { body: everything, authorization: 'Bearer reader' }, 403],
  ['POST /api/v1/guard', { body: { ...everything, app_uuid: '11111111-1111-4111-8111-111111111111' } }, 404],
  ['POST /api/v1/guard', { body: 'x'.repeat(4 * 1024 * 1024 + 1) }, 413],
  ['POST /api/v1/guard', { body: everything, contentType: 'text/plain' }, 415],
  ['POST /api/v1/guard', { body: { x: 1 } }, 422],
  ['POST /api/v1/guard', { body: message('explode') }, 500],
  ['POST /api/v1/guard', { body: message('overload') }, 503],
  ['GET /api/v1/guard/results', {}, 200],
  ['GET /api/v1/guard/results?per_page=1', {}, 200],
  [`GET /api/v1/guard/results?scan_id=${scanRecord('1').id}`, {}, 200],
  ['GET /api/v1/guard/results?per_page=0', {}, 422],
  ['GET /api/v1/policies', {}, 200],
  ['GET /api/v1/policies', { authorization: 'Bearer scanner' }, 403],
  ['GET /livez', { authorization: null }, 200],
  ['GET /readyz', { authorization: null }, 200],
];

test.each(cases)('%s %o: %i', async (line, asked, status) => {
  const [method, path] = line.split(/[ ?]/);
  const operation = operationTable('1.2.3').find((candidate) => candidate.method === method && candidate.path === path);
  const answer = await ask(service, line, asked);
  expect(answer.status).toBe(status);
  const described = operation?.responses.find((response) => response.status === status);
  const schema = described?.schema ?? problemResponse;
  const contentType = described?.contentType ?? 'application/problem+json';
  expect(answer.headers.get('content-type')).toBe(contentType);
  const body: unknown = JSON.parse(answer.body);
  expect(Compile(closed(schema)).Errors(body)).toEqual([]);
  expect(inOrder(schema, body)).toBe(true);
  // This one only tells of a record that is late.
  const always = described?.headers.filter((header) => header !== 'X-Scan-Recorded') ?? [];
  for (const header of always) expect(answer.headers.has(header.toLowerCase())).toBe(true);
  expect(answer.headers.has('retry-after')).toBe(status === 503);
});

test('the served document is that of the table', async () => {
  const { status, body, headers } = await ask(service, 'GET /api/v1/openapi.json', { authorization: null });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  const { openapi, paths } = JSON.parse(body);
  expect(openapi).toBe('3.1.0');
  expect(Object.keys(paths)).toEqual([...new Set(operationTable('1.2.3').map(({ path }) => path))]);
});

/** Whether the keys of every object stand in the order of the schema's properties. */
function inOrder(schema: TSchema, value: unknown): boolean {
  if (Type.IsArray(schema)) return Array.isArray(value) && value.every((item) => inOrder(schema.items, item));
  if (!Type.IsObject(schema) || typeof value !== 'object' || value === null) return true;
  const { properties }: TObject = schema;
  const present = Object.keys(properties).filter((key) => key in value);
  const ordered = JSON.stringify(Object.keys(value)) === JSON.stringify(present);
  return ordered && present.every((key) => inOrder(properties[key], Reflect.get(value, key)));
}
