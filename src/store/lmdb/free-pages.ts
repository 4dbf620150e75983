import { readSync } from 'node:fs';

/*
 * LMDB's tree of unused pages, read from the file itself, because LMDB must not be let near a file that was cut off. Little
 * endian, as LMDB's data version 2 has it:
 *
 *   page      0 number u64 | 8 transaction u64 | 18 flags u16 (1 branch, 2 leaf) | 20 bytes of node offsets u16 | 24 those, u16 each
 *   node      0 size, or low half of the child's number u32 | 4 flags (1: the value lies in pages of its own), or high part u16 |
 *   (from 24) 6 bytes of the key u16 | 8 key | value, or number of its first page u64
 *   value     number of entries i64, then each: a page, a negative count and the first of so many pages, or 0 for none
 */
const headerBytes = 24;
const branchFlag = 1;
const leafFlag = 2;
const elsewhereFlag = 1;
const nodeHeaderBytes = 8;
/** Of the root of an empty tree. */
const noPage = 2n ** 64n - 1n;

/** Deeper than LMDB's trees can be. */
const depthMax = 32;

export interface PagesOfFile {
  readonly pageSize: number;
  /** That are in the file. */
  readonly pages: number;
  /** Root of the tree of unused pages. */
  readonly freeRoot: bigint;
}

/** Whether nothing uses any of the pages from `start` up to `end`. False, too, where that cannot be told. Reads what is listed, 8 bytes or less a page. */
export function areFree(file: number, { pageSize, pages, freeRoot }: PagesOfFile, start: number, end: number): boolean {
  const found = new Set<number>();

  const load = (page: number, offset: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    if (page >= pages || readSync(file, bytes, 0, length, page * pageSize + offset) !== length)
      throw new RangeError('a page is missing');
    return bytes;
  };

  const addList = (list: Buffer) => {
    const last = Number(list.readBigInt64LE(0)) * 8;
    for (let at = 8; at <= last; at += 8) {
      const entry = Number(list.readBigInt64LE(at));
      if (entry < 0) at += 8;
      const first = entry < 0 ? Number(list.readBigInt64LE(at)) : entry;
      const beyond = Math.min(first + Math.max(1, -entry), end);
      for (let page = Math.max(first, start); page < beyond; page++) found.add(page);
    }
  };

  const walk = (number: number, depth: number) => {
    if (depth > depthMax) throw new RangeError('the tree has no end');
    const page = load(number, 0, pageSize);
    const flags = page.readUInt16LE(18);
    const nodes = page.readUInt16LE(20) / 2;
    for (let index = 0; index < nodes; index++) {
      const node = headerBytes + page.readUInt16LE(headerBytes + 2 * index);
      const low = page.readUInt32LE(node);
      const high = page.readUInt16LE(node + 4);
      const value = node + nodeHeaderBytes + page.readUInt16LE(node + 6);
      if (flags & branchFlag) walk(low + high * 2 ** 32, depth + 1);
      else if (!(flags & leafFlag)) throw new RangeError('not a page of the tree');
      else if (high & elsewhereFlag) addList(load(Number(page.readBigUInt64LE(value)), headerBytes, low));
      else addList(page.subarray(value, value + low));
    }
  };

  try {
    if (freeRoot !== noPage) walk(Number(freeRoot), 1);
  } catch (error) {
    // Read where there is nothing, or behind the end of a buffer.
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
  return found.size === end - start;
}
