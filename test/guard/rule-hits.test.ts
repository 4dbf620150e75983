import { expect, test } from 'vitest';
import { createRuleHits } from '../../src/guard/rule-hits.js';
import { openMemoryStore } from '../../src/store/memory/memory-store.js';
import type { RollupQuery } from '../../src/store/store.js';

test('hits of rules are counted apart for an organization and for each application that a token is bound to', () => {
  const asked: RollupQuery[] = [];
  const store = openMemoryStore();
  const rollups = (query: RollupQuery) => {
    asked.push(query);
    return store.scans.rollups(query);
  };
  const hits = createRuleHits({ scans: { ...store.scans, rollups } }, { nowMs: () => 1_000 });
  const owners = [
    { organizationId: 'a' },
    { organizationId: 'a', appUuid: 'x' },
    { organizationId: 'a', appUuid: 'y' },
  ];
  for (const owner of [...owners, ...owners]) hits(owner);
  expect(asked.map(({ organizationId, appUuid }) => ({ organizationId, appUuid }))).toEqual(
    owners.map(({ organizationId, appUuid }) => ({ organizationId, appUuid })),
  );
});
