import type { Application, Organization, TokenRecord, User } from '../../domain/identity.js';
import { tokenHash, userEmail } from '../rows.js';
import { type Store, StoreError } from '../store.js';
import { writesOf } from '../writes.js';
import { openMemoryAudit } from './memory-audit.js';
import { openMemoryCustomRules } from './memory-custom-rules.js';
import { createMemoryMaps } from './memory-maps.js';
import { openMemoryProfiles } from './memory-profiles.js';
import { openMemoryRows } from './memory-rows.js';
import { openMemoryScans } from './memory-scans.js';
import { openMemorySessions } from './memory-sessions.js';

/**
 * A store that lives as long as the process: the reference that other implementations are compared with, and
 * the double in tests of what needs a store. Costs are linear in what is stored, without a bound.
 */
export function openMemoryStore(): Store {
  let closed = false;
  const admit = () => {
    if (closed) throw new StoreError('The store is closed.');
  };
  const maps = createMemoryMaps();
  const { record, ...audit } = openMemoryAudit(maps, admit);
  let version = 0;
  const users = openMemoryRows<User>(maps, admit, userEmail);
  const tokens = openMemoryRows<TokenRecord>(maps, admit, tokenHash);
  const organizations = openMemoryRows<Organization>(maps, admit);
  const applications = openMemoryRows<Application>(maps, admit);
  const customRules = openMemoryCustomRules(maps, admit);
  const profiles = openMemoryProfiles(maps, admit);
  const sessions = openMemorySessions(maps, admit, record);
  const writes = writesOf({ organizations, users, applications, tokens, customRules, profiles, sessions }, record);

  return {
    organizations,
    applications,
    users: { ...users, findByEmail: (email) => users.findByKey(email.toLowerCase()) },
    tokens: {
      ...tokens,
      findByHash: (hash) => tokens.findByKey(hash),
      touch: (id, lastUsedAt) => tokens.update(id, (token) => ({ ...token, lastUsedAt })),
    },
    customRules,
    profiles,
    sessions,
    audit,
    scans: openMemoryScans(admit),
    async change(act) {
      admit();
      const putBack = maps.mark();
      try {
        const outcome = act(writes);
        version++;
        return outcome;
      } catch (error) {
        putBack();
        throw error;
      }
    },
    version() {
      admit();
      return version;
    },
    health: () => (closed ? { ok: false, reason: 'The store is closed.' } : { ok: true }),
    async close() {
      closed = true;
    },
  };
}
