import { scanIdBytesLength } from '../scan-id.js';
import type { ByteTable } from './environment.js';
import { entryBytes, entryId, mergeEntries, seekEntry, withoutEntries } from './scan-entry.js';

/*
 * The sealed part of an index. Entries are packed into blocks because a walk costs per key of the table and not per
 * byte, and holds up its thread.
 *
 *   key: scope, id        value: 1 to blockEntriesMax entries, ascending by id
 *
 * The id in a block's key is not above any id in the block, and above every id in the block before.
 */

/** This fills a page of LMDB: a walk over a million entries takes four fifths of the time that half pages take. */
export const blockEntriesMax = 84;

const lowestId = Buffer.alloc(scanIdBytesLength);
const highestId = Buffer.alloc(scanIdBytesLength, 0xff);

interface Block {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Adds a block behind all others of its scope, in a transaction. */
export function appendBlock(table: ByteTable, scope: Buffer, entries: Buffer): void {
  table.putSync(blockKey(scope, entries, 0), entries);
}

/** Puts late entries in their places, in a transaction: of scans around whose entries others are sealed already. */
export function insertIntoBlocks(table: ByteTable, scope: Buffer, entries: Buffer): void {
  let rest = entries;
  while (rest.length > 0) {
    const block = lastBlock(table, scope, entryId(rest, 0)) ?? nextBlock(table, scope, lowestId);
    const own = ownEntries(table, scope, block, rest);
    rewrite(table, scope, block, own);
    rest = rest.subarray(own.length);
  }
}

/** Removes the entries with the ids of these, in a transaction; unknown ones are passed over. */
export function removeFromBlocks(table: ByteTable, scope: Buffer, entries: Buffer): void {
  let rest = entries;
  while (rest.length > 0) {
    const block = lastBlock(table, scope, entryId(rest, 0));
    const own = block ? ownEntries(table, scope, block, rest) : rest.subarray(0, entryBytes);
    if (block) {
      const kept = withoutEntries(block.value, own);
      if (kept.length > 0) table.putSync(block.key, kept);
      else table.removeSync(block.key);
    }
    rest = rest.subarray(own.length);
  }
}

/** The block that holds an entry with this id if there is one. */
export function findBlock(table: ByteTable, scope: Buffer, id: Buffer): Buffer | undefined {
  return lastBlock(table, scope, id)?.value;
}

/**
 * The blocks of a scope from its newest to its oldest, or from the one that holds the entries right below `below`;
 * that one may also hold entries from `below` on. About a microsecond a block.
 */
export function* blocksDown(table: ByteTable, scope: Buffer, below: Buffer = highestId): Generator<Buffer> {
  for (const { value } of table.getRange(rangeDown(scope, below))) yield value;
}

/** Those of the entries that lie below the block behind this one; at least the first. */
function ownEntries(table: ByteTable, scope: Buffer, block: Block | undefined, entries: Buffer): Buffer {
  const next = block && nextBlock(table, scope, block.key.subarray(scope.length));
  if (!next) return entries;
  return entries.subarray(0, Math.max(entryBytes, seekEntry(entries, next.key.subarray(scope.length))));
}

function rewrite(table: ByteTable, scope: Buffer, block: Block | undefined, added: Buffer): void {
  const entries = mergeEntries(block?.value ?? Buffer.alloc(0), added);
  const count = entries.length / entryBytes;
  // Cut evenly: a full block with a single entry cut off would make room for no more than the next one.
  const size = Math.ceil(count / Math.ceil(count / blockEntriesMax)) * entryBytes;
  const lowestKey = blockKey(scope, entries, 0);
  const firstKey = block && block.key.compare(lowestKey) < 0 ? block.key : lowestKey;
  if (block && firstKey !== block.key) table.removeSync(block.key);
  for (let at = 0; at < entries.length; at += size) {
    const key = at === 0 ? firstKey : blockKey(scope, entries, at);
    table.putSync(key, entries.subarray(at, at + size));
  }
}

/** The block with the highest key that is not above the id. */
function lastBlock(table: ByteTable, scope: Buffer, id: Buffer): Block | undefined {
  const [block] = table.getRange({ ...rangeDown(scope, id), limit: 1 });
  return block;
}

/** The block with the lowest key above the id. */
function nextBlock(table: ByteTable, scope: Buffer, id: Buffer): Block | undefined {
  const start = Buffer.concat([scope, id]);
  const end = Buffer.concat([scope, highestId]);
  const [block] = table.getRange({ start, exclusiveStart: true, end, inclusiveEnd: true, limit: 1 });
  return block;
}

function rangeDown(scope: Buffer, id: Buffer) {
  // The bare scope is below all of its keys and above those of other scopes, of which it never is a prefix.
  return { start: Buffer.concat([scope, id]), end: scope, reverse: true };
}

function blockKey(scope: Buffer, entries: Buffer, at: number): Buffer {
  return Buffer.concat([scope, entryId(entries, at)]);
}
