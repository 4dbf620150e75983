// Builds the page of src/dashboard into dist/dashboard, with a brotli and a gzip copy beside each file, and says what a
// browser loads before it paints. Fails when that is more than `firstPaintBytesMax` on any page.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { root, say } from './setup.mjs';

/** Of gzip copies: browsers ask for brotli over https only. */
const firstPaintBytesMax = 100 * 1024;
/** Below it a copy saves no packet. */
const compressedFromBytes = 1024;
const compressible = /\.(html|js|css|svg|json)$/;
// Tests that build must build what everybody else builds.
process.env.NODE_ENV = 'production';
const outDir = join(root, 'dist', 'dashboard');

await build({
  configFile: false,
  root: join(root, 'src', 'dashboard'),
  base: '/dashboard/',
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    manifest: 'manifest.json',
    // The page may load nothing from a data: address but images, and its script puts no code into the document.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

const manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'));
rmSync(join(outDir, 'manifest.json'));
const sizes = new Map(
  readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(outDir.length + 1), compress(file)]),
);

const bytesOf = (files) => files.reduce((sum, file) => sum + sizes.get(file), 0);
const frame = ['index.html', ...loadedWith('index.html', new Set())];
const pages = Object.entries(manifest)
  .filter(([, { isDynamicEntry }]) => isDynamicEntry)
  .map(([key, { name }]) => ({ name, files: [...new Set([...frame, ...loadedWith(key, new Set())])] }))
  .sort((a, b) => bytesOf(b.files) - bytesOf(a.files));
const [largest] = pages;
const largestBytes = bytesOf(largest.files);
const allBytes = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
say(
  `dashboard: ${kilobytes(bytesOf(frame))} before the sign-in, ${kilobytes(largestBytes)} before the largest of ` +
    `${pages.length} pages (${largest.name}), ${kilobytes(allBytes)} in all (gzip)`,
);
if (largestBytes > firstPaintBytesMax) {
  say(`dashboard: ${largest.name} loads more than ${kilobytes(firstPaintBytesMax)}: ${largest.files.join(', ')}`);
  process.exit(1);
}

/** Writes the compressed copies; gives the bytes that a browser loads. */
function compress(file) {
  const bytes = readFileSync(file);
  if (!compressible.test(file) || bytes.length < compressedFromBytes) return bytes.length;
  const gzip = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
  writeFileSync(`${file}.gz`, gzip);
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  );
  return gzip.length;
}

/** Files that come with an entry of the manifest: scripts and styles, but nothing that is loaded later. */
function loadedWith(key, seen) {
  if (seen.has(key)) return [];
  seen.add(key);
  const { file, css = [], imports = [] } = manifest[key];
  return [file, ...css, ...imports.flatMap((next) => loadedWith(next, seen))];
}
