import type { StoredProfile } from '../../domain/profile.js';
import type { ProfileTable, ProfileWrites } from '../store.js';
import { addState } from './memory-history.js';
import type { MemoryMaps } from './memory-maps.js';

/** Profiles of organizations in memory. `admit` throws `StoreError` once the store is closed. */
export function openMemoryProfiles(
  maps: MemoryMaps,
  admit: () => void,
): ProfileTable & { readonly writes: ProfileWrites } {
  const histories = maps.create<string, readonly StoredProfile[]>();
  const removed = maps.create<string, number>();
  let generation = 0;
  const keyOf = (organizationId: string, id: string) => JSON.stringify([organizationId, id]);
  const find = (organizationId: string, id: string) => histories.get(keyOf(organizationId, id)) ?? [];

  const writes: ProfileWrites = {
    put(draft) {
      const { organizationId, id } = draft;
      const states = find(organizationId, id);
      const before = states[0]?.version ?? removed.get(organizationId) ?? 0;
      const profile = { ...structuredClone(draft), version: before + 1 };
      histories.set(keyOf(organizationId, id), addState(states, profile));
      generation++;
      return structuredClone(profile);
    },
    remove(organizationId, id) {
      const [old] = find(organizationId, id);
      if (!old) return false;
      histories.delete(keyOf(organizationId, id));
      removed.set(organizationId, Math.max(old.version, removed.get(organizationId) ?? 0));
      generation++;
      return true;
    },
  };

  return {
    writes,
    generation() {
      admit();
      return generation;
    },
    get(organizationId, id) {
      admit();
      return structuredClone(find(organizationId, id)[0]);
    },
    list(organizationId) {
      admit();
      const own = [...histories.values()]
        .map(([profile]) => profile)
        .filter((each) => each.organizationId === organizationId);
      return structuredClone(own).sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    history(organizationId, id) {
      admit();
      return structuredClone(find(organizationId, id));
    },
  };
}
