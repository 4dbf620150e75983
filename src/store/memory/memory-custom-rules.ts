import type { AuditAct } from '../../domain/audit.js';
import type { CustomRulesRevision, StoredCustomRules } from '../../domain/custom-rules.js';
import type { CustomRulesTable } from '../store.js';
import { type MemoryHistory, openMemoryHistory } from './memory-history.js';

/** Rules of organizations in memory. `admit` throws `StoreError` once the store is closed. */
export function openMemoryCustomRules(
  admit: () => void,
  record: (act: AuditAct | undefined) => void,
): CustomRulesTable {
  const byOrganization = new Map<string, CustomRulesRevision>();
  const histories = new Map<string, MemoryHistory<CustomRulesRevision>>();
  let generation = 0;

  const succeed = (next: Omit<StoredCustomRules, 'revision'>): CustomRulesRevision => {
    const history = histories.get(next.organizationId) ?? openMemoryHistory<CustomRulesRevision>();
    histories.set(next.organizationId, history);
    const state = { ...structuredClone(next), revision: (history.newestFirst(1)[0]?.revision ?? 0) + 1 };
    history.add(state);
    generation++;
    return state;
  };

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
    async save(rules, act) {
      admit();
      const state = succeed(rules);
      byOrganization.set(rules.organizationId, state);
      record(act);
      return structuredClone(state);
    },
    async remove(organizationId, by, act) {
      admit();
      const old = byOrganization.get(organizationId);
      if (!old) return;
      byOrganization.delete(organizationId);
      succeed({ organizationId, version: '', rules: [], allow: [], lastNumber: old.lastNumber, ...by });
      record(act);
    },
    history(organizationId, most) {
      admit();
      return histories.get(organizationId)?.newestFirst(most) ?? [];
    },
  };
}
