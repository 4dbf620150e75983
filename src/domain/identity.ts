/** What a token may do. `admin` includes the others. */
export const scopes = ['guard:scan', 'results:read', 'policies:read', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** What a user may be in an organization. */
export const roles = ['admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The most that a user of the role may do, by a session or by any token. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  admin: scopes,
  member: ['guard:scan', 'results:read', 'policies:read'],
  viewer: ['results:read', 'policies:read'],
};

/** All ids are lowercase UUIDs. All times are milliseconds since the Unix epoch. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface User {
  readonly id: string;
  readonly organizationId: string;
  /** Unique over the whole store, compared in lower case. */
  readonly email: string;
  readonly role: Role;
  /** A service user owns service keys and cannot sign in. */
  readonly service: boolean;
  /** argon2id hash in PHC string form; absent where the user cannot sign in. */
  readonly passwordHash?: string;
  /** Profile that is enforced where a scan names no application. */
  readonly profileId: string;
  readonly createdAt: number;
}

export interface Application {
  /** The `app_uuid` of the wire. */
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly profileId: string;
  /** An inactive application is unknown to scans. */
  readonly active: boolean;
  readonly createdAt: number;
}

/** `pat`: personal access token of a user; `service`: key of a service user, for machines. */
export type TokenKind = 'pat' | 'service';

export interface TokenRecord {
  readonly id: string;
  /** SHA-256 of the whole token, lowercase hex. The token itself is never stored. */
  readonly hash: string;
  readonly kind: TokenKind;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  /** First characters of the token, enough for a person to tell tokens apart. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** The one application that it scans for; absent where it scans for any, or for none. */
  readonly applicationId?: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** Coarse: written at most once a minute. */
  readonly lastUsedAt?: number;
}

/** A person's stay, begun by signing in. */
export interface Session {
  /** SHA-256 of the cookie's value, lowercase hex. The value itself is never stored. */
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string;
  /** Names the password that it was begun with: a session ends with its password, whoever changes that. */
  readonly passwordMark: string;
  readonly createdAt: number;
  /** When it ends however much it is used. */
  readonly expiresAt: number;
  /** Coarse: written at most once a minute. */
  readonly lastUsedAt: number;
}

/** Who is calling, as established from a valid token or session. */
export interface Principal {
  readonly via: 'token' | 'session';
  /** Id of the token or of the session. */
  readonly credentialId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly role: Role;
  /** What both the credential and the user's role allow. */
  readonly scopes: readonly Scope[];
  /** The user's default profile. */
  readonly profileId: string;
  /** The only application that may be scanned for, where the token is bound to one. */
  readonly appUuid?: string;
}
