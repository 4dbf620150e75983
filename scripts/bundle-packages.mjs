// Packages of many small files, as one file each in dist/packages, for what was built: opening 683 files of typebox took
// the start of every command 0.3 s, one file takes 20 ms. Sources and tests import the packages themselves.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { build } from 'vite';
import { dense, escapeLetters, modulePath, target } from './bundle.mjs';
import { root } from './setup.mjs';

const bundled = ['typebox', 'typebox/compile', 'typebox/value', 'yaml', 'prom-client'];

const dist = join(root, 'dist');
const outDir = join(dist, 'packages');
const fileNames = new Map(bundled.map((name) => [name, name.replace('/', '-')]));
const prefix = '\0bundled:';

/** An entry for each package that names its exports: `export *` would lose those of CommonJS. */
const entries = {
  name: 'entries',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(prefix) ? id : null),
  load: async (id) => {
    if (!id.startsWith(prefix)) return null;
    const name = id.slice(prefix.length);
    const exported = Object.keys(await import(name)).filter((key) => key !== 'module.exports');
    return `export { ${exported.join(', ')} } from '${name}';`;
  },
};

const densely = {
  name: 'dense',
  generateBundle: async (_, chunks) => {
    for (const chunk of Object.values(chunks)) {
      if (chunk.type !== 'chunk') continue;
      const { code } = await transform(chunk.code, { ...dense, format: 'esm' });
      chunk.code = escapeLetters(code);
    }
  },
};

const input = Object.fromEntries([...fileNames].map(([name, file]) => [file, prefix + name]));
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  plugins: [entries, densely],
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    outDir,
    target,
    minify: false,
    rolldownOptions: {
      input,
      output: { entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' },
    },
  },
});

const imported = new RegExp(`(?<=\\b(?:from|import) ?\\(?)'(${bundled.join('|')})'`, 'g');
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const folder = entry.parentPath;
  if (!entry.name.endsWith('.js') || folder.startsWith(outDir) || folder.startsWith(join(dist, 'dashboard'))) continue;
  const file = join(folder, entry.name);
  const source = readFileSync(file, 'utf8');
  const built = source.replace(
    imported,
    (_, name) => `'${modulePath(dirname(file), join(outDir, `${fileNames.get(name)}.js`))}'`,
  );
  if (built !== source) writeFileSync(file, built);
}
