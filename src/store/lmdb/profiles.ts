import type { StoredProfile } from '../../domain/profile.js';
import { type ProfileTable, type ProfileWrites, StoreError } from '../store.js';
import type { ByteTable, Environment } from './environment.js';
import { addVersion, removeVersions, versionsDown } from './history.js';
import { decodeRow, encodeRow, readableKey } from './rows.js';

/*
 * Two tables:
 *
 *   profiles           organization, NUL, id → the profile of today, JSON
 *                      `generation` → a number that grows with every change
 *                      `removed`, NUL, organization → the highest version of any profile that it removed
 *   profile-versions   organization, NUL, id, NUL, version → the profile as it was, JSON
 *
 * Profiles that were saved before there were scan scopes have none in their JSON: all messages were scanned.
 * Ids of organizations are UUIDs, so none is called `removed`. A profile that is made anew begins behind what was removed:
 * whoever still holds the old one cannot take it for the new.
 */
const generationKey = Buffer.from('generation');

/** Opens or creates the tables. `writes` are for a transaction that is under way. */
export function openProfiles(environment: Environment): ProfileTable & { readonly writes: ProfileWrites } {
  const rows = environment.openTable('profiles');
  const versions = environment.openTable('profile-versions');
  const raiseGeneration = () => rows.putSync(generationKey, encodeNumber(numberAt(rows, generationKey) + 1));

  const loadProfile = (key: Buffer): StoredProfile | undefined => {
    const bytes = rows.get(key);
    return bytes && decodeProfile(bytes);
  };

  const find = (organizationId: string, id: string): StoredProfile | undefined => {
    const key = profileKey(organizationId, id);
    return key && loadProfile(key);
  };

  const writes: ProfileWrites = {
    put(draft) {
      const key = profileKey(draft.organizationId, draft.id);
      if (!key) throw new StoreError('The id of a profile or its organization is too long.');
      const before = loadProfile(key)?.version ?? numberAt(rows, removedKey(draft.organizationId));
      const profile: StoredProfile = { ...draft, version: before + 1 };
      const bytes = encodeRow(profile);
      rows.putSync(key, bytes);
      addVersion(versions, documentName(key), profile.version, bytes);
      raiseGeneration();
      return profile;
    },
    remove(organizationId, id) {
      const key = profileKey(organizationId, id);
      const old = key && loadProfile(key);
      if (!old) return false;
      const removed = removedKey(organizationId);
      rows.removeSync(key);
      rows.putSync(removed, encodeNumber(Math.max(old.version, numberAt(rows, removed))));
      removeVersions(versions, documentName(key));
      raiseGeneration();
      return true;
    },
  };

  return {
    writes,
    generation: () => environment.read(() => numberAt(rows, generationKey)),
    get: (organizationId, id) => environment.read(() => find(organizationId, id)),
    list: (organizationId) =>
      environment.read(() => {
        const start = profileKey(organizationId, '');
        if (!start) return [];
        const end = Buffer.from(start);
        end[end.length - 1] = 1;
        return [...rows.getRange({ start, end })].map(({ value }) => decodeProfile(value));
      }),
    history: (organizationId, id) =>
      environment.read(() => {
        const key = profileKey(organizationId, id);
        if (!key) return [];
        return [...versionsDown(versions, documentName(key))].map(({ value }) => decodeProfile(value));
      }),
  };
}

function decodeProfile(bytes: Buffer): StoredProfile {
  return { scanScope: 'all', ...decodeRow<Omit<StoredProfile, 'scanScope'>>(bytes) };
}

/** Undefined for what no profile can be called. */
function profileKey(organizationId: string, id: string): Buffer | undefined {
  return organizationId.includes('\0') || id.includes('\0') ? undefined : readableKey(`${organizationId}\0${id}`);
}

function documentName(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.of(0)]);
}

function removedKey(organizationId: string): Buffer {
  return Buffer.from(`removed\0${organizationId}`);
}

function encodeNumber(number: number): Buffer {
  return Buffer.from(String(number));
}

function numberAt(table: ByteTable, key: Buffer): number {
  return Number(table.get(key)?.toString() ?? 0);
}
