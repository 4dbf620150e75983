import type { StoredCustomRules } from '../../domain/custom-rules.js';
import type { CustomRulesTable } from '../store.js';

/** Rules of organizations in memory. `admit` throws `StoreError` once the store is closed. */
export function openMemoryCustomRules(admit: () => void): CustomRulesTable {
  const byOrganization = new Map<string, StoredCustomRules>();
  let generation = 0;
  return {
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
    async save(rules) {
      admit();
      byOrganization.set(rules.organizationId, structuredClone(rules));
      generation++;
    },
    async remove(organizationId) {
      admit();
      if (byOrganization.delete(organizationId)) generation++;
    },
  };
}
