import type { StoredCustomRules } from '../../domain/custom-rules.js';
import type { CustomRulesTable } from '../store.js';
import type { ByteTable, Environment } from './environment.js';
import { decodeRow, encodeRow, load, writableKey } from './rows.js';

/*
 * Two tables, because every scan asks for versions and only a change asks for rules:
 *
 *   custom-rules            organization → the rules, JSON
 *   custom-rules-versions   organization → the version; `generation` → a number that grows with every change
 *
 * Ids of organizations are UUIDs, so none is called `generation`.
 */
const generationKey = Buffer.from('generation');

/** Opens or creates the tables. */
export function openCustomRules(environment: Environment): CustomRulesTable {
  const rows = environment.openTable('custom-rules');
  const versions = environment.openTable('custom-rules-versions');
  const raiseGeneration = () => versions.putSync(generationKey, Buffer.from(String(generationOf(versions) + 1)));

  return {
    generation: () => environment.read(() => generationOf(versions)),
    version: (organizationId) => environment.read(() => load(versions, organizationId)?.toString()),
    get: (organizationId) =>
      environment.read(() => {
        const bytes = load(rows, organizationId);
        return bytes && decodeRow<StoredCustomRules>(bytes);
      }),
    save: (rules) =>
      environment.write(() => {
        const key = writableKey(rules.organizationId);
        rows.putSync(key, encodeRow(rules));
        versions.putSync(key, Buffer.from(rules.version));
        raiseGeneration();
      }),
    remove: (organizationId) =>
      environment.write(() => {
        const key = writableKey(organizationId);
        if (!rows.removeSync(key)) return;
        versions.removeSync(key);
        raiseGeneration();
      }),
  };
}

function generationOf(versions: ByteTable): number {
  return Number(versions.get(generationKey)?.toString() ?? 0);
}
