// What `npm start` and `npm test` do first on a fresh clone: install from the lock file and build, each only when
// needed. Plain JavaScript without dependencies, because nothing is installed yet. Speaks on standard error.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installStamp = join(root, 'node_modules', '.merlon-install');
const buildStamp = join(root, 'dist', '.merlon-build');

/** Installs and builds what is missing or stale. Ends the process with a sentence when it cannot. */
export function setUp() {
  requireNode();
  const install = installHash();
  if (readOr(installStamp) !== install) {
    say('installing packages from the lock file (about a minute; re2 may be compiled) …');
    run('npm', ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error']);
    mkdirSync(dirname(installStamp), { recursive: true });
    writeFileSync(installStamp, install);
  }
  const build = buildHash(install);
  if (readOr(buildStamp) !== build) {
    say('building …');
    run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
    writeFileSync(buildStamp, build);
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

/** A new lock file, another Node or another platform asks for a new install. */
function installHash() {
  return hash([
    readFileSync(join(root, 'package-lock.json')),
    process.versions.modules,
    process.platform,
    process.arch,
  ]);
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
function buildHash(install) {
  const git = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return hash([install, git.stdout ?? '', sourceHash()]);
}

function hash(parts) {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part).update('\0');
  return sha.digest('hex');
}

function readOr(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
