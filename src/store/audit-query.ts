import type { AuditEntry } from '../domain/audit.js';
import { type AuditPage, type AuditQuery, CursorError } from './store.js';

/** Number that the page begins below; undefined for the newest. Throws `CursorError` for a cursor that no page gave. */
export function auditStart({ cursor }: AuditQuery): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw new CursorError();
  return Number(cursor);
}

/**
 * The page that a walk from newer to older entries gives: at most `limit` entries that pass the filters, among at most
 * `walkMax`. Times never grow on the way, so the walk ends at the first entry before `from`.
 */
export function auditPage(newestFirst: Iterable<AuditEntry>, query: AuditQuery, walkMax: number): AuditPage {
  const entries: AuditEntry[] = [];
  let last: string | undefined;
  let walked = 0;
  for (const entry of newestFirst) {
    if (query.from !== undefined && entry.at < query.from) return { entries };
    if (last !== undefined && (entries.length === query.limit || walked === walkMax)) return { entries, next: last };
    walked++;
    last = entry.id;
    if (passes(entry, query)) entries.push(entry);
  }
  return { entries };
}

function passes(entry: AuditEntry, { action, actor, to }: AuditQuery): boolean {
  if (to !== undefined && entry.at >= to) return false;
  if (action !== undefined && entry.action !== action) return false;
  return actor === undefined || entry.actor.userId === actor || entry.actor.email?.toLowerCase() === actor;
}
