import type { AuditAct, AuditEntry } from '../../domain/audit.js';
import { limits } from '../../domain/limits.js';
import { auditPage, auditStart } from '../audit-query.js';
import type { AuditLog } from '../store.js';
import type { MemoryMaps } from './memory-maps.js';

/** The audit log in its plainest form: a list for each organization. `record` is for the tables of the same store. */
export function openMemoryAudit(
  maps: MemoryMaps,
  admit: () => void,
): AuditLog & { record(act: AuditAct | undefined): void } {
  const logs = maps.create<string, readonly AuditEntry[]>();
  const record = (act: AuditAct | undefined): void => {
    if (act === undefined) return;
    const log = logs.get(act.organizationId) ?? [];
    const at = Math.max(act.at, log.at(-1)?.at ?? 0);
    const entry = structuredClone({ id: String(log.length + 1), ...act, at });
    logs.set(act.organizationId, [...log, entry]);
  };
  return {
    record,
    async append(act) {
      admit();
      record(act);
    },
    find(query) {
      admit();
      const start = auditStart(query) ?? Number.POSITIVE_INFINITY;
      const older = (logs.get(query.organizationId) ?? []).filter(({ id }) => Number(id) < start).reverse();
      return structuredClone(auditPage(older, query, limits.auditWalkMax));
    },
  };
}
