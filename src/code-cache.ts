import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { cacheFolder } from './cache-folder.js';
import { makeFolder } from './domain/make-folder.js';
import { keepChecked, readChecked } from './rules/cache-files.js';

/** Node.js 22.1 and later; the types are those of 20. */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
const suffix = '.code';
/** Of 2 MB at the most; a build has a dozen, one for each command that is used. */
const filesMax = 24;
/** Of one version of Node.js 22, whose files are small and many. What is left of older builds goes with the rest. */
const versionFilesMax = 1_000;
/** A service that goes on for long has run by then what a start runs. */
const keepAfterMs = 5_000;
/** What is kept is of what ended well: 0, or 1 where something was found. */
const exitCodeMax = 1;

/**
 * Runs a bundle of the build, CommonJS in one file whose name changes with its content, and gives what it exports. What V8
 * makes of it is kept in the cache folder, which saves a quarter of a start: by Node.js 22 itself, for 20 here, one file for
 * each `command`, for they run different parts. Failures to read or write it cost time, nothing else.
 */
export function runBundle(path: string, command = '', caching: string | undefined = cacheFolder()): unknown {
  const require = createRequire(path);
  if (caching === undefined) return require(path);
  const folder = join(caching, 'code');
  if (enableCompileCache) {
    if (isKept(folder)) enableCompileCache(folder);
    return require(path);
  }
  const file = join(folder, `${nameOf(path, command)}${suffix}`);
  // V8 itself believes what it is given.
  const kept = readChecked(file);
  const script = new Script(module.wrap(readFileSync(path, 'latin1')), {
    filename: path,
    ...(kept && { cachedData: kept }),
  });
  if (!kept || script.cachedDataRejected) keepLater(script, file);
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  const bundle = { exports: {}, importPackage: (name: string): Promise<unknown> => import(name) };
  run.call(bundle.exports, bundle.exports, require, bundle, path, dirname(path));
  return bundle.exports;
}

/** Named by all that V8 asks of what it is given, its flags among them. */
function nameOf(path: string, command: string): string {
  const { version, arch, execArgv, env } = process;
  const asked = [path, /^[a-z]{1,12}$/.test(command) ? command : '', version, arch, execArgv, env.NODE_OPTIONS ?? ''];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 32);
}

/** When the process ends, or in a while: what has run by then is what the next one runs. */
function keepLater(script: Script, file: string): void {
  const keep = (code: number | string = 0) => {
    process.off('exit', keep);
    clearTimeout(timer);
    if (Number(code) <= exitCodeMax) keepChecked(file, script.createCachedData(), suffix, filesMax);
  };
  const timer = setTimeout(keep, keepAfterMs);
  timer.unref();
  process.on('exit', keep);
}

/** Makes room for what Node.js 22 keeps, a folder for each of its versions. False where nothing can be kept. */
function isKept(folder: string): boolean {
  try {
    makeFolder(folder, 0o700);
    for (const version of readdirSync(folder, { withFileTypes: true })) {
      const kept = join(folder, version.name);
      if (version.isDirectory() && readdirSync(kept).length > versionFilesMax) rmSync(kept, { recursive: true });
    }
    return true;
  } catch {
    return false;
  }
}
