import { LRUCache } from 'lru-cache';
import { limits } from '../domain/limits.js';
import { hourMs } from '../store/rollup.js';
import type { RollupQuery, Store } from '../store/store.js';
import type { Clock } from '../telemetry/clock.js';
import { hitsOf } from './overview.js';

/** Whose scans: an organization's, or those of the one application that a token is bound to. */
type HitsOwner = Pick<RollupQuery, 'organizationId' | 'appUuid'>;

/** Scans in the last 30 days in which each rule matched, as of at most `limits.ruleHitsAgeMs` ago. Throws `StoreError`. */
export type RuleHits = (owner: HitsOwner) => ReadonlyMap<string, number>;

const spanMs = 30 * 24 * hourMs;

export function createRuleHits(store: Pick<Store, 'scans'>, clock: Pick<Clock, 'nowMs'>): RuleHits {
  const counted = new LRUCache<string, ReadonlyMap<string, number>>({
    max: limits.ruleHitsMax,
    ttl: limits.ruleHitsAgeMs,
  });
  return ({ organizationId, appUuid }) => {
    const key = `${organizationId} ${appUuid ?? ''}`;
    const known = counted.get(key);
    if (known) return known;
    const to = clock.nowMs();
    const hits = hitsOf(
      store.scans.rollups({ organizationId, ...(appUuid === undefined ? {} : { appUuid }), from: to - spanMs, to }),
    );
    counted.set(key, hits);
    return hits;
  };
}
