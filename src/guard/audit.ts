import type { Actor, AuditAct, AuditChange, AuditChanges, AuditTarget } from '../domain/audit.js';
import type { Principal } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import type { Store } from '../store/store.js';

/** An act of `actor`, for the store's `save` and `remove`, which write it in the transaction of the change itself. */
export function auditAct(
  actor: Actor,
  organizationId: string,
  action: AuditAct['action'],
  target: AuditTarget,
  changes: AuditChanges,
  now: number,
): AuditAct {
  return { organizationId, at: now, actor, action, target, changes: bounded(changes) };
}

/** Who a principal is to the audit log. Throws `StoreError`. */
export function actorOf(store: Store, { via, userId, credentialId }: Principal, requestId: string): Actor {
  const email = store.users.get(userId)?.email;
  const token = via === 'token' ? { tokenId: credentialId } : {};
  return { via, userId, ...(email === undefined ? {} : { email }), ...token, requestId };
}

/** The fields that differ between two states; a missing state stands for a thing that was made, or removed. */
export function changesBetween(before: Fields | undefined, after: Fields | undefined): AuditChanges {
  const changes: Record<string, AuditChange> = {};
  for (const key of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const [old, now] = [before?.[key], after?.[key]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    changes[key] = { ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) };
  }
  return changes;
}

/** Whether nothing differs: what changes nothing is no act, and must not fill the log. */
export function isEmpty(changes: AuditChanges): boolean {
  return Object.keys(changes).length === 0;
}

/** Names as on the wire; never a secret or the hash of one. */
export type Fields = Readonly<Record<string, unknown>>;

function bounded(changes: AuditChanges): AuditChanges {
  const units = JSON.stringify(changes).length;
  return units <= limits.auditChangesUnitsMax ? changes : { too_large: { after: units } };
}
