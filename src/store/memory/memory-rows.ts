import { byCreation, owner, type UniqueKey } from '../rows.js';
import { type RowWrites, StoreError, type Table } from '../store.js';
import type { MemoryMaps } from './memory-maps.js';

/** A table in memory, with a second key where the rows have one. */
export interface MemoryRows<T extends { readonly id: string }> extends Table<T> {
  findByKey(key: string): T | undefined;
  /** Replaces the row by what `change` makes of it, which nobody records; does nothing when there is no such row. */
  update(id: string, change: (row: T) => T): Promise<void>;
  readonly writes: RowWrites<T>;
}

/** `admit` throws `StoreError` once the store is closed. Rows are copied in and out, as a database would. */
export function openMemoryRows<T extends Row>(
  maps: MemoryMaps,
  admit: () => void,
  unique?: UniqueKey<T>,
): MemoryRows<T> {
  const rows = maps.create<string, T>();

  const findByKey = (key: string): T | undefined => {
    admit();
    for (const row of rows.values()) if (unique?.keyOf(row) === key) return structuredClone(row);
    return undefined;
  };

  const writes: RowWrites<T> = {
    put(row) {
      const holder = unique && findByKey(unique.keyOf(row));
      if (holder && holder.id !== row.id) throw new StoreError(unique.taken);
      rows.set(row.id, structuredClone(row));
    },
    remove: (id) => rows.delete(id),
  };

  return {
    findByKey,
    writes,
    get(id) {
      admit();
      return structuredClone(rows.get(id));
    },
    list(organizationId) {
      admit();
      const wanted = [...rows.values()].filter((row) => organizationId === undefined || owner(row) === organizationId);
      return structuredClone(wanted.sort(byCreation));
    },
    async update(id, change) {
      admit();
      const row = rows.get(id);
      if (row) rows.set(id, structuredClone(change(row)));
    },
  };
}

interface Row {
  readonly id: string;
  readonly organizationId?: string;
  readonly createdAt: number;
}
