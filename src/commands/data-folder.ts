import { existsSync } from 'node:fs';
import { readFolders } from '../config.js';
import { UsageError } from './terminal.js';

/** The folders of a command that works on data there are: as `readFolders`, but throws `UsageError` where there is no data folder. */
export function existingFolders(data: string | undefined): ReturnType<typeof readFolders> {
  const folders = readFolders(data);
  if (existsSync(folders.dataFolder)) return folders;
  throw new UsageError(`--data: there is no folder ${folders.dataFolder}; \`merlon serve\` makes one on its first run`);
}
