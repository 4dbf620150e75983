import { closeSync, openSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../domain/limits.js';
import { onInterrupt } from './interrupt.js';
import { UsageError, unwritable } from './terminal.js';

const pollMs = 20;

/**
 * Runs `work` while a file of this path is there, which one process at a time can make; others wait for it to go. Throws `UsageError`
 * naming `argument` where it cannot be made, or stays for `limits.lockWaitMs`: who is killed leaves it behind.
 */
export async function withLockFile<T>(path: string, argument: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  while (!isMade(path, argument)) {
    if (performance.now() - began > limits.lockWaitMs) {
      throw new UsageError(`${argument}: ${path} does not go; where no other command is at work there, remove it`);
    }
    await setTimeout(pollMs);
  }
  const remove = () => rmSync(path, { force: true });
  const heedNoMore = onInterrupt(remove);
  try {
    return await work();
  } finally {
    heedNoMore();
    remove();
  }
}

function isMade(path: string, argument: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw unwritable(path, error, argument);
  }
}
