import { join } from 'node:path';
import { cacheFolder } from './config.js';
import type { BuildInfo } from './guard/build-info.js';
import type { CompilerCache } from './pool/protocol.js';
import { type CompiledRules, loadCompiledRules } from './rules/load.js';
import { openProgramCache } from './rules/program-cache.js';

/**
 * The rules of a folder, ready to scan with: from the cache where this build compiled these very files before. Throws
 * `RulesError` with all errors.
 */
export function loadRules(folder: string, { buildId }: BuildInfo): CompiledRules {
  const place = shippedRulesCache({ buildId });
  return loadCompiledRules(folder, place && openProgramCache(place.folder, place.compilerId));
}

/** Where the compiled shipped rules are kept. Undefined where nothing is kept. */
export function shippedRulesCache({ buildId }: Pick<BuildInfo, 'buildId'>): CompilerCache | undefined {
  const caching = cacheFolder();
  return caching && buildId ? { folder: caching, compilerId: buildId } : undefined;
}

/**
 * Where compiled rules of organizations are kept: apart from the shipped ones, which they must not crowd out. Undefined
 * where nothing is kept.
 */
export function customRulesCache({ buildId }: BuildInfo): CompilerCache | undefined {
  const caching = cacheFolder();
  return caching && buildId ? { folder: join(caching, 'organizations'), compilerId: buildId } : undefined;
}
