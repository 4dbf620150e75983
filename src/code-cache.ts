import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.js';

/** Node.js 22.1 and later; the types are those of 20. */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
/** One build has some 130 files; what is left of older ones goes with the rest. */
const filesMax = 1_000;

/**
 * Has Node.js 22 keep what V8 makes of the program's modules, which saves an eighth of a start; 20 cannot. Failures to
 * read or write it cost time, nothing else.
 */
export function keepCompiledCode(caching: string | undefined = cacheFolder()): void {
  if (!enableCompileCache || caching === undefined) return;
  const folder = join(caching, 'code');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const version of readdirSync(folder)) {
      const kept = join(folder, version);
      if (readdirSync(kept).length > filesMax) rmSync(kept, { recursive: true });
    }
  } catch {
    return;
  }
  enableCompileCache(folder);
}
