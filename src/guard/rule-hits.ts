import { LRUCache } from 'lru-cache';
import { limits } from '../domain/limits.js';
import { hourMs } from '../store/rollup.js';
import type { Store } from '../store/store.js';
import type { Clock } from '../telemetry/clock.js';
import { hitsOf } from './overview.js';

/**
 * Scans of an organization in the last 30 days in which each rule matched, as of at most `limits.ruleHitsAgeMs` ago. Throws
 * `StoreError`.
 */
export type RuleHits = (organizationId: string) => ReadonlyMap<string, number>;

const spanMs = 30 * 24 * hourMs;

export function createRuleHits(store: Pick<Store, 'scans'>, clock: Pick<Clock, 'nowMs'>): RuleHits {
  const counted = new LRUCache<string, ReadonlyMap<string, number>>({
    max: limits.ruleHitsMax,
    ttl: limits.ruleHitsAgeMs,
  });
  return (organizationId) => {
    const known = counted.get(organizationId);
    if (known) return known;
    const to = clock.nowMs();
    const hits = hitsOf(store.scans.rollups({ organizationId, from: to - spanMs, to }));
    counted.set(organizationId, hits);
    return hits;
  };
}
