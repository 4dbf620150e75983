import { join } from 'node:path';
import { cacheFolder } from './config.js';
import { decodeProgram } from './engine/program-layout.js';
import type { BuildInfo } from './guard/build-info.js';
import type { CompilerCache } from './pool/protocol.js';
import { createRulesCompiler, faultText } from './pool/rules-compiler.js';
import { type CompiledRules, findCompiledRules, loadCompiledRules, RulesError } from './rules/load.js';
import { openProgramCache } from './rules/program-cache.js';

/**
 * The rules of a folder, ready to scan with: from the cache where this build compiled these very files before. Throws
 * `RulesError` with all errors.
 */
export function loadRules(folder: string, { buildId }: BuildInfo): CompiledRules {
  const place = shippedRulesCache({ buildId });
  return loadCompiledRules(folder, place && openProgramCache(place.folder, place.compilerId));
}

/**
 * The same for a process that goes on for long: rules that are not in the cache are compiled on a thread of their own, which
 * ends with all the memory that it took, some 130 MB.
 */
export async function loadRulesApart(folder: string, { buildId }: BuildInfo): Promise<CompiledRules> {
  const shippedCache = shippedRulesCache({ buildId });
  const found =
    shippedCache && findCompiledRules(folder, openProgramCache(shippedCache.folder, shippedCache.compilerId));
  if (found) return found;
  const compiler = createRulesCompiler({ shippedIds: [], rulesFolder: folder, cache: undefined, shippedCache });
  try {
    const loaded = await compiler.load();
    if ('errors' in loaded) throw new RulesError(loaded.errors.map(faultText).join('\n'));
    return { program: decodeProgram(loaded.program), profiles: loaded.profiles };
  } finally {
    await compiler.close();
  }
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
