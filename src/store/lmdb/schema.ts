import { StoreError } from '../store.js';
import type { ByteTable } from './environment.js';

/** Number of the layout that this version reads and writes; a change that older versions would misread raises it. */
const schemaVersion = 1;
const schemaKey = Buffer.from('schema');

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

/** Marks a new store, in a transaction. */
export function markSchema(meta: ByteTable): void {
  meta.putSync(schemaKey, Buffer.from(String(schemaVersion)));
}
