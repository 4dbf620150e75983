import type { Application, Organization, TokenRecord, User } from '../../domain/identity.js';
import { tokenHash, userEmail } from '../rows.js';
import { type Store, StoreError } from '../store.js';
import { writesOf } from '../writes.js';
import { openAuditLog } from './audit-log.js';
import { openCustomRules } from './custom-rules.js';
import { reasonOf } from './data-folder.js';
import { type ByteTable, type Environment, type EnvironmentOptions, openEnvironment } from './environment.js';
import { openProfiles } from './profiles.js';
import { openIndexedRows, openRows } from './rows.js';
import { openScanLog, type ScanLogOptions } from './scan-log.js';
import { migrateScans } from './scan-migration.js';
import { keepReserve, openScanTables, type ScanTables } from './scan-tables.js';
import { checkSchema, isMigrating, markSchema, schemaVersion } from './schema.js';
import { openSessions } from './sessions.js';

/** For tests; the defaults are the service's bounds. */
export type LmdbStoreOptions = EnvironmentOptions & ScanLogOptions;

/**
 * Opens the store in `folder`, creating it (mode 0700) if it is missing. Any number of processes may have it open.
 * Throws `StoreError` where the folder cannot be used, is damaged, or was written by a newer version.
 *
 * A resolved write is committed: it survives the end of the process at any moment. A crash of the whole machine may
 * cost the last moments, never consistency, because the flush to disk overlaps with the next transactions; `close`
 * waits for it.
 */
export function openLmdbStore(folder: string, options: LmdbStoreOptions = {}): Store {
  let environment: Environment | undefined;
  try {
    environment = openEnvironment(folder, options);
    return openTables(environment, options);
  } catch (error) {
    environment?.close().catch(() => {});
    if (error instanceof StoreError) throw error;
    throw new StoreError(`The data folder ${folder} cannot be opened: ${reasonOf(error)}.`, { cause: error });
  }
}

function openTables(environment: Environment, options: LmdbStoreOptions): Store {
  const meta = environment.openTable('meta');
  const found = environment.read(() => checkSchema(meta));
  const { record, ...audit } = openAuditLog(environment);
  const users = openIndexedRows<User>(environment, 'users', userEmail);
  const tokens = openIndexedRows<TokenRecord>(environment, 'tokens', tokenHash);
  const customRules = openCustomRules(environment);
  const profiles = openProfiles(environment);
  const organizations = openRows<Organization>(environment, 'organizations');
  const applications = openRows<Application>(environment, 'applications');
  const sessions = openSessions(environment, record);
  const scanTables = openScanTables(environment);
  bringUp(environment, meta, scanTables, found);
  const scans = openScanLog(environment, scanTables, options);

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
    scans,
    change: (act) => environment.change(() => act(writes)),
    version: () => environment.version(),
    health: () => environment.health(),
    async close() {
      await scans.drain();
      await environment.close();
    },
  };
}

/** Makes a new store, or one of an older schema, one of today. */
function bringUp(environment: Environment, meta: ByteTable, scans: ScanTables, found: number | undefined): void {
  if (found === schemaVersion && !environment.read(() => isMigrating(meta))) return;
  const isOld = found !== undefined;
  environment.writeNow(() => {
    markSchema(meta, isOld);
    keepReserve(scans);
  });
  if (!isOld) return;
  migrateScans(environment, scans);
  environment.writeNow(() => markSchema(meta, false));
}
