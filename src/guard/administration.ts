import { randomUUID } from 'node:crypto';
import type { Actor, AuditAct, AuditTarget } from '../domain/audit.js';
import { GuardError } from '../domain/errors.js';
import type { Application, Organization } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import { owner } from '../store/rows.js';
import type { Store } from '../store/store.js';
import { auditAct, changesBetween, type Fields, isEmpty } from './audit.js';
import type { Passwords } from './passwords.js';
import { invalid, refuse, type Wrong, wrongName } from './wrong-arguments.js';

/**
 * What the use cases of administration work on. All of them throw `GuardError`: `unknown_id` for what is not there or
 * not to be seen, `invalid_input` that names the wrong argument, `conflict` for what would leave things in a bad state;
 * and let a `StoreError` through: who administers wants to know what is wrong with the store. Each looks, writes, and tells the
 * audit log what it did in one transaction (`Store.change`), for another process may administer the same store.
 */
export interface Administration {
  readonly store: Store;
  /** Ids of the shipped profiles; those of its organization can be assigned, too. */
  readonly knownProfiles: readonly string[];
  /** When given, nothing of another organization is to be seen or changed: its ids are as unknown as any other. */
  readonly organizationId?: string;
  /** On whose behalf. */
  readonly actor: Actor;
  readonly passwords: Passwords;
}

export async function createOrganization(admin: Administration, name: string, now: number): Promise<Organization> {
  refuse(wrongName('/name', name));
  const organization = { id: randomUUID(), name, createdAt: now };
  const act = actOn(admin, 'organization.create', targetOf('organization', organization), { name }, now);
  return admin.store.change((write) => {
    write.organizations.put(organization);
    write.audit(act);
    return organization;
  });
}

export async function renameOrganization(
  admin: Administration,
  id: string,
  name: string,
  now: number,
): Promise<Organization> {
  return admin.store.change((write) => {
    const before = findOrganization(admin, id);
    refuse(wrongName('/name', name));
    const organization = { ...before, name };
    const changes = changesBetween({ name: before.name }, { name });
    if (isEmpty(changes)) return before;
    const target = targetOf('organization', organization);
    write.organizations.put(organization);
    write.audit(auditAct(admin.actor, id, 'organization.update', target, changes, now));
    return organization;
  });
}

/** By time of creation, as every list here. */
export function listOrganizations(admin: Administration): readonly Organization[] {
  return admin.store.organizations.list(admin.organizationId);
}

export interface ApplicationRequest {
  readonly organizationId: string;
  readonly name: string;
  readonly profileId: string;
}

/** The id of what it makes is the `app_uuid` of scans. */
export async function createApplication(
  admin: Administration,
  request: ApplicationRequest,
  now: number,
): Promise<Application> {
  const { organizationId, name, profileId } = request;
  checkReference(admin, organizationId);
  const application = { id: randomUUID(), organizationId, name, profileId, active: true, createdAt: now };
  return admin.store.change((write) => {
    checkApplication(admin, application);
    checkRoom(admin.store.applications.list(organizationId), limits.applicationsPerOrganizationMax, 'applications');
    const target = targetOf('application', application);
    const changes = changesBetween(undefined, applicationFields(application));
    write.applications.put(application);
    write.audit(auditAct(admin.actor, organizationId, 'application.create', target, changes, now));
    return application;
  });
}

export function listApplications(admin: Administration, organizationId?: string): readonly Application[] {
  return admin.store.applications.list(listed(admin, organizationId));
}

export interface ApplicationChange {
  readonly name?: string;
  /** The profile that is enforced in scans for the application. */
  readonly profileId?: string;
  /** An application that is not active is unknown to scans. */
  readonly active?: boolean;
}

export async function changeApplication(
  admin: Administration,
  id: string,
  change: ApplicationChange,
  now: number,
): Promise<Application> {
  return admin.store.change((write) => {
    const before = findApplication(admin, id);
    const application = { ...before, ...change };
    checkApplication(admin, application, before);
    const changes = changesBetween(applicationFields(before), applicationFields(application));
    if (isEmpty(changes)) return before;
    const target = targetOf('application', before);
    write.applications.put(application);
    write.audit(auditAct(admin.actor, before.organizationId, 'application.update', target, changes, now));
    return application;
  });
}

/** The organization with this id, if it can be seen; `unknown_id` otherwise, as in the next functions. */
export function findOrganization(admin: Administration, id: string): Organization {
  return visible(admin, admin.store.organizations.get(id), '/organization');
}

function findApplication(admin: Administration, id: string): Application {
  return visible(admin, admin.store.applications.get(id), '/application');
}

export function visible<T extends { id: string; organizationId?: string }>(
  admin: Administration,
  row: T | undefined,
  pointer: string,
): T {
  const isVisible = row && (admin.organizationId === undefined || owner(row) === admin.organizationId);
  if (isVisible) return row;
  const message = 'is not known';
  throw new GuardError('unknown_id', `The ${pointer.slice(1)} ${message}.`, [{ pointer, message }]);
}

/** The organization to list: the one asked for, or all that can be seen. */
export function listed(admin: Administration, organizationId: string | undefined): string | undefined {
  if (organizationId !== undefined) findOrganization(admin, organizationId);
  return organizationId ?? admin.organizationId;
}

/** A profile can be assigned where it is shipped or of the organization. */
export function wrongProfile(
  { store, knownProfiles }: Administration,
  organizationId: string,
  profileId: string,
): Wrong {
  if (knownProfiles.includes(profileId) || store.profiles.get(organizationId, profileId)) return undefined;
  const known = [...knownProfiles, ...store.profiles.list(organizationId).map(({ id }) => id)];
  return { pointer: '/profile_id', message: `must be one of ${known.join(', ')}` };
}

/** Throws `conflict` where no more rows may be added. */
export function checkRoom(rows: readonly unknown[], most: number, what: string): void {
  if (rows.length >= most) throw new GuardError('conflict', `There are ${most} ${what}, and there can be no more.`);
}

/** An organization that is not addressed, but named within a request. */
export function checkReference(admin: Administration, organizationId: string): void {
  const found = admin.store.organizations.get(organizationId);
  if (!found || (admin.organizationId !== undefined && found.id !== admin.organizationId)) {
    throw invalid('/organization', 'is not known');
  }
}

/** What the log calls a row. */
export function targetOf(kind: string, row: { readonly id: string; readonly name: string }): AuditTarget {
  return { kind, id: row.id, name: row.name };
}

function actOn(
  admin: Administration,
  action: AuditAct['action'],
  target: AuditTarget,
  after: Fields,
  now: number,
): AuditAct {
  return auditAct(admin.actor, target.id, action, target, changesBetween(undefined, after), now);
}

/** A profile that was assigned before may have gone; it need not stand in the way of another name. */
function checkApplication(admin: Administration, application: Application, before?: Application): void {
  const { organizationId, name, profileId } = application;
  refuse(
    wrongName('/name', name),
    profileId === before?.profileId ? undefined : wrongProfile(admin, organizationId, profileId),
  );
}

function applicationFields({ name, profileId, active }: Application): Fields {
  return { name, profile_id: profileId, active };
}
