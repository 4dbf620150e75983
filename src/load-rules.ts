import { cacheFolder } from './config.js';
import type { BuildInfo } from './guard/build-info.js';
import { type CompiledRules, loadCompiledRules } from './rules/load.js';
import { openProgramCache } from './rules/program-cache.js';

/**
 * The rules of a folder, ready to scan with: from the cache where this build compiled these very files before. Throws
 * `RulesError` with all errors.
 */
export function loadRules(folder: string, { buildId }: BuildInfo): CompiledRules {
  const caching = cacheFolder();
  return loadCompiledRules(folder, caching && buildId ? openProgramCache(caching, buildId) : undefined);
}
