import { scanIdBytesLength } from '../scan-id.js';
import type { ByteTable, Environment } from './environment.js';
import {
  appendBlock,
  blockEntriesMax,
  blocksDown,
  insertIntoBlocks,
  removeFromBlocks,
  withoutIds,
} from './scan-blocks.js';
import { countFlagged, entryBytes, entryId, mergeEntries } from './scan-entry.js';

/*
 * The index lists the scans of many scopes, each by id. A scope has a head, which holds its counts and its newest
 * entries, and behind it sealed blocks of entries (scan-blocks.ts). So an append changes one row of each of its
 * scopes, a count without filters reads one, and a walk over all entries reads one in 47.
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
  return { heads: environment.openTable('scan-heads'), blocks: environment.openTable('scan-blocks', 'walks') };
}

/** Adds entries to a scope, in a transaction. They must ascend by id and not be in the scope yet. */
export function insertEntries(index: ScanIndex, scope: Buffer, entries: readonly Buffer[]): void {
  const head = loadHead(index, scope);
  const late = countSealed(entries, head.sealed);
  if (late > 0) insertIntoBlocks(index.blocks, scope, entries.slice(0, late));
  let { sealed } = head;
  let open = mergeEntries(head.open, entries.slice(late));
  const blockBytes = blockEntriesMax * entryBytes;
  while (open.length > blockBytes) {
    appendBlock(index.blocks, scope, open.subarray(0, blockBytes));
    sealed = entryId(open, blockBytes - entryBytes);
    open = open.subarray(blockBytes);
  }
  const flagged = head.flagged + countFlagged(entries);
  saveHead(index, scope, { total: head.total + entries.length, flagged, sealed, open });
}

/** Removes entries from a scope, in a transaction. They must ascend by id and be there. */
export function removeEntries(index: ScanIndex, scope: Buffer, entries: readonly Buffer[]): void {
  const { total, flagged, sealed, open } = loadHead(index, scope);
  const ids = entries.map((entry) => entryId(entry, 0));
  const late = countSealed(entries, sealed);
  if (late > 0) removeFromBlocks(index.blocks, scope, ids.slice(0, late));
  if (total === entries.length) {
    index.heads.removeSync(scope);
    return;
  }
  saveHead(index, scope, {
    total: total - entries.length,
    flagged: flagged - countFlagged(entries),
    sealed,
    open: withoutIds(open, ids.slice(late)),
  });
}

/** Reads the counts of a scope. */
export function countEntries(index: ScanIndex, scope: Buffer): ScanCounts {
  return loadHead(index, scope);
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

/** The entries in a row of `heads`. */
export function openEntries(head: Buffer): Buffer {
  return head.subarray(openOffset);
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
    open: openEntries(value),
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

/** How many of the entries, which ascend, belong into the sealed part. */
function countSealed(entries: readonly Buffer[], sealed: Buffer): number {
  const open = entries.findIndex((entry) => entryId(entry, 0).compare(sealed) > 0);
  return open < 0 ? entries.length : open;
}
