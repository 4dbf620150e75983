import type { CustomRulesRevision, StoredCustomRules } from '../../domain/custom-rules.js';
import type { CustomRulesTable, CustomRulesWrites } from '../store.js';
import { addState } from './memory-history.js';
import type { MemoryMaps } from './memory-maps.js';

/** Rules of organizations in memory. `admit` throws `StoreError` once the store is closed. */
export function openMemoryCustomRules(
  maps: MemoryMaps,
  admit: () => void,
): CustomRulesTable & { readonly writes: CustomRulesWrites } {
  const byOrganization = maps.create<string, CustomRulesRevision>();
  const histories = maps.create<string, readonly CustomRulesRevision[]>();
  let generation = 0;

  const succeed = (next: Omit<StoredCustomRules, 'revision'>): CustomRulesRevision => {
    const states = histories.get(next.organizationId) ?? [];
    const state = { ...structuredClone(next), revision: (states[0]?.revision ?? 0) + 1 };
    histories.set(next.organizationId, addState(states, state));
    generation++;
    return state;
  };

  const writes: CustomRulesWrites = {
    put(rules) {
      const state = succeed(rules);
      byOrganization.set(rules.organizationId, state);
      return structuredClone(state);
    },
    remove(organizationId, by) {
      const old = byOrganization.get(organizationId);
      if (!old) return false;
      byOrganization.delete(organizationId);
      succeed({ organizationId, version: '', rules: [], allow: [], lastNumber: old.lastNumber, ...by });
      return true;
    },
  };

  return {
    writes,
    generation() {
      admit();
      return generation;
    },
    version(organizationId) {
      admit();
      return byOrganization.get(organizationId)?.version;
    },
    get(organizationId) {
      admit();
      return structuredClone(byOrganization.get(organizationId));
    },
    history(organizationId, most) {
      admit();
      return structuredClone(histories.get(organizationId) ?? []).slice(0, most);
    },
  };
}
