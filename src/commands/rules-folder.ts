import { statSync } from 'node:fs';
import { readFolders } from '../config.js';
import { UsageError, unreadable } from './terminal.js';

/**
 * The folder of rule packs that the argument DIR names, or where it is left out the setting. Throws `UsageError` naming the one of
 * them that is no folder.
 */
export function existingRulesFolder(dir?: string): string {
  const folder = dir ?? readFolders(undefined).rulesFolder;
  const argument = dir === undefined ? 'MERLON_RULES' : 'DIR';
  if (isFolder(folder, argument)) return folder;
  throw new UsageError(`${argument}: there is no folder ${folder}`);
}

function isFolder(path: string, argument: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw unreadable(path, error, argument);
  }
}
