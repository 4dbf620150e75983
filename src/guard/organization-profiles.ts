import { isDeepStrictEqual } from 'node:util';
import type { AuditAct } from '../domain/audit.js';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { policyCodes } from '../domain/policy.js';
import type { PolicySettings, ProfileDraft, StoredProfile, TextForm } from '../domain/profile.js';
import type { ScanScope } from '../domain/scan-scope.js';
import type { ProfileHead } from '../engine/judge/profile.js';
import type { Store, Writes } from '../store/store.js';
import { type Administration, checkRoom } from './administration.js';
import { auditAct, changesBetween, type Fields } from './audit.js';
import { invalid, refuse, type Wrong, wrongName } from './wrong-arguments.js';

/** A profile as people see it. */
export interface ProfileState {
  readonly id: string;
  readonly title: string;
  readonly origin: 'shipped' | 'organization';
  readonly policies: PolicySettings;
  readonly storeText: TextForm;
  readonly scanScope: ScanScope;
  /** Of an organization's profile only, as the next ones. */
  readonly version?: number;
  readonly updatedAt?: number;
  readonly updatedBy?: string;
}

/** What is enforced by it now. */
export interface ProfileUse {
  readonly applications: number;
  readonly users: number;
}

interface ProfileRequest {
  readonly title: string;
  readonly policies: PolicySettings;
  readonly storeText: TextForm;
  readonly scanScope: ScanScope;
  /** The version that the change is made to, 0 where there is none yet; without it, whichever there is. */
  readonly baseVersion?: number;
}

/**
 * Administration of an organization's profiles, beside the shipped ones, which cannot be changed. Fails as the functions of
 * `administration.ts` do; every change is effective with the next scan, and in the audit log.
 */
export interface OrganizationProfiles {
  readonly shipped: readonly ProfileState[];
  /** Shipped ones first, then the organization's by id. */
  list(admin: Administration, organizationId: string): readonly ProfileState[];
  /** Throws `unknown_id`. */
  find(admin: Administration, organizationId: string, id: string): ProfileState;
  /** How many applications and users each profile is assigned to, by its id; one that is missing is not. */
  uses(admin: Administration, organizationId: string): ReadonlyMap<string, ProfileUse>;
  /** Makes or replaces a profile. Throws `conflict` for a shipped id and for a base that somebody else has changed. */
  save(
    admin: Administration,
    organizationId: string,
    id: string,
    request: ProfileRequest,
    now: number,
  ): Promise<StoredProfile>;
  /** Throws `conflict` for a profile that is shipped or assigned. Its history goes with it. */
  remove(admin: Administration, organizationId: string, id: string, now: number): Promise<void>;
  /** Newest first, today's included. Throws `unknown_id`; shipped profiles have none. */
  history(admin: Administration, organizationId: string, id: string): readonly StoredProfile[];
  /** Makes a former version the newest. Throws `invalid_input` for one that is not kept, and `conflict` as `save` does. */
  rollBack(
    admin: Administration,
    organizationId: string,
    id: string,
    to: { readonly version: number; readonly baseVersion?: number | undefined },
    now: number,
  ): Promise<StoredProfile>;
}

export function createOrganizationProfiles(shipped: readonly ProfileHead[]): OrganizationProfiles {
  const shippedStates = shipped.map(shippedState);

  const stored = (admin: Administration, organizationId: string, id: string): StoredProfile => {
    const found = admin.store.profiles.get(organizationId, id);
    if (found) return found;
    if (shippedStates.some((state) => state.id === id)) {
      throw new GuardError('conflict', `The profile ${id} is shipped: it has no history and cannot be changed.`);
    }
    throw unknown();
  };

  const uses: OrganizationProfiles['uses'] = ({ store }, organizationId) => profileUses(store, organizationId);

  const put = (
    admin: Administration,
    write: Writes,
    draft: ProfileDraft,
    base: number | undefined,
    action: AuditAct['action'],
  ): StoredProfile => {
    const before = admin.store.profiles.get(draft.organizationId, draft.id);
    checkBase(draft.id, base, before?.version);
    if (before && isDeepStrictEqual(saidBy(before), saidBy(draft))) return before;
    write.audit(profileAct(admin, action, before, draft, draft.updatedAt));
    return write.profiles.put(draft);
  };

  return {
    shipped: shippedStates,
    list: ({ store }, organizationId) => [...shippedStates, ...store.profiles.list(organizationId).map(ownState)],
    find: ({ store }, organizationId, id) => {
      const own = store.profiles.get(organizationId, id);
      const found = own ? ownState(own) : shippedStates.find((state) => state.id === id);
      if (!found) throw unknown();
      return found;
    },
    uses,
    save: (admin, organizationId, id, { baseVersion, ...request }, now) => {
      refuse(wrongId(id), wrongName('/title', request.title));
      if (shippedStates.some((state) => state.id === id)) {
        throw new GuardError('conflict', `The profile ${id} is shipped and cannot be changed; choose another id.`);
      }
      return admin.store.change((write) => {
        const before = admin.store.profiles.get(organizationId, id);
        if (!before) checkRoom(admin.store.profiles.list(organizationId), limits.profilesMax, 'profiles');
        const draft = { organizationId, id, ...request, ...stamp(admin, now) };
        return put(admin, write, draft, baseVersion, before ? 'profile.update' : 'profile.create');
      });
    },
    remove: (admin, organizationId, id, now) =>
      admin.store.change((write) => {
        const profile = stored(admin, organizationId, id);
        const { applications, users } = uses(admin, organizationId).get(id) ?? { applications: 0, users: 0 };
        if (applications + users > 0) {
          const detail = `The profile is assigned to ${applications} applications and ${users} users.`;
          throw new GuardError('conflict', detail);
        }
        write.profiles.remove(organizationId, id);
        write.audit(profileAct(admin, 'profile.delete', profile, undefined, now));
      }),
    history: (admin, organizationId, id) => {
      stored(admin, organizationId, id);
      return admin.store.profiles.history(organizationId, id);
    },
    rollBack: (admin, organizationId, id, { version, baseVersion }, now) =>
      admin.store.change((write) => {
        stored(admin, organizationId, id);
        const former = admin.store.profiles.history(organizationId, id).find((each) => each.version === version);
        if (!former) throw invalid('/version', 'is not a version that is kept');
        const draft = { organizationId, id, ...saidBy(former), ...stamp(admin, now) };
        return put(admin, write, draft, baseVersion, 'profile.rollback');
      }),
  };
}

/** How many applications and users of an organization each profile id is assigned to, whether there is such a profile or not. */
export function profileUses(
  store: Pick<Store, 'applications' | 'users'>,
  organizationId: string,
): ReadonlyMap<string, ProfileUse> {
  const counts = new Map<string, { applications: number; users: number }>();
  const count = (id: string, kind: 'applications' | 'users') => {
    const use = counts.get(id) ?? { applications: 0, users: 0 };
    use[kind]++;
    counts.set(id, use);
  };
  for (const { profileId } of store.applications.list(organizationId)) count(profileId, 'applications');
  for (const { profileId } of store.users.list(organizationId)) count(profileId, 'users');
  return counts;
}

/** Throws `conflict` where a change is made to another version than the one of now; a profile that is not there is at 0. */
function checkBase(id: string, base: number | undefined, version: number | undefined): void {
  if (base === undefined || base === (version ?? 0)) return;
  if (base === 0) throw new GuardError('conflict', `There is a profile with the id ${id} already.`);
  const state = version === undefined ? 'it is not there' : `it is at version ${version}`;
  throw new GuardError('conflict', `The profile was changed meanwhile: ${state}, not at ${base}.`);
}

const profileIdPattern = /^[a-z][a-z0-9-]{0,63}$/;

function wrongId(id: string): Wrong {
  const pointer = '/id';
  if (!profileIdPattern.test(id)) return { pointer, message: `must have the form ${profileIdPattern.source}` };
  // The path of previews, and that of the dashboard's page for a new profile.
  return id === 'preview' || id === 'new' ? { pointer, message: 'is reserved' } : undefined;
}

function ownState(profile: StoredProfile): ProfileState {
  const { organizationId: _, ...state } = profile;
  return { origin: 'organization', ...state };
}

function shippedState({ id, title, settings, scanScope }: ProfileHead): ProfileState {
  const policies = Object.fromEntries(policyCodes.map((code, index) => [code, settings[index]]));
  return { id, title, origin: 'shipped', policies, storeText: 'none', scanScope };
}

function stamp({ actor: { userId } }: Administration, now: number): Pick<StoredProfile, 'updatedAt' | 'updatedBy'> {
  return { updatedAt: now, ...(userId === undefined ? {} : { updatedBy: userId }) };
}

function profileAct(
  admin: Administration,
  action: AuditAct['action'],
  before: ProfileDraft | undefined,
  after: ProfileDraft | undefined,
  now: number,
): AuditAct {
  const { organizationId, id, title } = after ?? before ?? { organizationId: '', id: '', title: '' };
  const changes = changesBetween(before && profileFields(before), after && profileFields(after));
  return auditAct(admin.actor, organizationId, action, { kind: 'profile', id, name: title }, changes, now);
}

/** What of a profile people write: what a save changes nothing of is no other version. */
function saidBy({ title, policies, storeText, scanScope }: ProfileDraft): ProfileRequest {
  return { title, policies, storeText, scanScope };
}

function profileFields({ title, policies, storeText, scanScope }: ProfileDraft): Fields {
  const settings = policyCodes.map((code) => {
    const { mode, threshold } = policies[code] ?? { mode: 'off' };
    return [code, mode === 'off' ? 'off' : `${mode} from ${threshold}`];
  });
  return { title, store_text: storeText, scan_scope: scanScope, ...Object.fromEntries(settings) };
}

function unknown(): GuardError {
  return new GuardError('unknown_id', 'The profile is not known.');
}
