import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { ByteTable, Environment } from './environment.js';
import { entryBytes, entryCreatedAt, entryId } from './scan-entry.js';
import { openEntries } from './scan-index.js';
import { findOldRollups, removeRollups } from './scan-rollups.js';
import { organizationScopes } from './scan-scope.js';
import { removeScans, type ScanTables } from './scan-tables.js';

/** Most records removed in one transaction: it holds the event loop for 2 to 4 ms, depending on how many projects they are of. */
const batchMax = 128;

/** Failures in a row after which a purge gives up: some half a second. */
const failuresMax = 10;

/** Time for LMDB to flush a commit: what was freed before that is not used again sooner. */
const flushMs = 50;

/** Rows of the index looked through in one turn of the event loop: up to some 12,000 entries. */
const rowsPerTurn = 256;

/** See `ScanLog.purge`. Every batch is a transaction of its own: a purge that is cut off leaves a consistent store. */
export async function purgeScans(environment: Environment, tables: ScanTables, before: number): Promise<number> {
  let removed = 0;
  let size = batchMax;
  let failures = 0;
  // Heads first: what is sealed meanwhile is then met among the blocks.
  for (const rows of [{ table: tables.index.heads, entriesOf: openEntries }, { table: tables.index.blocks }]) {
    let start: Buffer | undefined = organizationScopes.start;
    while (start) {
      const from: Buffer = start;
      const old = environment.read(() => findOld(rows, before, from, size));
      try {
        if (old.ids.length > 0) removed += await environment.write(() => removeScans(tables, old.ids));
        else await nextTurn();
        failures = 0;
        size = Math.min(2 * size, batchMax);
        start = old.goOnAt;
      } catch (error) {
        // Removing needs room too, for the pages that it changes. On a full disk there is some for a few records, and
        // what those free makes room for more.
        if (++failures === failuresMax) throw error;
        size = Math.ceil(size / 8);
        await delay(flushMs);
        await environment.advance().catch(() => {});
      }
    }
  }
  await purgeRollups(environment, tables, before);
  return removed;
}

async function purgeRollups(environment: Environment, { rollups }: ScanTables, before: number): Promise<void> {
  for (;;) {
    const old = environment.read(() => findOldRollups(rollups, before, batchMax));
    if (old.length === 0) return;
    await environment.write(() => removeRollups(rollups, old));
  }
}

interface IndexRows {
  readonly table: ByteTable;
  /** The part of a row that holds entries; all of it where this is left out. */
  readonly entriesOf?: (row: Buffer) => Buffer;
}

/** The first `max` ids of old scans in the rows from `start` on; `goOnAt` is the row to go on with, if there is one. */
function findOld(
  rows: IndexRows,
  before: number,
  start: Buffer,
  max: number,
): { ids: readonly Buffer[]; goOnAt?: Buffer } {
  const ids: Buffer[] = [];
  let looked = 0;
  for (const { key, value } of rows.table.getRange({ start, end: organizationScopes.end })) {
    if (looked++ >= rowsPerTurn) return { ids, goOnAt: key };
    const entries = rows.entriesOf ? rows.entriesOf(value) : value;
    for (let at = 0; at < entries.length; at += entryBytes) {
      if (entryCreatedAt(entries, at) >= before) continue;
      ids.push(entryId(entries, at));
      if (ids.length === max) return { ids, goOnAt: key };
    }
  }
  return { ids };
}
