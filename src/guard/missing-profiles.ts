import { type Store, StoreError } from '../store/store.js';
import { type ProfileUse, profileUses } from './organization-profiles.js';

/** A profile that is assigned, but neither shipped nor its organization's, so that `default` is enforced in its place. */
export interface MissingProfile extends ProfileUse {
  readonly id: string;
}

/** Those of all organizations, by id. Reads every application and user; throws `StoreError`. */
export function missingProfiles(
  store: Pick<Store, 'organizations' | 'applications' | 'users' | 'profiles'>,
  shipped: readonly { readonly id: string }[],
): readonly MissingProfile[] {
  const missing = new Map<string, MissingProfile>();
  for (const { id: organizationId } of store.organizations.list()) {
    const known = new Set([...shipped, ...store.profiles.list(organizationId)].map(({ id }) => id));
    for (const [id, { applications, users }] of profileUses(store, organizationId)) {
      if (known.has(id)) continue;
      const elsewhere = missing.get(id) ?? { applications: 0, users: 0 };
      missing.set(id, {
        id,
        applications: elsewhere.applications + applications,
        users: elsewhere.users + users,
      });
    }
  }
  return [...missing.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** In words. */
export function missingText({ id, applications, users }: MissingProfile): string {
  return `The profile ${id} is missing, but assigned to ${applications} applications and ${users} users`;
}

/**
 * The same for who asks often: reads the store only where it or the shipped profiles have changed, and gives what was known last
 * while it cannot be read.
 */
export function watchMissingProfiles(
  store: Parameters<typeof missingProfiles>[0] & Pick<Store, 'version'>,
  shipped: () => readonly { readonly id: string }[],
): () => readonly MissingProfile[] {
  let known: readonly MissingProfile[] = [];
  let knownVersion = -1;
  let knownShipped: readonly { readonly id: string }[] | undefined;
  return () => {
    try {
      const version = store.version();
      if (version === knownVersion && shipped() === knownShipped) return known;
      known = missingProfiles(store, shipped());
      knownVersion = version;
      knownShipped = shipped();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    return known;
  };
}
