import type { Application, Organization, TokenRecord, User } from '../../domain/identity.js';
import { tokenHash, userEmail } from '../rows.js';
import { type Store, StoreError } from '../store.js';
import { openMemoryAudit } from './memory-audit.js';
import { openMemoryCustomRules } from './memory-custom-rules.js';
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
  const { record: recordAct, ...audit } = openMemoryAudit(admit);
  let version = 0;
  /** Called with every change of a row. */
  const record: typeof recordAct = (act) => {
    version++;
    recordAct(act);
  };
  const users = openMemoryRows<User>(admit, record, userEmail);
  const tokens = openMemoryRows<TokenRecord>(admit, record, tokenHash);

  return {
    organizations: openMemoryRows<Organization>(admit, record),
    applications: openMemoryRows<Application>(admit, record),
    users: { ...users, findByEmail: (email) => users.findByKey(email.toLowerCase()) },
    tokens: {
      ...tokens,
      findByHash: (hash) => tokens.findByKey(hash),
      touch: (id, lastUsedAt) => tokens.update(id, (token) => ({ ...token, lastUsedAt })),
    },
    customRules: openMemoryCustomRules(admit, record),
    profiles: openMemoryProfiles(admit, record),
    sessions: openMemorySessions(admit, recordAct),
    audit,
    scans: openMemoryScans(admit),
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
