import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { type Application, type Organization, scopes, type TokenRecord, type User } from '../domain/identity.js';
import { owner } from '../store/rows.js';
import type { Store } from '../store/store.js';
import {
  adoptToken,
  checkName,
  hashToken,
  type IssuedToken,
  invalid,
  issueToken,
  isValidToken,
  isWellFormedToken,
  randomDigits,
  revokeToken as revoke,
  type TokenRequest,
  tokenKind,
} from './tokens.js';

/**
 * What the use cases of administration work on. All of them throw `GuardError` (`invalid_input`) naming the wrong
 * argument, and let a `StoreError` through: who administers wants to know what is wrong with the store.
 */
export interface Administration {
  readonly store: Store;
  /** Ids of the profiles that can be assigned. */
  readonly knownProfiles: readonly string[];
  /** When given, nothing of another organization is to be seen or changed: its ids are as unknown as any other. */
  readonly organizationId?: string;
}

const roles = ['admin', 'member', 'viewer'] as const;

const emailPattern = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
/** RFC 5321: the longest path is 256 octets with its brackets. */
const emailLengthMax = 254;
const passwordLengthMin = 12;
/** Longer ones are refused, not cut off: hashing takes time with their length. */
const passwordLengthMax = 1_024;

/** Cost of a hash as OWASP's password storage cheat sheet has it for argon2id (19 MiB, two passes); 20 to 50 ms. */
const argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function createOrganization(admin: Administration, name: string, now: number): Promise<Organization> {
  checkName('/name', name);
  const organization = { id: randomUUID(), name, createdAt: now };
  await admin.store.organizations.save(organization);
  return organization;
}

export async function renameOrganization(admin: Administration, id: string, name: string): Promise<Organization> {
  const organization = { ...findOrganization(admin, id), name };
  checkName('/name', name);
  await admin.store.organizations.save(organization);
  return organization;
}

/** By time of creation, as every list here. */
export function listOrganizations(admin: Administration): readonly Organization[] {
  return admin.store.organizations.list(admin.organizationId);
}

export interface UserRequest {
  readonly organizationId: string;
  readonly email: string;
  /** `admin`, `member` or `viewer`. */
  readonly role: string;
  /** A service user owns service keys and cannot sign in. */
  readonly service?: boolean;
  /** Without it the user cannot sign in yet. */
  readonly password?: string;
  readonly profileId: string;
}

export async function createUser(admin: Administration, request: UserRequest, now: number): Promise<User> {
  const { organizationId, email, profileId, password, service = false } = request;
  findOrganization(admin, organizationId);
  checkEmail(admin.store, email);
  const role = roles.find((known) => known === request.role);
  if (!role) throw invalid('/role', `must be one of ${roles.join(', ')}`);
  checkProfile(admin, profileId);
  if (service && password !== undefined) throw invalid('/password', 'is not for a service user');
  const passwordHash = password === undefined ? {} : { passwordHash: await hashPassword(password) };
  const user = { id: randomUUID(), organizationId, email, role, service, profileId, createdAt: now, ...passwordHash };
  await admin.store.users.save(user);
  return user;
}

export function listUsers(admin: Administration, organizationId?: string): readonly User[] {
  return admin.store.users.list(listed(admin, organizationId));
}

/** Removes a user and revokes the user's tokens, those first. */
export async function removeUser(admin: Administration, id: string, now: number): Promise<void> {
  findUser(admin, id);
  for (const token of listTokens(admin, { userId: id })) await revoke(admin.store, token.id, now);
  await admin.store.users.remove(id);
}

/** The profile that is enforced where the user's scans name no application. */
export async function setUserProfile(admin: Administration, id: string, profileId: string): Promise<User> {
  const user = { ...findUser(admin, id), profileId };
  checkProfile(admin, profileId);
  await admin.store.users.save(user);
  return user;
}

export async function setPassword(admin: Administration, id: string, password: string): Promise<void> {
  if (findUser(admin, id).service) throw invalid('/user', 'is a service user, which cannot sign in');
  const passwordHash = await hashPassword(password);
  // Read again: hashing takes a while.
  await admin.store.users.save({ ...findUser(admin, id), passwordHash });
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
  findOrganization(admin, organizationId);
  return saveApplication(admin, { id: randomUUID(), organizationId, name, profileId, active: true, createdAt: now });
}

export function listApplications(admin: Administration, organizationId?: string): readonly Application[] {
  return admin.store.applications.list(listed(admin, organizationId));
}

/** The profile that is enforced in scans for the application. */
export async function assignProfile(admin: Administration, id: string, profileId: string): Promise<Application> {
  return saveApplication(admin, { ...findApplication(admin, id), profileId });
}

export async function renameApplication(admin: Administration, id: string, name: string): Promise<Application> {
  return saveApplication(admin, { ...findApplication(admin, id), name });
}

/** An application that is not active is unknown to scans. */
export async function setApplicationActive(admin: Administration, id: string, active: boolean): Promise<Application> {
  return saveApplication(admin, { ...findApplication(admin, id), active });
}

/** Makes a personal access token, or a service key where the user is a service user. */
export async function createToken(admin: Administration, request: TokenRequest, now: number): Promise<IssuedToken> {
  findUser(admin, request.userId);
  return issueToken(admin.store, request, now);
}

/** Tokens as they are stored, revoked and expired ones too. */
export function listTokens(
  admin: Administration,
  filter: { readonly organizationId?: string; readonly userId?: string } = {},
): readonly TokenRecord[] {
  const tokens = admin.store.tokens.list(listed(admin, filter.organizationId));
  return filter.userId === undefined ? tokens : tokens.filter(({ userId }) => userId === filter.userId);
}

/** Ends a token's validity, everywhere at once. */
export async function revokeToken(admin: Administration, id: string, now: number): Promise<TokenRecord> {
  visible(admin, admin.store.tokens.get(id), '/token');
  return revoke(admin.store, id, now);
}

/** What a first run made, or a later one found. Secrets are there for the caller to show once. */
export type Bootstrap = FirstRun | LaterRun;

interface FirstRun {
  readonly created: true;
  readonly organization: Organization;
  readonly user: User;
  readonly password: string;
  /** The generated token; absent where one was given. */
  readonly token?: string;
  /** Present where a token was given. */
  readonly bootstrapTokenKnown?: boolean;
}

interface LaterRun {
  readonly created: false;
  readonly organization: Organization;
  /** The admin who has been there longest; none may be left. */
  readonly user?: User;
  /** Present where a token was given: whether it is valid now. It is never added later. */
  readonly bootstrapTokenKnown?: boolean;
}

const firstAdmin = { email: 'admin@localhost', role: 'admin', service: false, profileId: 'default' } as const;
/** In base62 digits: 142 bits. */
const firstPasswordLength = 24;

/**
 * Gives an empty store an organization, an admin user and an access token with all scopes: the given one, or a new
 * one. A store with any organization stays as it is. Throws `GuardError` for a given token that is not well-formed.
 */
export async function bootstrap(
  store: Store,
  { token, now }: { readonly token?: string; readonly now: number },
): Promise<Bootstrap> {
  if (token !== undefined && !(isWellFormedToken(token) && tokenKind(token) === 'pat')) {
    throw invalid('/MERLON_BOOTSTRAP_TOKEN', 'is not a well-formed access token; `merlon token generate` prints one');
  }
  const [organization] = store.organizations.list();
  if (organization) return laterRun(store, organization, token, now);
  // The organization comes last and marks the end: what a run left that was cut off before that goes.
  const leftOver = store.users.findByEmail(firstAdmin.email);
  if (leftOver) {
    for (const { id, userId } of store.tokens.list()) if (userId === leftOver.id) await store.tokens.remove(id);
    await store.users.remove(leftOver.id);
  }

  const first: Organization = { id: randomUUID(), name: 'Default organization', createdAt: now };
  const password = randomDigits(firstPasswordLength);
  const passwordHash = await hashPassword(password);
  const user: User = { ...firstAdmin, id: randomUUID(), organizationId: first.id, passwordHash, createdAt: now };
  await store.users.save(user);
  const request = { userId: user.id, name: 'First run', scopes };
  const issued = token === undefined ? await issueToken(store, request, now) : undefined;
  if (token !== undefined) await adoptToken(store, token, request, now);
  await store.organizations.save(first);
  const made = { created: true, organization: first, user, password } as const;
  return issued ? { ...made, token: issued.token } : { ...made, bootstrapTokenKnown: true };
}

function laterRun(store: Store, organization: Organization, token: string | undefined, now: number): LaterRun {
  const user = store.users.list(organization.id).find(({ role, service }) => role === 'admin' && !service);
  const found = { created: false, organization, ...(user ? { user } : {}) } as const;
  if (token === undefined) return found;
  const record = store.tokens.findByHash(hashToken(token));
  return { ...found, bootstrapTokenKnown: record !== undefined && isValidToken(record, now) };
}

async function saveApplication(admin: Administration, application: Application): Promise<Application> {
  checkName('/name', application.name);
  checkProfile(admin, application.profileId);
  await admin.store.applications.save(application);
  return application;
}

function findOrganization(admin: Administration, id: string): Organization {
  return visible(admin, admin.store.organizations.get(id), '/organization');
}

function findUser(admin: Administration, id: string): User {
  return visible(admin, admin.store.users.get(id), '/user');
}

function findApplication(admin: Administration, id: string): Application {
  return visible(admin, admin.store.applications.get(id), '/application');
}

function visible<T extends { id: string; organizationId?: string }>(
  admin: Administration,
  row: T | undefined,
  pointer: string,
): T {
  const isVisible = row && (admin.organizationId === undefined || owner(row) === admin.organizationId);
  if (!isVisible) throw invalid(pointer, 'is not known');
  return row;
}

/** The organization to list: the one asked for, or all that can be seen. */
function listed(admin: Administration, organizationId: string | undefined): string | undefined {
  if (organizationId !== undefined) findOrganization(admin, organizationId);
  return organizationId ?? admin.organizationId;
}

function checkProfile(admin: Administration, profileId: string): void {
  if (!admin.knownProfiles.includes(profileId)) {
    throw invalid('/profile', `must be one of ${admin.knownProfiles.join(', ')}`);
  }
}

function checkEmail(store: Store, email: string): void {
  if (email.length > emailLengthMax || !emailPattern.test(email)) throw invalid('/email', 'is not an e-mail address');
  if (store.users.findByEmail(email)) throw invalid('/email', 'is that of another user');
}

async function hashPassword(password: string): Promise<string> {
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    throw invalid('/password', `must have ${passwordLengthMin} to ${passwordLengthMax} characters`);
  }
  return hash(password, argon2Cost);
}
