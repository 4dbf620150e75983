// What `merlon` and its threads run, as one file each in dist/start: resolving, opening and reading some three hundred
// modules of our own took a quarter of a start. CommonJS, because what V8 makes of it can be kept (`src/code-cache.ts`).
// The files that it begins with stay where they are and lead there; all other built modules stay, too, for whoever imports them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { dense, escapeLetters, modulePath } from './bundle.mjs';
import { root } from './setup.mjs';

const dist = join(root, 'dist');
const outdir = join(dist, 'start');

/** By their places in dist; those of threads that Piscina runs hand their function on. */
const entries = [
  { file: 'cli.js', first: '#!/usr/bin/env node\n', command: ', process.argv[2]' },
  { file: 'front/front-thread.js' },
  { file: 'pool/worker.js', hasDefault: true },
  { file: 'pool/compile-worker.js', hasDefault: true },
];

/** All other packages find files beside themselves, have native parts, or are loaded only when asked for. */
const bundled = new Set(['commander', 'limiter', 'lru-cache', 'picocolors', 'pino', '@eslint-community/regexpp']);

const parts = {
  name: 'parts',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) =>
      importer.startsWith(dist) && !bundled.has(path) ? { path, external: true } : undefined,
    );
    // Modules name files beside them by their own address, which after this is another one.
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(dist)) return undefined;
      const place = JSON.stringify(relative(outdir, path));
      const address = `require('node:url').pathToFileURL(require('node:path').join(__dirname, ${place})).href`;
      const source = readFileSync(path, 'utf8').replaceAll('import.meta.url', address);
      return { contents: source.replace(/\bimport\((?='[^.])/g, 'importPackage(') };
    });
  },
};

rmSync(outdir, { recursive: true, force: true });
const options = { ...dense, bundle: true, platform: 'node', outdir, plugins: [parts], write: false };
const load = await build({ ...options, entryPoints: { load: join(dist, 'code-cache.js') }, format: 'esm' });
const scripts = await build({
  ...options,
  entryPoints: Object.fromEntries(entries.map(({ file }) => [basename(file, '.js'), join(dist, file)])),
  format: 'cjs',
  entryNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  supported: { 'dynamic-import': false },
  // Of a script whose code was kept Node.js 20 does not know how to import.
  banner: { js: 'const importPackage=module.importPackage??((name)=>import(name));' },
});

mkdirSync(outdir);
for (const { path, text } of [...load.outputFiles, ...scripts.outputFiles]) writeFileSync(path, escapeLetters(text));
for (const entry of entries) {
  const name = basename(entry.file, '.js');
  const built = scripts.outputFiles.find(({ path }) => basename(path).startsWith(`${name}-`));
  writeFileSync(join(dist, entry.file), leadTo(basename(built.path), entry));
}

/** What stands where an entry was: runs the bundle, and hands on what it exports. */
function leadTo(built, { file, first = '', command = '', hasDefault = false }) {
  const to = (name) => modulePath(dirname(file), join('start', name));
  const run = `runBundle(fileURLToPath(new URL('${to(built)}', import.meta.url))${command})`;
  const imports = `import { fileURLToPath } from 'node:url';\nimport { runBundle } from '${to('load.js')}';\n`;
  return `${first}${imports}${hasDefault ? `export default ${run}.default` : run};\n`;
}
