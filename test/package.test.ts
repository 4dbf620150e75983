import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

it('the package holds what it points to, and no maps to sources that it does not hold', async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  const [{ files }] = JSON.parse(stdout) as readonly Packed[];
  const paths = new Set(files.map(({ path }) => path));
  const { bin, exports } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  const pointedTo = [...Object.values<string>(bin), ...Object.values<string>(exports['.'])];
  for (const path of [...pointedTo, 'rules/README.md', 'rules/profiles/default.yaml', 'dist/dashboard/index.html']) {
    expect(paths, path).toContain(path.replace(/^\.\//, ''));
  }
  expect([...paths].filter((path) => /\.map$|^(?:src|test|node_modules)\//.test(path))).toEqual([]);
});
