import type { AuditAct, AuditEntry } from '../../domain/audit.js';
import { limits } from '../../domain/limits.js';
import { auditPage, auditStart } from '../audit-query.js';
import type { AuditLog } from '../store.js';
import type { ByteTable, Environment } from './environment.js';
import { decodeRow, encodeRow, load, writableKey } from './rows.js';

/*
 * One table:
 *
 *   organization                              → number of its newest entry
 *   organization / number in 14 hex digits    → the entry, JSON
 *
 * Nothing here removes or replaces an entry: a number is given once, in the transaction that writes the entry.
 */

/** Writes an act to the audit log, within a transaction. */
export type Recorder = (act: AuditAct | undefined) => void;

/** The audit log, and the function by which other tables write to it in their own transactions. */
export interface LmdbAuditLog extends AuditLog {
  readonly record: Recorder;
}

/** Opens or creates the table. */
export function openAuditLog(environment: Environment): LmdbAuditLog {
  const table = environment.openTable('audit');
  const record: Recorder = (act) => {
    if (act === undefined) return;
    const organization = writableKey(act.organizationId);
    const newest = newestOf(table, act.organizationId);
    const before = newest === 0 ? undefined : table.get(entryKey(act.organizationId, newest));
    // A clock that is set back must not let a later act look earlier.
    const at = Math.max(act.at, before === undefined ? 0 : decodeRow<AuditEntry>(before).at);
    const entry: AuditEntry = { id: String(newest + 1), ...act, at };
    table.putSync(entryKey(act.organizationId, newest + 1), encodeRow(entry));
    table.putSync(organization, Buffer.from(entry.id));
  };
  return {
    record,
    append: (act) => environment.write(() => record(act)),
    find: (query) =>
      environment.read(() => {
        const { organizationId } = query;
        const start = Math.min(auditStart(query) ?? Number.MAX_SAFE_INTEGER, newestOf(table, organizationId) + 1);
        return auditPage(entriesBelow(table, organizationId, start), query, limits.auditWalkMax);
      }),
  };
}

function* entriesBelow(table: ByteTable, organizationId: string, start: number): Generator<AuditEntry> {
  const range = { start: entryKey(organizationId, start - 1), end: entryKey(organizationId, 0), reverse: true };
  if (start <= 1) return;
  for (const { value } of table.getRange(range)) yield decodeRow<AuditEntry>(value);
}

function newestOf(table: ByteTable, organizationId: string): number {
  return Number(load(table, organizationId)?.toString() ?? 0);
}

function entryKey(organizationId: string, number: number): Buffer {
  return writableKey(`${organizationId}/${number.toString(16).padStart(14, '0')}`);
}
