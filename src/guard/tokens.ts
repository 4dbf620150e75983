import { createHash, randomInt, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AuditAct } from '../domain/audit.js';
import { GuardError } from '../domain/errors.js';
import {
  type Principal,
  type Role,
  type Scope,
  scopes,
  scopesOfRole,
  type TokenKind,
  type TokenRecord,
  type User,
} from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import { type Store, StoreError } from '../store/store.js';

/*
 * A token, 41 characters:
 *
 *   mrl_pat_ or mrl_key_ | 27 random base62 digits: 160.7 bits | 6 base62 digits: CRC-32 of everything before
 *
 * The prefix lets secret scanners find tokens that leaked; the checksum lets them, and us, tell a token from a look-alike
 * without asking the store.
 */
const prefixes: Readonly<Record<TokenKind, string>> = { pat: 'mrl_pat_', service: 'mrl_key_' };
const pattern = /^mrl_(?:pat|key)_[0-9A-Za-z]{33}$/;
const tokenLength = 41;
const bodyDigits = 27;
const checksumDigits = 6;
/** Of a token, what is stored for people to tell it by: the prefix and four random characters of 27. */
const shownLength = 12;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new token; nothing is stored. */
export function generateToken(kind: TokenKind): string {
  return withChecksum(`${prefixes[kind]}${randomDigits(bodyDigits)}`);
}

/** As many random base62 digits, from the system's secure source; 5.95 bits each. */
export function randomDigits(length: number): string {
  return Array.from({ length }, () => digits[randomInt(digits.length)]).join('');
}

/** Whether the text has a token's form and checksum. Cost is bounded whatever the text's length. */
export function isWellFormedToken(text: string): boolean {
  if (text.length !== tokenLength || !pattern.test(text)) return false;
  return withChecksum(text.slice(0, -checksumDigits)) === text;
}

/** The kind that a well-formed token claims to be. */
export function tokenKind(token: string): TokenKind {
  return token.startsWith(prefixes.pat) ? 'pat' : 'service';
}

/** What may be shown of a token. */
export function tokenPrefix(token: string): string {
  return token.slice(0, shownLength);
}

/** SHA-256 of the token in lowercase hex, the form in which the store knows it. A token is too random to need salt. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** What a new token is to be; the kind follows from its user. */
export interface TokenRequest {
  readonly userId: string;
  /** For people, e.g. `laptop`. */
  readonly name: string;
  /** Names of `Scope`s; at least one. */
  readonly scopes: readonly string[];
  /** Milliseconds since the Unix epoch; without it the token does not expire. */
  readonly expiresAt?: number;
  /** Binds the token to one application of the user's organization. */
  readonly applicationId?: string;
}

export interface IssuedToken {
  /** The only time that the token itself is to be had. */
  readonly token: string;
  readonly record: TokenRecord;
}

/**
 * Makes and stores a token, and with it what `actOf` makes of its record for the audit log. Throws `GuardError`
 * (`invalid_input`) that names each field, and `StoreError`.
 */
export async function issueToken(
  store: Store,
  request: TokenRequest,
  now: number,
  actOf?: (record: TokenRecord) => AuditAct,
): Promise<IssuedToken> {
  const user = requestedUser(store, request);
  return storeToken(store, generateToken(user.service ? 'service' : 'pat'), user, request, now, actOf);
}

/** As `issueToken`, for a token that somebody else generated, e.g. in the environment of a first run. */
export async function adoptToken(
  store: Store,
  token: string,
  request: TokenRequest,
  now: number,
): Promise<IssuedToken> {
  if (!isWellFormedToken(token))
    throw invalid('/token', 'is not a well-formed token; `merlon token generate` prints one');
  const user = requestedUser(store, request);
  if (user.service !== (tokenKind(token) === 'service')) throw invalid('/token', 'is not of the kind of its user');
  if (store.tokens.findByHash(hashToken(token))) throw invalid('/token', 'is stored already');
  return storeToken(store, token, user, request, now);
}

/** A principal as remembered for the time when the store cannot be read. */
export type VerifiedPrincipal = Principal & { expiresAt?: number; touchedAt?: number };

/** Bounded by its owner; a map with `limits.principalCacheMax` entries does. Keys are hashes of tokens. */
export interface PrincipalCache {
  get(hash: string): VerifiedPrincipal | undefined;
  set(hash: string, principal: VerifiedPrincipal): unknown;
  delete(hash: string): unknown;
}

/**
 * Establishes whose token this is. The store is asked every time, so a revoked token is refused on the next request;
 * only while the store cannot be read does the cache answer, for tokens that were verified before and have not
 * expired. Throws `GuardError`: `unauthorized`, or `store_unavailable` for a token that the cache does not know.
 * `onStoreError` gets every failure of the store, also of writing the time of last use, which is written at most once
 * in `limits.tokenLastUseMs` and never waited for.
 */
export function verifyToken(
  store: Store,
  cache: PrincipalCache,
  token: string,
  now: number,
  onStoreError: (error: unknown) => void,
): Principal {
  if (!isWellFormedToken(token)) throw new GuardError('unauthorized', 'The access token is malformed.');
  const hash = hashToken(token);
  const known = cache.get(hash);
  let record: TokenRecord | undefined;
  let user: User | undefined;
  try {
    record = store.tokens.findByHash(hash);
    user = record && store.users.get(record.userId);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    onStoreError(error);
    if (!known) throw new GuardError('store_unavailable', 'The access token cannot be checked now.');
    if (isOver(known, now)) throw new GuardError('unauthorized', 'The access token has expired.');
    return known;
  }
  if (!record || !user || !isValidToken(record, now)) {
    cache.delete(hash);
    throw new GuardError('unauthorized', refusal(record, now));
  }
  const touchedAt = Math.max(record.lastUsedAt ?? 0, known?.touchedAt ?? 0);
  const isTouched = now - touchedAt < limits.tokenLastUseMs;
  if (!isTouched) store.tokens.touch(record.id, now).catch(onStoreError);
  const principal: VerifiedPrincipal = {
    via: 'token',
    credentialId: record.id,
    userId: user.id,
    organizationId: record.organizationId,
    role: user.role,
    scopes: scopesNow(record.scopes, user.role),
    profileId: user.profileId,
    touchedAt: isTouched ? touchedAt : now,
    ...(record.expiresAt === undefined ? {} : { expiresAt: record.expiresAt }),
    ...(record.applicationId === undefined ? {} : { appUuid: record.applicationId }),
  };
  cache.set(hash, principal);
  return principal;
}

/** Whether a stored token is neither revoked nor expired; its user may still be gone. */
export function isValidToken(record: TokenRecord, now: number): boolean {
  return record.revokedAt === undefined && !isOver(record, now);
}

/** What is left of a token's scopes under the role that its user has now. Mostly all, which allocates nothing. */
function scopesNow(granted: readonly Scope[], role: Role): readonly Scope[] {
  if (role === 'admin') return granted;
  const allowed = scopesOfRole[role];
  return granted.every((scope) => allowed.includes(scope))
    ? granted
    : granted.filter((scope) => allowed.includes(scope));
}

/** Longest name of anything that people name, in UTF-16 units. */
const nameLengthMax = 128;

/** Throws `GuardError` unless the text can name something: not blank, no control characters, at most 128 units. */
export function checkName(pointer: string, name: string): void {
  if (name.trim() === '' || name.length > nameLengthMax || /\p{Cc}/u.test(name)) {
    throw invalid(pointer, `must have 1 to ${nameLengthMax} characters, none of them a control character`);
  }
}

/** The error for one wrong argument. `problem` completes the sentence that begins with the argument's name. */
export function invalid(pointer: string, problem: string): GuardError {
  return new GuardError('invalid_input', `${pointer.slice(1)} ${problem}.`, [{ pointer, message: problem }]);
}

function requestedUser(store: Store, request: TokenRequest): User {
  const user = store.users.get(request.userId);
  if (!user) throw invalid('/user', 'is not known');
  return user;
}

async function storeToken(
  store: Store,
  token: string,
  user: User,
  request: TokenRequest,
  now: number,
  actOf?: (record: TokenRecord) => AuditAct,
): Promise<IssuedToken> {
  checkName('/name', request.name);
  const { expiresAt, applicationId } = request;
  if (expiresAt !== undefined && !(Number.isInteger(expiresAt) && expiresAt > now)) {
    throw invalid('/expires_at', 'must be a time to come');
  }
  if (applicationId !== undefined && store.applications.get(applicationId)?.organizationId !== user.organizationId) {
    throw invalid('/app_uuid', 'is not known');
  }
  const record: TokenRecord = {
    id: randomUUID(),
    hash: hashToken(token),
    kind: tokenKind(token),
    organizationId: user.organizationId,
    userId: user.id,
    name: request.name,
    prefix: tokenPrefix(token),
    scopes: checkScopes(request.scopes),
    ...(applicationId === undefined ? {} : { applicationId }),
    createdAt: now,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  await store.tokens.save(record, actOf?.(record));
  return { token, record };
}

function checkScopes(names: readonly string[]): Scope[] {
  const known = scopes.filter((scope) => names.includes(scope));
  if (names.length === 0 || new Set(names).size > known.length) {
    throw invalid('/scopes', `must be some of ${scopes.join(', ')}`);
  }
  return known;
}

function refusal(record: TokenRecord | undefined, now: number): string {
  if (record?.revokedAt !== undefined) return 'The access token was revoked.';
  return record && isOver(record, now) ? 'The access token has expired.' : 'The access token is not known.';
}

function isOver({ expiresAt }: { readonly expiresAt?: number }, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  while (checksum.length < checksumDigits) {
    checksum = digits[rest % digits.length] + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return text + checksum;
}
