import { LRUCache } from 'lru-cache';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { StoredProfile, TextForm } from '../domain/profile.js';
import { compileProfile, type Profile } from '../engine/judge/profile.js';
import type { Program } from '../engine/program.js';
import { type Store, StoreError } from '../store/store.js';
import { policyVersion } from './scan-result.js';
import { watchGeneration } from './watch-generation.js';

/** A profile in the form in which scans enforce it. */
export interface EnforcedProfile {
  readonly profile: Profile;
  /** The `policy_version` of the wire, where no overlay is enforced beside. */
  readonly version: string;
  /** Which text is kept with the records of its scans. */
  readonly storeText: TextForm;
}

/** Profiles as scans look them up: those of an organization first, then the shipped ones. */
export interface Profiles {
  /**
   * What is enforced for an assigned profile; one that does not exist, or no longer, is `default`. Costs one look into a map
   * more than the shipped profiles alone. A change counts with the next scan, one by another process from the next turn of the
   * event loop on (`Store.version`). While the store cannot be read what was known last goes on;
   * throws `store_unavailable` where that is nothing and the profile is not a shipped one.
   */
  of(organizationId: string, profileId: string): EnforcedProfile;
  /** The same for a profile that somebody names; undefined where there is none. */
  find(organizationId: string, profileId: string): EnforcedProfile | undefined;
}

export interface ProfilesOptions {
  readonly store: Pick<Store, 'profiles' | 'version'>;
  readonly program: Program;
  /** Must hold one named `default`. */
  readonly shipped: readonly Profile[];
}

/** What is known of one organization. */
interface Known {
  /** Generation of the store at which it was looked up. */
  readonly generation: number;
  readonly stored: ReadonlyMap<string, StoredProfile>;
  /** Of those, the ones that were asked for since. */
  readonly enforced: Map<string, EnforcedProfile>;
}

export function createProfiles({ store, program, shipped }: ProfilesOptions): Profiles {
  const shippedById = new Map(shipped.map((profile) => [profile.id, enforce(profile, program, 'none')]));
  const fallback = shippedById.get('default');
  if (!fallback) throw new Error('there is no profile named default');
  const organizations = new LRUCache<string, Known>({ max: limits.principalCacheMax });
  const generations = watchGeneration(store, () => store.profiles.generation());

  const lookUp = (organizationId: string, known: Known | undefined, generation: number): Known | undefined => {
    try {
      const stored = new Map(store.profiles.list(organizationId).map((profile) => [profile.id, profile]));
      // Most changes are of another organization.
      const kept = [...(known?.enforced ?? [])].filter(
        ([id]) => known?.stored.get(id)?.version === stored.get(id)?.version,
      );
      const found = { generation, stored, enforced: new Map(kept) };
      organizations.set(organizationId, found);
      return found;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return known;
    }
  };

  const findKnown = (organizationId: string, profileId: string, generation: number): EnforcedProfile | undefined => {
    let known = organizations.get(organizationId);
    if (known?.generation !== generation) known = lookUp(organizationId, known, generation);
    const ready = known?.enforced.get(profileId);
    if (ready) return ready;
    const stored = known?.stored.get(profileId);
    if (!known || !stored) {
      const found = shippedById.get(profileId);
      if (known || found) return found;
      throw new GuardError('store_unavailable', 'The profiles of the organization cannot be looked up now.');
    }
    const enforced = enforce(compileProfile(stored, program), program, stored.storeText);
    known.enforced.set(profileId, enforced);
    return enforced;
  };

  const find: Profiles['find'] = (organizationId, profileId) => {
    const generation = generations.now();
    const found = findKnown(organizationId, profileId, generation);
    if (found) return found;
    // It may just have been made and assigned, in this very turn: nothing else is to stand in for it then.
    const now = generations.again();
    return now === generation ? undefined : findKnown(organizationId, profileId, now);
  };

  return {
    find,
    of: (organizationId, profileId) => find(organizationId, profileId) ?? fallback,
  };
}

function enforce(profile: Profile, program: Program, storeText: TextForm): EnforcedProfile {
  return { profile, version: policyVersion(profile, program), storeText };
}
