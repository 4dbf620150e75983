import { accessSync, constants, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.js';
import { makeFolder } from './domain/make-folder.js';
import { decodeProgram } from './engine/program-layout.js';
import type { BuildInfo } from './guard/build-info.js';
import type { CompilerCache } from './pool/protocol.js';
import { createRulesCompiler } from './pool/rules-compiler.js';
import type { CompileProgress } from './rules/compile.js';
import { type CompiledRules, findCompiledRules, loadCompiledRules, loadRuleset, type Ruleset } from './rules/load.js';
import { openProgramCache, type ProgramCache } from './rules/program-cache.js';
import { RulesError } from './rules/rules-error.js';

/**
 * Told before rules are compiled, which takes half a minute of one core for the shipped ones. `unkept` is why what comes
 * of it cannot be kept, so that every start will compile them; undefined where it can, or shall not. Gives who is told how far that is,
 * where somebody looks on.
 */
export type Compiling = (unkept: Error | undefined) => CompileProgress | undefined;

/**
 * The rules of a folder, ready to scan with: from the cache where this build compiled these very files before. Throws
 * `RulesError` with all errors.
 */
export function loadRules(folder: string, { buildId }: BuildInfo, compiling?: Compiling): CompiledRules {
  const place = shippedRulesCache({ buildId });
  return loadCompiledRules(folder, openCache(place), () => compiling?.(whyUnkept(place)));
}

/** The rules of a folder with all that is to be said of them, compiled anew; what is sound is in the cache from then on. */
export function compileRuleset(folder: string, build: Pick<BuildInfo, 'buildId'>, progress?: CompileProgress): Ruleset {
  return loadRuleset(folder, openCache(shippedRulesCache(build)), progress);
}

function openCache(place: CompilerCache | undefined): ProgramCache | undefined {
  return place && openProgramCache(place.folder, place.compilerId);
}

/**
 * The same for a process that goes on for long: rules that are not in the cache are compiled on a thread of their own, which
 * ends with all the memory that it took, some 130 MB.
 */
export async function loadRulesApart(
  folder: string,
  { buildId }: BuildInfo,
  compiling?: Compiling,
): Promise<CompiledRules> {
  const shippedCache = shippedRulesCache({ buildId });
  const found =
    shippedCache && (await findCompiledRules(folder, openProgramCache(shippedCache.folder, shippedCache.compilerId)));
  if (found) return found;
  compiling?.(whyUnkept(shippedCache));
  const compiler = createRulesCompiler({
    shippedIds: [],
    rulesFolder: folder,
    cache: undefined,
    shippedCache,
  });
  try {
    const loaded = await compiler.load();
    if ('refused' in loaded) throw new RulesError(loaded.refused.message, loaded.refused.diagnostics);
    return { program: decodeProgram(loaded.program), profiles: loaded.profiles };
  } finally {
    await compiler.close();
  }
}

/** What the shipped rules take when they are compiled, and some of one's own. */
const keptMiB = 64;

function whyUnkept(place: CompilerCache | undefined): Error | undefined {
  if (!place) return undefined;
  try {
    makeFolder(place.folder, 0o700);
    accessSync(place.folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(place.folder);
    const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
    return freeMiB < keptMiB ? new Error(`ENOSPC: ${freeMiB} MiB are free, and ${keptMiB} are needed`) : undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
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
