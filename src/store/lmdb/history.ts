import { countKept } from '../history.js';
import type { ByteTable } from './environment.js';

/*
 * Former states of documents in a table of their own or beside other rows.
 *
 *   key: document, number as u32 big endian        value: the state
 *
 * Names of documents end in a byte that stands nowhere else in them, so that none is a prefix of another.
 */

interface Version {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Adds a state that has a higher number than all others, in a transaction, and drops those that are too many. */
export function addVersion(table: ByteTable, document: Buffer, number: number, value: Buffer): void {
  table.putSync(versionKey(document, number), value);
  const versions = [...versionsDown(table, document)];
  const kept = countKept(versions.map((version) => version.value.length));
  for (const { key } of versions.slice(kept)) table.removeSync(key);
}

/** The states of a document, newest first. */
export function* versionsDown(table: ByteTable, document: Buffer): Generator<Version> {
  yield* table.getRange({ start: versionKey(document, 0xffffffff), end: document, reverse: true });
}

/** Forgets all states of a document, in a transaction. */
export function removeVersions(table: ByteTable, document: Buffer): void {
  for (const { key } of [...versionsDown(table, document)]) table.removeSync(key);
}

function versionKey(document: Buffer, number: number): Buffer {
  const key = Buffer.alloc(document.length + 4);
  document.copy(key);
  key.writeUInt32BE(number, document.length);
  return key;
}
