import { byCreation, owner, type UniqueKey } from '../rows.js';
import { type RowWrites, StoreError, type Table } from '../store.js';
import type { ByteTable, Environment } from './environment.js';

/** A table of rows, stored as JSON under their ids. */
export interface Rows<T extends { readonly id: string }> extends Table<T> {
  /**
   * Replaces the row by what `change` makes of it, in one transaction; does nothing when there is no such row. For what nobody
   * remembers: the store's version stays.
   */
  update(id: string, change: (row: T) => T): Promise<void>;
  /** For a transaction that is under way. */
  readonly writes: RowWrites<T>;
}

/** Rows with a second key, found through an index that is kept in the same transactions. */
export interface IndexedRows<T extends { readonly id: string }> extends Rows<T> {
  findByKey(key: string): T | undefined;
}

/** Keys longer than this are refused when written and unknown when read; LMDB's own bound is 1,978. */
const keyBytesMax = 1_000;

/** Opens or creates the named table. `get` is one read; `list` decodes every row of the table. */
export function openRows<T extends Row>(environment: Environment, name: string): Rows<T> {
  return openTable<T>(environment, name, { put: () => {}, remove: () => {} });
}

/** As `openRows`, with an index `name` + `-index` from the unique key to the id. */
export function openIndexedRows<T extends Row>(
  environment: Environment,
  name: string,
  unique: UniqueKey<T>,
): IndexedRows<T> {
  const index = environment.openTable(`${name}-index`);
  const indexKey = (row: T) => writableKey(unique.keyOf(row));
  const rows = openTable<T>(environment, name, {
    put(row, old) {
      const key = indexKey(row);
      const holder = index.get(key)?.toString();
      if (holder !== undefined && holder !== row.id) throw new StoreError(unique.taken);
      if (old) index.removeSync(indexKey(old));
      index.putSync(key, Buffer.from(row.id));
    },
    remove: (old) => index.removeSync(indexKey(old)),
  });
  return {
    ...rows,
    findByKey: (key) =>
      environment.read(() => {
        const id = load(index, key)?.toString();
        return id === undefined ? undefined : rows.get(id);
      }),
  };
}

interface Row {
  readonly id: string;
  readonly organizationId?: string;
  readonly createdAt: number;
}

/** What is to be done beside a change, in its transaction. */
interface Beside<T> {
  readonly put: (row: T, old: T | undefined) => void;
  readonly remove: (old: T) => void;
}

function openTable<T extends Row>(environment: Environment, name: string, beside: Beside<T>): Rows<T> {
  const table = environment.openTable(name);

  const loadRow = (id: string): T | undefined => {
    const bytes = load(table, id);
    return bytes && decodeRow<T>(bytes);
  };

  const replace = (row: T, old: T | undefined): void => {
    beside.put(row, old);
    table.putSync(writableKey(row.id), encodeRow(row));
  };

  const writes: RowWrites<T> = {
    put: (row) => replace(row, loadRow(row.id)),
    remove(id) {
      const old = loadRow(id);
      if (!old) return false;
      beside.remove(old);
      table.removeSync(writableKey(id));
      return true;
    },
  };

  return {
    writes,
    get: (id) => environment.read(() => loadRow(id)),
    list: (organizationId) =>
      environment.read(() => {
        const rows: T[] = [];
        for (const { value } of table.getRange()) {
          const row = decodeRow<T>(value);
          if (organizationId === undefined || owner(row) === organizationId) rows.push(row);
        }
        return rows.sort(byCreation);
      }),
    update: (id, change) =>
      environment.write(() => {
        const old = loadRow(id);
        if (old) replace(change(old), old);
      }),
  };
}

/** JSON keeps every string exactly, lone surrogates too; MessagePack does not. */
export function encodeRow(row: object): Buffer {
  return Buffer.from(JSON.stringify(row));
}

/** Undoes `encodeRow`. What is in the store was checked before it got there; only damage is looked for. */
export function decodeRow<T>(bytes: Buffer): T {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // Without a cause: a parser's message quotes what it could not parse.
    throw new StoreError('The store holds a damaged row.');
  }
}

/** What stands under a key; nothing for a key that cannot be written either. */
export function load(table: ByteTable, key: string): Buffer | undefined {
  const bytes = readableKey(key);
  return bytes && table.get(bytes);
}

/** A key's bytes; undefined for one that cannot be written either. */
export function readableKey(key: string): Buffer | undefined {
  const bytes = Buffer.from(key);
  return bytes.length === 0 || bytes.length > keyBytesMax ? undefined : bytes;
}

/** A key's bytes. Throws `StoreError` for one that is empty or too long. */
export function writableKey(key: string): Buffer {
  const bytes = readableKey(key);
  if (!bytes) throw new StoreError(`A key of the store must have 1 to ${keyBytesMax} bytes.`);
  return bytes;
}
