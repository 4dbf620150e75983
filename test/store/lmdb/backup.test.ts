import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { beginBackup } from '../../../src/store/lmdb/backup.js';
import { openLmdbStore } from '../../../src/store/lmdb/lmdb-store.js';
import { StoreError } from '../../../src/store/store.js';
import { organization, temporaryFolder } from '../samples.js';

async function folderWithData(): Promise<string> {
  const folder = temporaryFolder();
  const store = openLmdbStore(folder);
  await store.change((write) => write.organizations.put(organization()));
  await store.close();
  return folder;
}

describe('a backup into an empty folder', () => {
  test('is made in it and leaves the folder in its place, as a mount point must be', async () => {
    const target = temporaryFolder();
    chmodSync(target, 0o750);
    const before = statSync(target);
    const copy = beginBackup(await folderWithData(), target);
    expect(readdirSync(target), 'nothing that could be taken for the data').toEqual([
      expect.stringMatching(/^part-\w+$/),
    ]);
    const bytes = await copy.done;
    expect(readdirSync(target)).toEqual(['data.mdb']);
    const { ino, mode } = statSync(target);
    expect({ ino, mode }).toEqual({ ino: before.ino, mode: before.mode });
    const file = statSync(join(target, 'data.mdb'));
    expect([file.size, file.mode & 0o777]).toEqual([bytes, 0o600]);
    const store = openLmdbStore(target);
    expect(store.organizations.list()).toMatchObject([{ name: 'Example' }]);
    await store.close();
  });

  test('takes the place of no data that came there meanwhile, and leaves nothing else', async () => {
    const target = temporaryFolder();
    const copy = beginBackup(await folderWithData(), target);
    writeFileSync(join(target, 'data.mdb'), 'of somebody else');
    await expect(copy.done).rejects.toThrow(/^The data cannot be copied to .*: there are other data in it by now\.$/);
    expect(readdirSync(target)).toEqual(['data.mdb']);
    expect(readFileSync(join(target, 'data.mdb'), 'utf8')).toBe('of somebody else');
  });
});

test('data that cannot be seen are not called missing', () => {
  const folder = temporaryFolder();
  // A folder without permission would do, were it not for root, who has every one.
  symlinkSync('data.mdb', join(folder, 'data.mdb'));
  const begin = () => beginBackup(folder, join(temporaryFolder(), 'copy'));
  expect(begin).toThrow(StoreError);
  expect(begin).toThrow(/^The data folder .* cannot be used: ELOOP/);
});
