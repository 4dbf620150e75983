import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { openapiDocument } from '../../src/api/openapi.js';
import { operationTable } from '../../src/api/operations.js';
import { errorTable } from '../../src/domain/errors.js';
import { roleClassOf } from '../../src/domain/role.js';

/** The document as a client reads it. */
const document = JSON.parse(JSON.stringify(openapiDocument(operationTable('1.2.3'), '1.2.3')));
const operations = operationTable('1.2.3');

/** The shape of the parts of OpenAPI 3.1 that the document uses; closed, so that a misspelt key is found. */
const closed = { additionalProperties: false };
const schemaOrReference = Type.Record(Type.String(), Type.Unknown());
const text = Type.String({ minLength: 1 });
const reference = Type.Object({ $ref: Type.String({ pattern: '^#/components/' }) }, closed);
const media = Type.Object(
  {
    schema: schemaOrReference,
    example: Type.Optional(Type.Unknown()),
    examples: Type.Optional(
      Type.Record(Type.String(), Type.Object({ summary: Type.Optional(text), value: Type.Unknown() }, closed)),
    ),
  },
  closed,
);
const content = Type.Record(Type.String({ pattern: '^[a-z]+/[a-z+-]+$' }), media);
const parameter = Type.Object(
  {
    name: text,
    in: Type.Enum(['query', 'header', 'path']),
    required: Type.Boolean(),
    description: Type.Optional(text),
    schema: schemaOrReference,
  },
  closed,
);
const header = Type.Object(
  { description: text, required: Type.Optional(Type.Literal(true)), schema: schemaOrReference },
  closed,
);
const response = Type.Object({ description: text, headers: Type.Record(Type.String(), reference), content }, closed);
const operation = Type.Object(
  {
    operationId: Type.String({ pattern: '^[a-zA-Z]+$' }),
    summary: text,
    description: text,
    security: Type.Array(
      Type.Object(
        Object.fromEntries(['bearer', 'session', 'csrf'].map((scheme) => [scheme, Type.Optional(Type.Array(text))])),
        closed,
      ),
    ),
    parameters: Type.Array(Type.Union([reference, parameter])),
    requestBody: Type.Optional(Type.Object({ required: Type.Literal(true), content }, closed)),
    responses: Type.Record(Type.String({ pattern: '^[1-5][0-9][0-9]$' }), response),
  },
  closed,
);
const apiKey = (place: string) =>
  Type.Object({ type: Type.Literal('apiKey'), in: Type.Literal(place), name: text, description: text }, closed);
const openapi = Type.Object(
  {
    openapi: Type.String({ pattern: '^3\\.1\\.\\d+$' }),
    info: Type.Object(
      {
        title: text,
        version: text,
        description: text,
        license: Type.Object({ name: text, identifier: text }, closed),
      },
      closed,
    ),
    servers: Type.Array(Type.Object({ url: text }, closed)),
    paths: Type.Record(
      Type.String({ pattern: '^/' }),
      Type.Object(
        Object.fromEntries(
          ['get', 'post', 'put', 'patch', 'delete'].map((method) => [method, Type.Optional(operation)]),
        ),
        closed,
      ),
    ),
    components: Type.Object(
      {
        schemas: Type.Record(Type.String({ pattern: '^[A-Za-z]+$' }), schemaOrReference),
        headers: Type.Record(Type.String(), header),
        parameters: Type.Record(Type.String(), parameter),
        securitySchemes: Type.Object(
          {
            bearer: Type.Object(
              { type: Type.Literal('http'), scheme: Type.Literal('bearer'), description: text },
              closed,
            ),
            session: apiKey('cookie'),
            csrf: apiKey('header'),
          },
          closed,
        ),
      },
      closed,
    ),
  },
  closed,
);

/** Every value in a document, with the keys that lead to it. */
function* walk(value: unknown, path: readonly string[] = []): Generator<[readonly string[], unknown]> {
  yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* walk(child, [...path, key]);
}

function resolve(pointer: string): unknown {
  let at: unknown = document;
  for (const key of pointer.slice(2).split('/')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

describe('the document', () => {
  test('has the structure of OpenAPI 3.1', () => {
    expect(Compile(openapi).Errors(document)).toEqual([]);
  });

  test('has references that all lead somewhere, and no component that nothing refers to', () => {
    const references = [...walk(document)]
      .filter(([path]) => path.at(-1) === '$ref')
      .map(([, target]) => String(target));
    expect(references.length).toBeGreaterThan(50);
    for (const target of references) expect(resolve(target), target).toBeDefined();
    for (const kind of ['schemas', 'headers', 'parameters']) {
      for (const name of Object.keys(document.components[kind])) {
        expect(references).toContain(`#/components/${kind}/${name}`);
      }
    }
  });

  test('has schemas of the plain kind: nothing of the library shows', () => {
    expect(JSON.stringify(document)).not.toContain('~');
  });

  test('lists the names of roles, each for what it counts as', () => {
    const { description } = document.components.schemas.GuardRequest.properties.messages.items.properties.role;
    const lists = [...description.matchAll(/as (system|assistant|tool): ([^;.]*);/g)];
    const names = lists.flatMap(([, of, list]) => list.split(', ').map((name: string) => [name.slice(1, -1), of]));
    expect(names).toHaveLength(19);
    for (const [name, of] of names) expect(roleClassOf(name), name).toBe(of);
  });

  test('is made of the table: every operation by its own id', () => {
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids).toEqual(operations.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

const session = ['401', '403', '500', '503'];
const secured = [...session, '429'];
describe('every operation tells every status that it can answer', () => {
  test.each([
    ['post', '/api/v1/guard', ['200', '400', '404', '413', '415', '422', ...secured]],
    ['get', '/api/v1/guard/results', ['200', '422', ...secured]],
    ['get', '/api/v1/policies', ['200', '404', '422', ...secured]],
    ['get', '/api/v1/organization/rules', ['200', '422', ...secured]],
    ['put', '/api/v1/organization/rules', ['200', '400', '409', '413', '415', '422', ...secured]],
    ['delete', '/api/v1/organization/rules', ['200', '422', ...secured]],
    ['post', '/api/v1/organization/rules/check', ['200', '400', '413', '415', '422', ...secured]],
    ['post', '/api/v1/session', ['200', '400', '401', '403', '413', '415', '422', '429', '500', '503']],
    ['get', '/api/v1/session', ['200', '422', ...session]],
    ['delete', '/api/v1/session', ['200', '422', ...session]],
    ['delete', '/api/v1/session/others', ['200', '422', ...session]],
    ['put', '/api/v1/session/password', ['200', '400', '409', '413', '415', '422', '429', ...session]],
    ['get', '/api/v1/tokens', ['200', '422', ...secured]],
    ['post', '/api/v1/tokens', ['201', '400', '409', '413', '415', '422', ...secured]],
    ['delete', '/api/v1/tokens/{id}', ['200', '404', '422', ...secured]],
    ['get', '/api/v1/users', ['200', '422', ...secured]],
    ['post', '/api/v1/users', ['201', '400', '409', '413', '415', '422', ...secured]],
    ['patch', '/api/v1/users/{id}', ['200', '400', '404', '409', '413', '415', '422', ...secured]],
    ['delete', '/api/v1/users/{id}', ['200', '404', '409', '422', ...secured]],
    ['get', '/api/v1/applications', ['200', '422', ...secured]],
    ['post', '/api/v1/applications', ['201', '400', '409', '413', '415', '422', ...secured]],
    ['patch', '/api/v1/applications/{id}', ['200', '400', '404', '413', '415', '422', ...secured]],
    ['get', '/api/v1/organization', ['200', '422', ...secured]],
    ['patch', '/api/v1/organization', ['200', '400', '413', '415', '422', ...secured]],
    ['get', '/api/v1/audit', ['200', '422', ...secured]],
    ['get', '/api/v1/openapi.json', ['200', '500']],
    ['get', '/livez', ['200', '500']],
    ['get', '/readyz', ['200', '500', '503']],
    ['get', '/metrics', ['200', '500']],
  ])('%s %s', (method, path, statuses) => {
    const { responses } = document.paths[path][method];
    expect(Object.keys(responses).sort()).toEqual([...statuses].sort());
    for (const [status, told] of Object.entries<{ headers: object }>(responses)) {
      expect(Object.keys(told.headers)).toContain('X-Request-Id');
      expect(Object.keys(told.headers).includes('WWW-Authenticate')).toBe(status === '401');
      expect(Object.keys(told.headers).includes('Retry-After')).toBe(status === '503' || status === '429');
    }
  });

  test('the statuses of all errors of the table are told somewhere, but for those that no operation answers', () => {
    const told = new Set(
      operations.flatMap(({ path, method }) => Object.keys(document.paths[path][method.toLowerCase()].responses)),
    );
    const outside = [errorTable.method_not_allowed.status];
    for (const { status } of Object.values(errorTable)) {
      expect(told.has(String(status))).toBe(!outside.some((other) => other === status));
    }
  });

  test('the parameters of the results', () => {
    const { parameters } = document.paths['/api/v1/guard/results'].get;
    expect(parameters.slice(1).map(({ name }: { name: string }) => name)).toEqual([
      'page',
      'per_page',
      'project_id',
      'scan_id',
      'flagged',
      'app_uuid',
      'detector',
      'from',
      'to',
      'cursor',
    ]);
  });

  test('the parameters of paths are those that stand in them', () => {
    const inPaths = operations.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [path, name]));
    expect(inPaths.length).toBeGreaterThan(3);
    for (const { path, parameters = {} } of operations) {
      expect(Object.keys(parameters).sort(), path).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
      );
    }
  });

  test('the scopes', () => {
    expect(document.paths['/api/v1/guard'].post.security).toEqual([
      { bearer: ['guard:scan'] },
      { session: [], csrf: [] },
    ]);
    expect(document.paths['/api/v1/policies'].get.security).toEqual([{ bearer: ['policies:read'] }, { session: [] }]);
    expect(document.paths['/api/v1/session'].get.security).toEqual([{ session: [] }]);
    expect(document.paths['/api/v1/session'].post.security).toEqual([]);
    expect(document.paths['/livez'].get.security).toEqual([]);
  });
});

test('the examples of too many requests tell which limit it is', () => {
  const details = (method: string, path: string): unknown => {
    const { content } = document.paths[path][method].responses['429'];
    return Object.values(Object(content)).map((media) => Object(media).examples.rate_limited.value.detail);
  };
  const signIn = ['Too many attempts to sign in.'];
  const token = ['The token has spent its rate of requests.'];
  expect(details('post', '/api/v1/session')).toEqual(signIn);
  expect(details('put', '/api/v1/session/password')).toEqual(signIn);
  for (const path of ['/api/v1/guard', '/api/v1/tokens', '/api/v1/organization/rules/check']) {
    expect(details('post', path), path).toEqual(token);
  }
});

test('labels in examples have the form of labels', () => {
  const labels = [...walk(document)].flatMap(([path, value]) =>
    path.at(-1) === 'labels' && Array.isArray(value) ? value.map(String) : [],
  );
  expect(labels.length).toBeGreaterThan(1);
  for (const label of labels) expect(label).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

describe('examples', () => {
  const examples = [...walk(document)].flatMap(([path, value]) => {
    if (path.at(-2) !== 'content' || typeof value !== 'object' || value === null) return [];
    const schema: unknown = Reflect.get(value, 'schema');
    const one: unknown = Reflect.get(value, 'example');
    const several: unknown = Reflect.get(value, 'examples') ?? {};
    const values = [one, ...Object.values(Object(several)).map((example) => Reflect.get(Object(example), 'value'))];
    return values
      .filter((example) => example !== undefined)
      .map((example) => ({ name: path.slice(1).join(' '), schema, example }));
  });

  test('are there', () => {
    expect(examples.length).toBeGreaterThan(30);
  });

  test.each(examples)('$name', ({ schema, example }) => {
    const target: unknown = Reflect.get(Object(schema), '$ref');
    const plain: TSchema = Object(typeof target === 'string' ? resolve(target) : schema);
    expect(Compile(plain).Errors(example)).toEqual([]);
  });
});
