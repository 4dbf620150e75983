import { createHash, randomInt, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type FieldError, GuardError } from '../domain/errors.js';
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
import { canBeTold } from '../domain/told-time.js';
import { type Store, StoreError, type Writes } from '../store/store.js';
import { gathered, invalid, refuse, type Wrong, wrongName } from './wrong-arguments.js';

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

/** Makes and stores a token, in the transaction of `write`. Throws `GuardError` (`invalid_input`) that names each field, and `StoreError`. */
export function issueToken(store: Store, write: Writes, request: TokenRequest, now: number): IssuedToken {
  const user = requestedUser(store, request);
  return putToken(store, write, generateToken(user.service ? 'service' : 'pat'), user, request, now);
}

/** As `issueToken`, for a token that somebody else generated, e.g. in the environment of a first run. */
export function adoptToken(
  store: Store,
  write: Writes,
  token: string,
  request: TokenRequest,
  now: number,
): IssuedToken {
  if (!isWellFormedToken(token))
    throw invalid('/token', 'is not a well-formed token; `merlon token generate` prints one');
  const user = requestedUser(store, request);
  if (user.service !== (tokenKind(token) === 'service')) throw invalid('/token', 'is not of the kind of its user');
  if (store.tokens.findByHash(hashToken(token))) throw invalid('/token', 'is stored already');
  return putToken(store, write, token, user, request, now);
}

/** What was found about a token. */
export interface VerifiedToken {
  readonly principal: Principal;
  readonly expiresAt: number | undefined;
  /** When its last use was written. */
  touchedAt: number;
  /** Of the store, when the token was looked up. */
  readonly version: number;
}

/** Bounded by its owner; a map with `limits.principalCacheMax` entries does. Keys are tokens. */
export interface TokenCache {
  get(token: string): VerifiedToken | undefined;
  set(token: string, verified: VerifiedToken): unknown;
  delete(token: string): unknown;
}

/**
 * Establishes whose token this is. What the cache knows counts as long as the store's version is the one at which it was
 * looked up, so a revoked token is refused on the next request; and while the store cannot be read, for tokens that have
 * not expired. Throws `GuardError`: `unauthorized`, or `store_unavailable` for a token that the cache does not know.
 * `onStoreError` gets every failure of the store, also of writing the time of last use, which is written at most once
 * in `limits.tokenLastUseMs` and never waited for. A token that the cache knows costs some 0.2 µs, another some 10.
 */
export function verifyToken(
  store: Store,
  cache: TokenCache,
  token: string,
  now: number,
  onStoreError: (error: unknown) => void,
): Principal {
  const known = cache.get(token);
  if (!known && !isWellFormedToken(token)) throw new GuardError('unauthorized', 'The access token is malformed.');
  let verified: VerifiedToken | undefined;
  try {
    verified = known?.version === store.version() ? known : lookUpToken(store, token, known, now);
  } catch (error) {
    if (!(error instanceof StoreError)) {
      cache.delete(token);
      throw error;
    }
    onStoreError(error);
    if (!known) throw new GuardError('store_unavailable', 'The access token cannot be checked now.');
    verified = known;
  }
  if (verified !== known) cache.set(token, verified);
  if (verified.expiresAt !== undefined && now >= verified.expiresAt) {
    cache.delete(token);
    throw new GuardError('unauthorized', 'The access token has expired.');
  }
  if (now - verified.touchedAt >= limits.tokenLastUseMs) {
    verified.touchedAt = now;
    store.tokens.touch(verified.principal.credentialId, now).catch(onStoreError);
  }
  return verified.principal;
}

/** Throws `unauthorized` for a token that is not valid. */
function lookUpToken(store: Store, token: string, known: VerifiedToken | undefined, now: number): VerifiedToken {
  // Asked first: what changes from here on makes what is found below old.
  const version = store.version();
  const record = store.tokens.findByHash(hashToken(token));
  const user = record && store.users.get(record.userId);
  if (!record || !user || !isValidToken(record, now)) throw new GuardError('unauthorized', refusal(record, now));
  const principal: Principal = {
    via: 'token',
    credentialId: record.id,
    userId: user.id,
    organizationId: record.organizationId,
    role: user.role,
    scopes: scopesNow(record.scopes, user.role),
    profileId: user.profileId,
    ...(record.applicationId === undefined ? {} : { appUuid: record.applicationId }),
  };
  const touchedAt = Math.max(record.lastUsedAt ?? 0, known?.touchedAt ?? 0);
  return { principal, expiresAt: record.expiresAt, touchedAt, version };
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

/**
 * What is wrong with a request beside its user. Applications are those of the user's organization; where the user is not
 * known, neither is any of them looked for.
 */
export function wrongInRequest(
  store: Store,
  { name, scopes: names, expiresAt, applicationId }: TokenRequest,
  user: User | undefined,
  now: number,
): readonly FieldError[] {
  const isToCome = expiresAt === undefined || (Number.isInteger(expiresAt) && expiresAt > now && canBeTold(expiresAt));
  const isForeign =
    user !== undefined &&
    applicationId !== undefined &&
    store.applications.get(applicationId)?.organizationId !== user.organizationId;
  return gathered(
    wrongName('/name', name),
    wrongScopes(names),
    isToCome ? undefined : { pointer: '/expires_at', message: 'must be a time to come, before the year 10000' },
    isForeign ? { pointer: '/app_uuid', message: 'is not known' } : undefined,
  );
}

function requestedUser(store: Store, request: TokenRequest): User {
  const user = store.users.get(request.userId);
  if (!user) throw invalid('/user', 'is not known');
  return user;
}

function putToken(
  store: Store,
  write: Writes,
  token: string,
  user: User,
  request: TokenRequest,
  now: number,
): IssuedToken {
  refuse(...wrongInRequest(store, request, user, now));
  const { expiresAt, applicationId } = request;
  const record: TokenRecord = {
    id: randomUUID(),
    hash: hashToken(token),
    kind: tokenKind(token),
    organizationId: user.organizationId,
    userId: user.id,
    name: request.name,
    prefix: tokenPrefix(token),
    scopes: knownScopes(request.scopes),
    ...(applicationId === undefined ? {} : { applicationId }),
    createdAt: now,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  write.tokens.put(record);
  return { token, record };
}

function wrongScopes(names: readonly string[]): Wrong {
  if (names.length > 0 && new Set(names).size === knownScopes(names).length) return undefined;
  return { pointer: '/scopes', message: `must be some of ${scopes.join(', ')}` };
}

function knownScopes(names: readonly string[]): Scope[] {
  return scopes.filter((scope) => names.includes(scope));
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
