import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where what is compiled is kept between runs: `MERLON_CACHE`, else the user's cache folder (XDG base directory
 * specification); undefined when `MERLON_CACHE` is `off`.
 */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  homeOfUser: () => string = homedir,
): string | undefined {
  if (env.MERLON_CACHE === 'off') return undefined;
  return resolve(env.MERLON_CACHE || join(env.XDG_CACHE_HOME || join(homeFolder(homeOfUser), '.cache'), 'merlon'));
}

/** `/` for who has none, as container runtimes set it: that it cannot be written to is seen, and said, by whoever wants to. */
function homeFolder(homeOfUser: () => string): string {
  try {
    return homeOfUser() || '/';
  } catch {
    // The system does not know the user.
    return '/';
  }
}
