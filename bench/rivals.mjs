import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const rivals = new URL('rivals/', import.meta.url);

/**
 * Installs the rivals into `bench/rivals` where one of `wanted` is missing: they have a package file of their own, so
 * that no user of Merlon installs them.
 * @param {readonly string[]} wanted
 * @param {(text: string) => void} say
 */
export function installRivals(wanted, say) {
  if (wanted.every((name) => existsSync(new URL(`node_modules/${name}/`, rivals)))) return;
  say('installing the rivals from npm into bench/rivals (once)');
  const args = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: fileURLToPath(rivals), stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) say('the rivals could not be installed; going on without them');
}
