import type { AuditAct } from '../../domain/audit.js';
import type { Session } from '../../domain/identity.js';
import { limits } from '../../domain/limits.js';
import { byCreation } from '../rows.js';
import type { SessionTable, SessionWrites } from '../store.js';
import type { MemoryMaps } from './memory-maps.js';

/** Sessions in memory. */
export function openMemorySessions(
  maps: MemoryMaps,
  admit: () => void,
  record: (act: AuditAct | undefined) => void,
): SessionTable & { readonly writes: SessionWrites } {
  const sessions = maps.create<string, Session>();
  const writes: SessionWrites = {
    put: (session) => void sessions.set(session.id, structuredClone(session)),
    remove(ids) {
      for (const id of ids) sessions.delete(id);
    },
  };
  return {
    writes,
    get(id) {
      admit();
      return structuredClone(sessions.get(id));
    },
    ofUser(userId) {
      admit();
      return structuredClone([...sessions.values()].filter((session) => session.userId === userId).sort(byCreation));
    },
    async save(session, act) {
      admit();
      writes.put(session);
      record(act);
    },
    async touch(id, lastUsedAt) {
      admit();
      const found = sessions.get(id);
      if (found) sessions.set(id, { ...found, lastUsedAt });
    },
    async remove(ids, act) {
      admit();
      writes.remove(ids);
      record(act);
    },
    async purge(now, usedBefore) {
      admit();
      const over = [...sessions.values()]
        .filter(({ expiresAt, lastUsedAt }) => expiresAt <= now || lastUsedAt < usedBefore)
        .slice(0, limits.sessionsPurgedMax);
      for (const { id } of over) sessions.delete(id);
      return over.length;
    },
  };
}
