import { LRUCache } from 'lru-cache';
import { GuardError } from '../domain/errors.js';
import type { Application, Principal } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import { type Store, StoreError } from '../store/store.js';
import type { EnforcedProfile, Profiles } from './profiles.js';

/**
 * The profile that is enforced for a caller: that of the named application, or the caller's own. Throws `unknown_app` and
 * `forbidden_app`, and `store_unavailable` where the application cannot be looked up and was not before.
 */
export type AssignedProfile = (principal: Principal, appUuid: string | undefined) => EnforcedProfile;

/**
 * The application that is scanned for: the one that was asked for, or that the token is bound to. Throws `forbidden_app` for
 * another than the bound one.
 */
export function boundApplication({ appUuid }: Principal, asked: string | undefined): string | undefined {
  if (appUuid === undefined || asked === undefined || asked === appUuid) return asked ?? appUuid;
  throw new GuardError('forbidden_app', 'You do not have access to this application.');
}

export function createAssignedProfile(
  store: Pick<Store, 'applications' | 'version'>,
  profiles: Profiles,
): AssignedProfile {
  /** With the store's version at which each was looked up. */
  const applications = new LRUCache<string, { readonly application: Application; readonly version: number }>({
    max: limits.principalCacheMax,
  });

  const findApplication = (id: string): Application | undefined => {
    const known = applications.get(id);
    try {
      const version = store.version();
      if (known?.version === version) return known.application;
      const application = store.applications.get(id);
      if (application) applications.set(id, { application, version });
      else applications.delete(id);
      return application;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The last known assignment keeps verdicts going while the store cannot be read.
      if (known) return known.application;
      throw new GuardError('store_unavailable', 'The application cannot be looked up now.');
    }
  };

  return ({ organizationId, profileId }, appUuid) => {
    if (appUuid === undefined) return profiles.of(organizationId, profileId);
    const application = findApplication(appUuid);
    if (application && application.organizationId !== organizationId) {
      throw new GuardError('forbidden_app', 'You do not have access to this application.');
    }
    if (!application?.active) throw new GuardError('unknown_app', 'Unknown app_uuid.');
    return profiles.of(organizationId, application.profileId);
  };
}
