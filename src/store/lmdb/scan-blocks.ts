import { scanIdBytesLength } from '../scan-id.js';
import type { ByteTable } from './environment.js';
import { entryId, mergeEntries, splitEntries } from './scan-entry.js';

/*
 * The sealed part of an index. Entries are packed into blocks because a walk costs per key of the table and not per
 * byte, and holds up its thread.
 *
 *   key: scope, id        value: 1 to blockEntriesMax entries, ascending by id
 *
 * The id in a block's key is not above any id in the block, and above every id in the block before.
 */

/** With a key of usual length this fills LMDB's half page; a longer value would take whole pages of its own. */
export const blockEntriesMax = 47;

const lowestId = Buffer.alloc(scanIdBytesLength);
const highestId = Buffer.alloc(scanIdBytesLength, 0xff);

interface Block {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Adds a block behind all others of its scope, in a transaction. */
export function appendBlock(table: ByteTable, scope: Buffer, entries: Buffer): void {
  table.putSync(blockKey(scope, entries), entries);
}

/**
 * Puts late entries in their places, in a transaction: of scans that took so long that the entries around them are
 * sealed. They must ascend by id and not be in the scope yet.
 */
export function insertIntoBlocks(table: ByteTable, scope: Buffer, entries: readonly Buffer[]): void {
  let rest = entries;
  while (rest.length > 0) {
    const block = lastBlock(table, scope, entryId(rest[0], 0)) ?? nextBlock(table, scope, lowestId);
    const next = block && nextBlock(table, scope, block.key.subarray(scope.length));
    const behind = next ? rest.findIndex((entry) => next.key.compare(blockKey(scope, entry)) <= 0) : -1;
    const own = behind < 0 ? rest : rest.slice(0, behind);
    rewrite(table, scope, block, own);
    rest = rest.slice(own.length);
  }
}

/** Removes the entries with these ids, in a transaction. The ids must ascend; unknown ones are passed over. */
export function removeFromBlocks(table: ByteTable, scope: Buffer, ids: readonly Buffer[]): void {
  let rest = ids;
  while (rest.length > 0) {
    const block = lastBlock(table, scope, rest[0]);
    const next = nextBlock(table, scope, block ? block.key.subarray(scope.length) : rest[0]);
    const behind = next ? rest.findIndex((id) => next.key.compare(Buffer.concat([scope, id])) <= 0) : -1;
    const own = behind < 0 ? rest : rest.slice(0, behind);
    if (block) rewriteWithout(table, block, own);
    rest = rest.slice(own.length);
  }
}

/**
 * The blocks of a scope from its newest to its oldest, or from the one that holds the entries right below `below`;
 * that one may also hold entries from `below` on. About a microsecond a block.
 */
export function* blocksDown(table: ByteTable, scope: Buffer, below: Buffer = highestId): Generator<Buffer> {
  for (const { value } of table.getRange(rangeDown(scope, below))) yield value;
}

function rewrite(table: ByteTable, scope: Buffer, block: Block | undefined, added: readonly Buffer[]): void {
  const entries = splitEntries(mergeEntries(block?.value ?? Buffer.alloc(0), added));
  // Cut evenly: a full block with a single entry cut off would make room for no more than the next one.
  const size = Math.ceil(entries.length / Math.ceil(entries.length / blockEntriesMax));
  const lowestKey = blockKey(scope, entries[0]);
  const firstKey = block && block.key.compare(lowestKey) < 0 ? block.key : lowestKey;
  if (block && firstKey !== block.key) table.removeSync(block.key);
  for (let at = 0; at < entries.length; at += size) {
    const key = at === 0 ? firstKey : blockKey(scope, entries[at]);
    table.putSync(key, Buffer.concat(entries.slice(at, at + size)));
  }
}

function rewriteWithout(table: ByteTable, block: Block, ids: readonly Buffer[]): void {
  const kept = withoutIds(block.value, ids);
  if (kept.length > 0) table.putSync(block.key, kept);
  else table.removeSync(block.key);
}

/** The entries without those that have one of these ids. */
export function withoutIds(entries: Buffer, ids: readonly Buffer[]): Buffer {
  const unwanted = new Set(ids.map((id) => id.toString('latin1')));
  return Buffer.concat(splitEntries(entries).filter((entry) => !unwanted.has(entryId(entry, 0).toString('latin1'))));
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

function blockKey(scope: Buffer, entries: Buffer): Buffer {
  return Buffer.concat([scope, entryId(entries, 0)]);
}
