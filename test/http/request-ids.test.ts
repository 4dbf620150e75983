import { expect, test } from 'vitest';
import { createRequestIds } from '../../src/http/request-ids.js';

/** Version 4, variant 10: RFC 9562. */
const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are random UUIDs, and none comes twice', () => {
  const [one, other] = [createRequestIds(), createRequestIds()];
  const ids = Array.from({ length: 5_000 }, (_, index) => (index % 2 === 0 ? one() : other()));
  for (const id of ids) expect(id).toMatch(form);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every digit that is not fixed takes every value', () => {
  const newId = createRequestIds();
  const ids = Array.from({ length: 2_000 }, newId);
  const seen = Array.from({ length: 36 }, (_, place) => new Set(ids.map((id) => id[place])).size);
  const fixed = new Map([
    [8, 1],
    [13, 1],
    [14, 1],
    [18, 1],
    [19, 4],
    [23, 1],
  ]);
  expect(seen).toEqual(seen.map((_, place) => fixed.get(place) ?? 16));
});
