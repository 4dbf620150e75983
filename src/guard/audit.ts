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

/**
 * Writes an act that has no row of its own, or whose row the caller writes by another way: ask for both in the same turn
 * of the event loop, and wait for both. Rejects with `StoreError`; then tell the caller that the store is unavailable.
 */
export function recordAudit(store: Store, ...act: Parameters<typeof auditAct>): Promise<void> {
  return store.audit.append(auditAct(...act));
}

/** Who a principal is to the audit log. Throws `StoreError`. */
export function actorOf(store: Store, { via, userId }: Principal, requestId: string): Actor {
  const email = store.users.get(userId)?.email;
  return { via, userId, ...(email === undefined ? {} : { email }), requestId };
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

/** Names as on the wire; never a secret or the hash of one. */
export type Fields = Readonly<Record<string, unknown>>;

function bounded(changes: AuditChanges): AuditChanges {
  const units = JSON.stringify(changes).length;
  return units <= limits.auditChangesUnitsMax ? changes : { too_large: { after: units } };
}
