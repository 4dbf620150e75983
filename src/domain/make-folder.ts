import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing, each with this mode; throws what the system says. One by one, because with
 * `recursive` Node.js goes on for ever where a folder exists and none can be made in it: /proc says that it does not exist.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const path = resolve(folder);
  const above = dirname(path);
  if (above !== path && !existsSync(above)) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // It was there, or somebody else has made it meanwhile.
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}
