import type { Session } from '../../domain/identity.js';
import { limits } from '../../domain/limits.js';
import { byCreation } from '../rows.js';
import type { SessionTable, SessionWrites } from '../store.js';
import type { Recorder } from './audit-log.js';
import type { Environment } from './environment.js';
import { decodeRow, encodeRow, load, writableKey } from './rows.js';

/*
 * Two tables, because every request asks for one session and some acts ask for those of a user:
 *
 *   sessions           id → the session, JSON
 *   sessions-by-user   user / id → one byte
 */

/** Opens or creates the tables. `writes` are for a transaction that is under way. */
export function openSessions(
  environment: Environment,
  record: Recorder,
): SessionTable & { readonly writes: SessionWrites } {
  const sessions = environment.openTable('sessions');
  const byUser = environment.openTable('sessions-by-user');
  const userKey = (userId: string, id: string) => writableKey(`${userId}/${id}`);

  const loadSession = (id: string): Session | undefined => {
    const bytes = load(sessions, id);
    return bytes && decodeRow<Session>(bytes);
  };
  const removeOne = (id: string): void => {
    const found = loadSession(id);
    if (!found) return;
    sessions.removeSync(writableKey(id));
    byUser.removeSync(userKey(found.userId, id));
  };

  const writes: SessionWrites = {
    put(session) {
      sessions.putSync(writableKey(session.id), encodeRow(session));
      byUser.putSync(userKey(session.userId, session.id), Buffer.alloc(1));
    },
    remove: (ids) => ids.forEach(removeOne),
  };

  return {
    writes,
    get: (id) => environment.read(() => loadSession(id)),
    ofUser: (userId) =>
      environment.read(() => {
        const found: Session[] = [];
        const start = `${userId}/`;
        // `0` is the character after `/`.
        for (const key of byUser.getKeys({ start: Buffer.from(start), end: Buffer.from(`${userId}0`) })) {
          const session = loadSession(key.toString().slice(start.length));
          if (session) found.push(session);
        }
        return found.sort(byCreation);
      }),
    save: (session, act) =>
      environment.write(() => {
        writes.put(session);
        record(act);
      }),
    touch: (id, lastUsedAt) =>
      environment.write(() => {
        const found = loadSession(id);
        if (found) sessions.putSync(writableKey(id), encodeRow({ ...found, lastUsedAt }));
      }),
    remove: (ids, act) =>
      environment.write(() => {
        writes.remove(ids);
        record(act);
      }),
    async purge(now, usedBefore) {
      const over = environment.read(() => {
        const ids: string[] = [];
        for (const { value } of sessions.getRange()) {
          const { id, expiresAt, lastUsedAt } = decodeRow<Session>(value);
          if (expiresAt <= now || lastUsedAt < usedBefore) ids.push(id);
          if (ids.length === limits.sessionsPurgedMax) break;
        }
        return ids;
      });
      if (over.length > 0) await environment.write(() => writes.remove(over));
      return over.length;
    },
  };
}
