import type { AuditAct } from '../../domain/audit.js';
import type { StoredProfile } from '../../domain/profile.js';
import type { ProfileTable } from '../store.js';
import { type MemoryHistory, openMemoryHistory } from './memory-history.js';

/** Profiles of organizations in memory. `admit` throws `StoreError` once the store is closed. */
export function openMemoryProfiles(admit: () => void, record: (act: AuditAct | undefined) => void): ProfileTable {
  const histories = new Map<string, MemoryHistory<StoredProfile>>();
  const removed = new Map<string, number>();
  let generation = 0;
  const keyOf = (organizationId: string, id: string) => JSON.stringify([organizationId, id]);
  const find = (organizationId: string, id: string) => histories.get(keyOf(organizationId, id))?.newestFirst();

  return {
    generation() {
      admit();
      return generation;
    },
    get(organizationId, id) {
      admit();
      return find(organizationId, id)?.[0];
    },
    list(organizationId) {
      admit();
      return [...histories.values()]
        .map((history) => history.newestFirst()[0])
        .filter((profile) => profile.organizationId === organizationId)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async save(draft, base, act) {
      admit();
      const { organizationId, id } = draft;
      const old = find(organizationId, id)?.[0].version;
      if (base !== undefined && base !== (old ?? 0)) return undefined;
      const profile = { ...structuredClone(draft), version: (old ?? removed.get(organizationId) ?? 0) + 1 };
      const history = histories.get(keyOf(organizationId, id)) ?? openMemoryHistory<StoredProfile>();
      histories.set(keyOf(organizationId, id), history);
      history.add(profile);
      generation++;
      record(act);
      return structuredClone(profile);
    },
    async remove(organizationId, id, act) {
      admit();
      const old = find(organizationId, id)?.[0];
      if (!old) return false;
      histories.delete(keyOf(organizationId, id));
      removed.set(organizationId, Math.max(old.version, removed.get(organizationId) ?? 0));
      generation++;
      record(act);
      return true;
    },
    history(organizationId, id) {
      admit();
      return find(organizationId, id) ?? [];
    },
  };
}
