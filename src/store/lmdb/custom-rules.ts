import type { CustomRulesRevision, StoredCustomRules } from '../../domain/custom-rules.js';
import type { CustomRulesTable, CustomRulesWrites } from '../store.js';
import type { ByteTable, Environment } from './environment.js';
import { addVersion, versionsDown } from './history.js';
import { decodeRow, encodeRow, load, readableKey, writableKey } from './rows.js';

/*
 * Three tables, because every scan asks for versions and only a change asks for rules:
 *
 *   custom-rules            organization → the rules, JSON
 *   custom-rules-versions   organization → the version; `generation` → a number that grows with every change
 *   custom-rules-history    organization, NUL, revision → the rules as they were, JSON
 *
 * Ids of organizations are UUIDs, so none is called `generation`.
 */
const generationKey = Buffer.from('generation');

/** Opens or creates the tables. `writes` are for a transaction that is under way. */
export function openCustomRules(environment: Environment): CustomRulesTable & { readonly writes: CustomRulesWrites } {
  const rows = environment.openTable('custom-rules');
  const versions = environment.openTable('custom-rules-versions');
  const states = environment.openTable('custom-rules-history');
  const raiseGeneration = () => versions.putSync(generationKey, Buffer.from(String(generationOf(versions) + 1)));

  const loadRules = (organizationId: string): StoredCustomRules | undefined => {
    const bytes = load(rows, organizationId);
    return bytes && decodeRow<StoredCustomRules>(bytes);
  };

  const history = (organizationId: string, most: number): readonly CustomRulesRevision[] => {
    const organization = readableKey(organizationId);
    if (!organization) return [];
    const document = documentName(organization);
    const found: CustomRulesRevision[] = [];
    for (const { value } of versionsDown(states, document)) {
      if (found.length === most) break;
      found.push(decodeRow<CustomRulesRevision>(value));
    }
    if (found.length > 0 || most < 1) return found;
    // Rules that were saved before there was a history are its first state.
    const rules = loadRules(organizationId);
    return rules ? [{ ...rules, revision: 1 }] : [];
  };

  /** The next state after that of today, which is written down where it was not yet; in a transaction. */
  const succeed = (next: Omit<StoredCustomRules, 'revision'>): CustomRulesRevision => {
    const document = documentName(writableKey(next.organizationId));
    const [last] = history(next.organizationId, 1);
    if (last?.revision === 1) addVersion(states, document, 1, encodeRow(last));
    const state = { ...next, revision: (last?.revision ?? 0) + 1 };
    addVersion(states, document, state.revision, encodeRow(state));
    raiseGeneration();
    return state;
  };

  const writes: CustomRulesWrites = {
    put(rules) {
      const key = writableKey(rules.organizationId);
      const state = succeed(rules);
      rows.putSync(key, encodeRow(state));
      versions.putSync(key, Buffer.from(rules.version));
      return state;
    },
    remove(organizationId, by) {
      const old = loadRules(organizationId);
      if (!old) return false;
      succeed({ organizationId, version: '', rules: [], allow: [], lastNumber: old.lastNumber, ...by });
      const key = writableKey(organizationId);
      rows.removeSync(key);
      versions.removeSync(key);
      return true;
    },
  };

  return {
    writes,
    generation: () => environment.read(() => generationOf(versions)),
    version: (organizationId) => environment.read(() => load(versions, organizationId)?.toString()),
    get: (organizationId) => environment.read(() => loadRules(organizationId)),
    history: (organizationId, most = Number.POSITIVE_INFINITY) => environment.read(() => history(organizationId, most)),
  };
}

function documentName(organization: Buffer): Buffer {
  return Buffer.concat([organization, Buffer.of(0)]);
}

function generationOf(versions: ByteTable): number {
  return Number(versions.get(generationKey)?.toString() ?? 0);
}
