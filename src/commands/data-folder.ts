import { existsSync } from 'node:fs';
import { readFolders } from '../config.js';
import { hasData } from '../store/lmdb/data-folder.js';
import { UsageError } from './terminal.js';

/**
 * The folders of a command that works on data there are: as `readFolders`, but throws `UsageError` where there are none, for
 * what a command made there would take the first run its admin. Throws `StoreError` where that cannot be seen.
 */
export function existingFolders(data: string | undefined): ReturnType<typeof readFolders> {
  const folders = readFolders(data);
  if (hasData(folders.dataFolder)) return folders;
  const { dataFolder } = folders;
  const missing = existsSync(dataFolder)
    ? `there are no data in ${dataFolder}; \`merlon serve\` makes them`
    : `there is no folder ${dataFolder}; \`merlon serve\` makes one`;
  throw new UsageError(`--data: ${missing} on its first run`);
}
