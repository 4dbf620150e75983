// What `npm start` and `npm test` do first on a fresh clone: install from the lock file and build, each only when
// needed. Plain JavaScript without dependencies, because nothing is installed yet. Speaks on standard error.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const buildStamp = join(root, 'dist', '.merlon-build');
/** Where tests and `npm run check` keep compiled rules: whoever comes first compiles them for all, and nothing is left outside the clone. */
export const rulesCache = join(root, 'node_modules', '.cache', 'merlon');

/** Installs and builds what is missing or stale. Ends the process with a sentence when it cannot. */
export function setUp() {
  requireNode();
  if (!isInstalled()) {
    say('installing packages from the lock file (about a minute; re2 may be compiled) …');
    run('npm', ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error']);
  }
  if (!existsSync(buildStamp) || readFileSync(buildStamp, 'utf8') !== buildHash()) {
    say('building …');
    run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
  }
}

/** Runs a program in the project's root with our terminal; ends the process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
    ...options,
  });
  if (result.status === 0) return;
  say(`${command} ${args.join(' ')} failed${result.error ? `: ${result.error.message}` : ''}`);
  process.exit(result.status ?? 1);
}

export function say(text) {
  process.stderr.write(`merlon: ${text}\n`);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if ((major === 20 && minor >= 20) || major === 22) return;
  say(`needs Node.js 20.20 or newer of 20, or 22; this is ${process.version}`);
  process.exit(2);
}

/**
 * True if what is installed is what the lock file asks for, and its native part loads in this Node: another version
 * of Node needs another build of it.
 */
function isInstalled() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const isThere = ([path, { version, optional }]) => path === '' || optional || present[path]?.version === version;
  if (!Object.entries(wanted).every(isThere)) return false;
  try {
    createRequire(import.meta.url)('re2');
    return true;
  } catch {
    return false;
  }
}

/** Of everything that the build reads. */
export function sourceHash() {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const parts = sources.flatMap((file) => [file.slice(root.length), readFileSync(file)]);
  return hash([readFileSync(join(root, 'tsconfig.json')), ...parts]);
}

/** The revision counts too, because the build notes it. */
export function buildHash() {
  const git = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return hash([process.versions.modules, git.stdout ?? '', sourceHash()]);
}

function hash(parts) {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part).update('\0');
  return sha.digest('hex');
}
