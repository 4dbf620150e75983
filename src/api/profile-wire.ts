import type { StoredProfile } from '../domain/profile.js';
import type { Administration } from '../guard/administration.js';
import type { ProfileState, ProfileUse } from '../guard/organization-profiles.js';

/** A profile on the wire. */
export function profileBody(admin: Administration, state: ProfileState, use: ProfileUse | undefined) {
  return {
    id: state.id,
    title: state.title,
    origin: state.origin,
    policies: state.policies,
    store_text: state.storeText,
    scan_scope: state.scanScope,
    version: state.version ?? null,
    ...updatedBody(admin, state),
    used_by: { applications: use?.applications ?? 0, users: use?.users ?? 0 },
  };
}

/** One of a profile's versions. */
export function profileVersionBody(admin: Administration, profile: StoredProfile) {
  const { version, title, policies, storeText, scanScope } = profile;
  const settings = { store_text: storeText, scan_scope: scanScope };
  return { version, title, policies, ...settings, ...updatedBody(admin, profile) };
}

/** Who changed something, and when. */
export function updatedBody(
  admin: Administration,
  { updatedAt, updatedBy }: { readonly updatedAt?: number; readonly updatedBy?: string },
) {
  return {
    updated_at: updatedAt === undefined ? null : new Date(updatedAt).toISOString(),
    updated_by: updatedBy ?? null,
    updated_by_email: (updatedBy === undefined ? undefined : admin.store.users.get(updatedBy)?.email) ?? null,
  };
}
