import { once } from 'node:events';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEnvironment } from '../../../src/store/lmdb/environment.js';
import { temporaryFolder } from '../samples.js';
import { startChild } from './child.js';

function begin() {
  const folder = temporaryFolder();
  const environment = openEnvironment(folder);
  onTestFinished(() => environment.close());
  const table = environment.openTable('rows');
  const put = (key: string) => table.putSync(Buffer.from(key), Buffer.from(key));
  const keys = () => environment.read(() => [...table.getKeys()].map((key) => key.toString()));
  return { folder, environment, put, keys };
}

test('what is committed stays while other processes open the folder again and again', async () => {
  const { folder, environment, put, keys } = begin();
  const child = startChild('open-often', [folder]);
  await child.printed(1);
  const written: string[] = [];
  while (child.lines.length < 20) {
    const key = String(written.length).padStart(6, '0');
    await environment.write(() => put(key));
    written.push(key);
  }
  child.process.kill('SIGKILL');
  await once(child.process, 'close');
  await environment.write(() => put('last'));
  expect(keys()).toEqual([...written, 'last']);
});

/** Writes another number into the lock file, as a process that opens the folder does; gives the one that was there. */
function nameLastCommit(folder: string, change: (last: bigint) => bigint): bigint {
  const file = openSync(join(folder, 'lock.mdb'), 'r+');
  // Only then: to close it frees the locks of this process on it.
  onTestFinished(() => closeSync(file));
  const bytes = Buffer.alloc(8);
  readSync(file, bytes, 0, 8, 8);
  const last = bytes.readBigUInt64LE();
  bytes.writeBigUInt64LE(change(last));
  writeSync(file, bytes, 0, 8, 8);
  return last;
}

test('a hidden commit is there again with the next transaction, of either kind, and one that does nothing', async () => {
  const { folder, environment, put, keys } = begin();
  const hide = () => nameLastCommit(folder, (last) => last - 1n);
  await environment.write(() => put('a'));
  const last = hide();
  await environment.write(() => put('b'));
  expect(nameLastCommit(folder, (number) => number)).toBe(last + 1n);
  hide();
  environment.writeNow(() => put('c'));
  hide();
  await environment.write(() => {});
  expect(keys()).toEqual(['a', 'b', 'c']);
  hide();
  const outcomes = await Promise.all(['d', 'e', 'f'].map((key) => environment.write(() => put(key))));
  expect(outcomes).toHaveLength(3);
  expect(keys()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(environment.health()).toEqual({ ok: true });
});
