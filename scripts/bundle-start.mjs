// What `merlon` and its threads run, as a few files in dist/start: resolving, opening and reading some three hundred
// modules of our own took a quarter of a start. The files that it begins with stay where they are and lead there;
// all other built modules stay, too, for whoever imports them.
import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bundle, modulePath } from './bundle.mjs';
import { root } from './setup.mjs';

const dist = join(root, 'dist');
const outDir = join(dist, 'start');

/** By their places in dist; `exports` is what is handed on. */
const entries = [
  { file: 'cli.js', exports: '' },
  { file: 'front/front-thread.js', exports: '' },
  { file: 'pool/worker.js', exports: '{ default } from ' },
  { file: 'pool/compile-worker.js', exports: '{ default } from ' },
];

/** Packages that find files beside themselves or have native parts, and those that are loaded only when asked for. */
const left = /^(?!\.{0,2}\/|\0)(?!commander$|limiter$|lru-cache$|picocolors$|@eslint-community\/regexpp$)/;

/** Modules name files beside them by their own address, which after this is another one. */
const addresses = {
  name: 'addresses',
  transform: (code, id) => {
    if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
    const address = `new URL('${modulePath(outDir, id)}', import.meta.url).href`;
    return { code: code.replaceAll('import.meta.url', address), map: null };
  },
};

rmSync(outDir, { recursive: true, force: true });
const input = Object.fromEntries(entries.map(({ file }) => [basename(file, '.js'), join(dist, file)]));
await bundle({ outDir, input, plugin: addresses, external: left });

for (const { file, exports } of entries) {
  const from = modulePath(dirname(file), join('start', basename(file)));
  const first = file === 'cli.js' ? '#!/usr/bin/env node\n' : '';
  writeFileSync(join(dist, file), `${first}${exports ? `export ${exports}` : 'import '}'${from}';\n`);
}
