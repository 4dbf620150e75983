import { describe, expect, test } from 'vitest';
import { createQueryReader, readNoQuery } from '../../src/api/query.js';
import { resultsQuery } from '../../src/api/schemas.js';
import { type FieldError, GuardError } from '../../src/domain/errors.js';

const read = createQueryReader(resultsQuery);

function refusal(query: string): readonly FieldError[] {
  try {
    read(query);
  } catch (error) {
    if (error instanceof GuardError && error.code === 'invalid_input') return error.fields;
    throw error;
  }
  return [];
}

describe('queries that are read', () => {
  test.each([
    ['', {}],
    ['&&', {}],
    ['page=1&per_page=100', { page: 1, per_page: 100 }],
    ['page=007', { page: 7 }],
    [`page=${'9'.repeat(20)}`, { page: 1e20 }],
    ['flagged=true&detector=LLM02', { flagged: true, detector: 'LLM02' }],
    ['flagged=false', { flagged: false }],
    ['project_id=a+b%2Bc%20d', { project_id: 'a b+c d' }],
    ['project_id=%F0%9F%99%82', { project_id: '🙂' }],
    ['project_id=a=b', { project_id: 'a=b' }],
    ['pr%6Fject_id=x', { project_id: 'x' }],
    ['scan_id=', { scan_id: '' }],
    ['app_uuid=6F2B0C1E-8F5D-4A57-9D1C-3B9F0A7E4D21', { app_uuid: '6F2B0C1E-8F5D-4A57-9D1C-3B9F0A7E4D21' }],
    ['from=2026-01-31T08:00:00Z', { from: '2026-01-31T08:00:00Z' }],
    ['from=2026-01-31T08:00:00.123%2B02:00', { from: '2026-01-31T08:00:00.123+02:00' }],
    ['from=2026-01-31T08:00:00+02:00', { from: '2026-01-31T08:00:00+02:00' }],
    ['cursor=abc', { cursor: 'abc' }],
  ])('%s', (query, values) => {
    expect(read(query)).toEqual(values);
  });
});

const time = 'must be a date and time with an offset from UTC, such as 2026-01-31T08:00:00Z';

describe('queries that are refused', () => {
  test.each<[string, FieldError[]]>([
    ['per_pag=5', [{ pointer: '?per_pag', message: 'is not a known parameter' }]],
    ['Page=1', [{ pointer: '?Page', message: 'is not a known parameter' }]],
    ['page=1&page=1&page=2', [{ pointer: '?page', message: 'is given more than once' }]],
    ['page=0', [{ pointer: '?page', message: 'must be 1 or more' }]],
    ['page=-1', [{ pointer: '?page', message: 'must be a whole number' }]],
    ['page=1.5', [{ pointer: '?page', message: 'must be a whole number' }]],
    ['page=', [{ pointer: '?page', message: 'must be a whole number' }]],
    ['page=1e2', [{ pointer: '?page', message: 'must be a whole number' }]],
    ['page=+1', [{ pointer: '?page', message: 'must be a whole number' }]],
    ['page', [{ pointer: '?page', message: 'must be a whole number' }]],
    [`page=${'9'.repeat(400)}`, [{ pointer: '?page', message: 'must be a whole number' }]],
    ['per_page=0', [{ pointer: '?per_page', message: 'must be 1 to 100' }]],
    ['per_page=101', [{ pointer: '?per_page', message: 'must be 1 to 100' }]],
    ['flagged=1', [{ pointer: '?flagged', message: 'must be true or false' }]],
    ['flagged=TRUE', [{ pointer: '?flagged', message: 'must be true or false' }]],
    ['detector=LLM99', [{ pointer: '?detector', message: expect.stringMatching(/^must be one of LLM01, /) }]],
    ['app_uuid=x', [{ pointer: '?app_uuid', message: 'must be a UUID' }]],
    ['project_id=', [{ pointer: '?project_id', message: 'must be 1 to 128 characters long' }]],
    ['from=2026-01-31', [{ pointer: '?from', message: time }]],
    ['from=2026-01-31T08:00:00', [{ pointer: '?from', message: time }]],
    ['from=2026-02-30T08:00:00Z', [{ pointer: '?from', message: time }]],
    ['to=2026-06-30T23:59:60Z', [{ pointer: '?to', message: time }]],
    ['to=2026-01-31T08:00:00Z[Europe/Paris]', [{ pointer: '?to', message: time }]],
    ['project_id=%zz', [{ pointer: '?project_id', message: 'is not valid percent-encoded UTF-8' }]],
    ['project_id=%ff', [{ pointer: '?project_id', message: 'is not valid percent-encoded UTF-8' }]],
    ['__proto__=1', [{ pointer: '?__proto__', message: 'is not a known parameter' }]],
    [
      'x=1&page=0&y=%zz&flagged=2&flagged=3',
      [
        { pointer: '?y', message: 'is not valid percent-encoded UTF-8' },
        { pointer: '?flagged', message: 'is given more than once' },
        { pointer: '?page', message: 'must be 1 or more' },
        { pointer: '?flagged', message: 'must be true or false' },
        { pointer: '?x', message: 'is not a known parameter' },
      ],
    ],
  ])('%s', (query, fields) => {
    expect(refusal(query)).toEqual(fields);
  });

  test('where no parameter is taken, every one is refused', () => {
    expect(() => readNoQuery('payload=true')).toThrow('?payload is not a known parameter.');
    expect(readNoQuery('')).toEqual({});
  });
});
