import type { AuditEntry } from '../domain/audit.js';
import type { Application, Organization, TokenRecord, User } from '../domain/identity.js';

/** From rows of the store to what is written on the wire. Hashes stay behind. */

export function tokenBody(record: TokenRecord, email: string | undefined) {
  return {
    id: record.id,
    name: record.name,
    prefix: record.prefix,
    kind: record.kind,
    scopes: record.scopes,
    user_id: record.userId,
    user_email: email ?? null,
    app_uuid: record.applicationId ?? null,
    created_at: isoTime(record.createdAt),
    expires_at: isoTimeOrNull(record.expiresAt),
    revoked_at: isoTimeOrNull(record.revokedAt),
    last_used_at: isoTimeOrNull(record.lastUsedAt),
  };
}

export function userBody(user: User) {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    service: user.service,
    can_sign_in: user.passwordHash !== undefined,
    profile_id: user.profileId,
    created_at: isoTime(user.createdAt),
  };
}

export function applicationBody({ id, name, profileId, active, createdAt }: Application) {
  return { id, name, profile_id: profileId, active, created_at: isoTime(createdAt) };
}

export function organizationBody({ id, name, createdAt }: Organization) {
  return { id, name, created_at: isoTime(createdAt) };
}

export function auditBody({ id, at, actor, action, target, changes }: AuditEntry) {
  return {
    id,
    at: isoTime(at),
    actor: {
      user_id: actor.userId ?? null,
      email: actor.email ?? null,
      via: actor.via,
      token_id: actor.tokenId ?? null,
    },
    action,
    target,
    changes,
    request_id: actor.requestId ?? null,
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function isoTimeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : isoTime(ms);
}
