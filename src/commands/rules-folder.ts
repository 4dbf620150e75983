import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
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

/** The path of a file of a rules folder as it is followed from the working directory: whole where it does not lie below that. */
export function pathFromHere(folder: string, file: string): string {
  const path = resolve(folder, file);
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

function isFolder(path: string, argument: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw unreadable(path, error, argument);
  }
}
