import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where what is compiled is kept between runs: `MERLON_CACHE`, else the user's cache folder (XDG base directory
 * specification); undefined when `MERLON_CACHE` is `off`.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.MERLON_CACHE === 'off') return undefined;
  return resolve(env.MERLON_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'merlon'));
}
