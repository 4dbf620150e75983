import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Backup, beginBackup } from '../store/lmdb/backup.js';
import { existingFolders } from './data-folder.js';
import { onInterrupt } from './interrupt.js';
import { startProgress } from './progress.js';
import { note, print, UsageError } from './terminal.js';

export interface BackupOptions {
  readonly data?: string;
  readonly json?: true;
}

/** Time between two looks at how far the copy is. */
const lookMs = 200;

/** `merlon backup`: the data as they are now, in a folder of their own. */
export async function backup(folder: string, options: BackupOptions): Promise<void> {
  const { dataFolder } = existingFolders(options.data);
  const target = resolve(folder);
  if (existsSync(target) && !isEmptyFolder(target))
    throw new UsageError(`DIR: ${folder} is there and is no empty folder`);
  let copy: Backup | undefined;
  let stopWatching = () => {};
  // Before there is anything to remove: a signal may come at once.
  const heedNoMore = onInterrupt(() => {
    stopWatching();
    copy?.abandon();
  });
  copy = beginBackup(dataFolder, target);
  stopWatching = watch(copy);
  let bytes: number;
  try {
    bytes = await copy.done;
  } finally {
    stopWatching();
    heedNoMore();
  }
  if (options.json) print(JSON.stringify({ folder: target, bytes }));
  else
    note(
      `${(bytes / 1e6).toFixed(1)} MB copied to ${target}; \`merlon serve --data ${shellWord(target)}\` starts from it`,
    );
}

/** Shows how far it is. */
function watch(copy: Backup): () => void {
  const progress = startProgress('copying', copy.progress().all);
  const looking = setInterval(() => progress.advance(copy.progress().copied), lookMs);
  return () => {
    clearInterval(looking);
    progress.stop();
  };
}

/** A path as it is pasted into a shell. */
function shellWord(path: string): string {
  if (/^[\w./:@%+,=-]+$/.test(path)) return path;
  return process.platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

function isEmptyFolder(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).length === 0;
}
