import { scanIdBytesLength } from '../scan-id.js';
import type { ByteTable, Environment } from './environment.js';
import {
  appendBlock,
  blockEntriesMax,
  blocksDown,
  findBlock,
  insertIntoBlocks,
  removeFromBlocks,
} from './scan-blocks.js';
import { countFlagged, entryBytes, entryId, mergeEntries, seekEntry, withoutEntries } from './scan-entry.js';

/*
 * The index lists the scans of many scopes, each by id. A scope has a head, which holds its counts and its newest
 * entries, and behind it sealed blocks of entries (scan-blocks.ts). So adding scans changes one row of each of their
 * scopes, a count without filters reads one, and a walk over all entries reads one in 84.
 *
 *   head:  0          8            16                   32
 *          | total    | flagged    | highest sealed id  | open entries, ascending, all above the highest sealed id
 *
 * The counts are doubles and cover the sealed entries too; the highest sealed id is zero while nothing was sealed.
 */
const flaggedOffset = 8;
const sealedOffset = 16;
const openOffset = sealedOffset + scanIdBytesLength;

export interface ScanIndex {
  readonly heads: ByteTable;
  readonly blocks: ByteTable;
}

/** How many scans a scope has. */
export interface ScanCounts {
  readonly total: number;
  readonly flagged: number;
}

/** Opens or creates the index. */
export function openScanIndex(environment: Environment): ScanIndex {
  return { heads: environment.openTable('scan-scopes'), blocks: environment.openTable('scan-scope-blocks', 'walks') };
}

/** Adds entries to a scope, in a transaction. They must not be in the scope yet. */
export function insertEntries(index: ScanIndex, scope: Buffer, entries: Buffer): void {
  const head = loadHead(index, scope);
  const late = endOfSealed(entries, head.sealed);
  if (late > 0) insertIntoBlocks(index.blocks, scope, entries.subarray(0, late));
  let { sealed } = head;
  let open = mergeEntries(head.open, entries.subarray(late));
  const blockBytes = blockEntriesMax * entryBytes;
  while (open.length > blockBytes) {
    appendBlock(index.blocks, scope, open.subarray(0, blockBytes));
    sealed = entryId(open, blockBytes - entryBytes);
    open = open.subarray(blockBytes);
  }
  const flagged = head.flagged + countFlagged(entries);
  saveHead(index, scope, { total: head.total + entries.length / entryBytes, flagged, sealed, open });
}

/** Removes entries from a scope, in a transaction. They must be there. */
export function removeEntries(index: ScanIndex, scope: Buffer, entries: Buffer): void {
  const { total, flagged, sealed, open } = loadHead(index, scope);
  const late = endOfSealed(entries, sealed);
  if (late > 0) removeFromBlocks(index.blocks, scope, entries.subarray(0, late));
  const count = entries.length / entryBytes;
  if (total === count) {
    index.heads.removeSync(scope);
    return;
  }
  saveHead(index, scope, {
    total: total - count,
    flagged: flagged - countFlagged(entries),
    sealed,
    open: withoutEntries(open, entries.subarray(late)),
  });
}

/** Reads the counts of a scope. */
export function countEntries(index: ScanIndex, scope: Buffer): ScanCounts {
  return loadHead(index, scope);
}

/** The entry with this id, with nothing behind it. */
export function findEntry(index: ScanIndex, scope: Buffer, id: Buffer): Buffer | undefined {
  const { open, sealed } = loadHead(index, scope);
  const entries = id.compare(sealed) > 0 ? open : findBlock(index.blocks, scope, id);
  if (!entries) return undefined;
  const at = seekEntry(entries, id);
  const isFound = at < entries.length && entryId(entries, at).compare(id) === 0;
  return isFound ? entries.subarray(at, at + entryBytes) : undefined;
}

/**
 * The entries of a scope from its newest to its oldest, in blocks that each ascend by id, or from the block that holds
 * the entries right below `below`; blocks may also hold entries from `below` on.
 */
export function* entriesDown(index: ScanIndex, scope: Buffer, below?: Buffer): Generator<Buffer> {
  const { open } = loadHead(index, scope);
  if (open.length > 0) yield open;
  yield* blocksDown(index.blocks, scope, below);
}

interface Head extends ScanCounts {
  readonly sealed: Buffer;
  readonly open: Buffer;
}

const emptyHead: Head = { total: 0, flagged: 0, sealed: Buffer.alloc(scanIdBytesLength), open: Buffer.alloc(0) };

function loadHead(index: ScanIndex, scope: Buffer): Head {
  const value = index.heads.get(scope);
  if (!value) return emptyHead;
  return {
    total: value.readDoubleBE(0),
    flagged: value.readDoubleBE(flaggedOffset),
    sealed: value.subarray(sealedOffset, openOffset),
    open: value.subarray(openOffset),
  };
}

function saveHead(index: ScanIndex, scope: Buffer, { total, flagged, sealed, open }: Head): void {
  const value = Buffer.allocUnsafe(openOffset + open.length);
  value.writeDoubleBE(total, 0);
  value.writeDoubleBE(flagged, flaggedOffset);
  value.set(sealed, sealedOffset);
  value.set(open, openOffset);
  index.heads.putSync(scope, value);
}

/** Where those of the entries end that belong into the sealed part. */
function endOfSealed(entries: Buffer, sealed: Buffer): number {
  const at = seekEntry(entries, sealed);
  return at < entries.length && entryId(entries, at).compare(sealed) === 0 ? at + entryBytes : at;
}
