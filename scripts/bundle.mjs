// What the bundles of the build have in common: for Node, readable, each beside the built files.
import { relative } from 'node:path';
import { build } from 'vite';
import { root } from './setup.mjs';

/** `input` names the entries; `external` says what is left to be imported as it is. */
export async function bundle({ outDir, input, plugin, external }) {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [plugin],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input,
        ...(external && { external }),
        output: { entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' },
      },
    },
  });
}

/** The way from a folder to a file, as modules write it. */
export function modulePath(folder, file) {
  const path = relative(folder, file).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
