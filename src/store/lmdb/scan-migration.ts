import type { StoredText } from '../../domain/scan-record.js';
import type { ByteTable, Environment } from './environment.js';
import { decodeRow } from './rows.js';
import { insertEntries } from './scan-index.js';
import { groupByScope } from './scan-indexing.js';
import { decodeRecord, openSegment } from './scan-segment.js';
import { addSegments, loadState, type ScanTables, saveState } from './scan-tables.js';
import { createSegmentBuilder } from './segment-builder.js';

/** Segments that one transaction fills: it takes some 50 ms. */
const segmentsPerTransaction = 8;

/** The scan log of schema 1: a row of JSON for each record and each text, and an index of other entries. */
interface OldTables {
  /** Id to record. */
  readonly records: ByteTable;
  /** Id to text. */
  readonly texts: ByteTable;
  readonly others: readonly ByteTable[];
}

/**
 * Moves the records of a store of schema 1 into segments, about 100,000 a second; their rollups stay as they are. Where it is
 * cut off the next call goes on.
 */
export function migrateScans(environment: Environment, tables: ScanTables): void {
  const old: OldTables = {
    records: environment.openTable('scans'),
    texts: environment.openTable('scan-texts'),
    others: ['scan-heads', 'scan-blocks'].map((name) => environment.openTable(name)),
  };
  while (environment.writeNow(() => moveRecords(old, tables)) > 0);
  for (const table of [old.records, old.texts, ...old.others]) table.dropSync();
}

/** Moves some records, in a transaction; gives their number. */
function moveRecords({ records, texts }: OldTables, tables: ScanTables): number {
  let moved = 0;
  for (let i = 0; i < segmentsPerTransaction; i++) {
    const builder = createSegmentBuilder();
    for (const { key, value } of records.getRange({})) {
      builder.add(decodeRecord(value));
      const text = texts.get(key);
      if (text) builder.addText(decodeRow<StoredText>(text).form, text);
      if (builder.isFull()) break;
    }
    const { rows, oldest, newest } = builder;
    if (rows === 0) return moved;
    // Ids are keys, so those that were read are the lowest ones.
    for (const key of [...records.getKeys({ limit: rows })]) {
      records.removeSync(key);
      texts.removeSync(key);
    }
    const bytes = builder.build(true);
    addSegments(tables, [{ bytes, rows, oldest, newest, texts: builder.texts }]);
    const state = loadState(tables);
    const segment = openSegment(state.last, bytes);
    for (const { scope, entries } of groupByScope([{ segment }])) insertEntries(tables.index, scope, entries);
    saveState(tables, { revision: state.revision + 1, indexed: state.last, last: state.last, tailRows: 0 });
    moved += rows;
  }
  return moved;
}
