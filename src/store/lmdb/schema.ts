import { StoreError } from '../store.js';
import type { ByteTable } from './environment.js';

/** Number of the layout that this version reads and writes; a change that older versions would misread raises it. */
export const schemaVersion = 2;
const schemaKey = Buffer.from('schema');
/** Set while a store of schema 1 is being moved to this one (scan-migration.ts). */
const migratingKey = Buffer.from('migrating');

/** The layout's number as found; undefined in a new store. Throws `StoreError` for one that this version does not know. */
export function checkSchema(meta: ByteTable): number | undefined {
  const text = meta.get(schemaKey)?.toString();
  if (text === undefined) return undefined;
  const found = Number(text);
  if (!Number.isInteger(found) || found < 1)
    throw new StoreError('The data folder is damaged: its schema is not a number.');
  if (found > schemaVersion) {
    throw new StoreError(
      `The data folder was written by a newer version of Merlon (schema ${found}, this version knows ${schemaVersion}). ` +
        'Use that version, or another data folder.',
    );
  }
  return found;
}

/** Marks a store as one of this version, in a transaction; with `isMigrating` as one that is not all of it yet. */
export function markSchema(meta: ByteTable, isMigrating: boolean): void {
  meta.putSync(schemaKey, Buffer.from(String(schemaVersion)));
  if (isMigrating) meta.putSync(migratingKey, Buffer.alloc(1));
  else meta.removeSync(migratingKey);
}

/** Whether a migration was begun and did not end. */
export function isMigrating(meta: ByteTable): boolean {
  return meta.doesExist(migratingKey);
}
