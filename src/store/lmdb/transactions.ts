import { openSync, readSync, writeSync } from 'node:fs';
import type { RootDatabase } from 'lmdb';
import { lockPath, magic } from './data-folder.js';

/*
 * LMDB takes the number of the last commit from its lock file. Whoever opens an environment reads that number in the data
 * file and, some system calls later, writes it into the lock file, without a lock (OpenLDAP's ITS#9496, mended in LMDB since,
 * not in 3.5 for Node). That hides what another process commits in between: readers see what was before, and the next
 * transaction takes the hidden one's number, and its place. So each transaction looks first, while nobody else can commit.
 *
 *   lock file: 0 magic u32 | 4 format u32 | 8 number of the last commit u64
 */
const lastCommitOffset = 8;

/** Each time another process has to open the folder while a third one commits. */
const triesMax = 8;

/** Transactions of an environment that take no other's place. */
export interface Transactions {
  /** See `Environment.write`. */
  write<T>(action: () => T): Promise<T>;
  /** See `Environment.writeNow`. */
  writeNow<T>(action: () => T): T;
}

/** Thrown in a transaction that would have taken the place of another; the next one will not. */
class HiddenCommitError extends Error {}

/** The transactions of an environment in `folder`. The look costs some microseconds. */
export function createTransactions(root: RootDatabase<Buffer, Buffer>, folder: string): Transactions {
  // Never closed: that would free the locks which LMDB has on this file for the whole process, as POSIX wants it.
  let lockFile: number | undefined;

  const checked = <T>(action: () => T): (() => T) => {
    return () => {
      const last = lastTransaction(root);
      if (root.getWriteTxnId() > last) return action();
      lockFile ??= openSync(lockPath(folder), 'r+');
      uncover(lockFile, last);
      throw new HiddenCommitError('other processes open the store all the time');
    };
  };

  const write = async <T>(action: () => T, tries = triesMax): Promise<T> => {
    try {
      return await root.childTransaction(checked(action));
    } catch (error) {
      if (error instanceof HiddenCommitError && tries > 1) return write(action, tries - 1);
      throw error;
    }
  };

  const writeNow = <T>(action: () => T, tries = triesMax): T => {
    try {
      return root.transactionSync(checked(action));
    } catch (error) {
      if (error instanceof HiddenCommitError && tries > 1) return writeNow(action, tries - 1);
      throw error;
    }
  };

  return { write: (action) => write(action), writeNow: (action) => writeNow(action) };
}

/** Number of the newest transaction in the data file. */
function lastTransaction(root: RootDatabase<Buffer, Buffer>): number {
  const { lastTxnId }: { readonly lastTxnId?: number } = root.getStats();
  if (lastTxnId === undefined) throw new Error('LMDB does not tell its last transaction');
  return lastTxnId;
}

/** Names the last commit again. */
function uncover(lockFile: number, last: number): void {
  const bytes = Buffer.alloc(lastCommitOffset + 8);
  readSync(lockFile, bytes, 0, bytes.length, 0);
  if (bytes.readUInt32LE() !== magic || bytes.readBigUInt64LE(lastCommitOffset) > last)
    throw new Error('the lock file is not as LMDB 3.5 has it');
  bytes.writeBigUInt64LE(BigInt(last), lastCommitOffset);
  writeSync(lockFile, bytes, lastCommitOffset, 8, lastCommitOffset);
}
