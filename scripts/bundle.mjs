// What the bundles of the build have in common: for Node, with the names of everything, each beside the built files.
import { relative } from 'node:path';
import { transform } from 'esbuild';
import { build } from 'vite';
import { root } from './setup.mjs';

const target = 'node20';

/**
 * For esbuild: takes out comments and white space and escapes letters beyond ASCII, since every start reads the files, and letters
 * beyond ASCII make it decode a whole one at half the speed. Lines stay short enough to be told apart in a stack.
 */
export const dense = { target, charset: 'ascii', legalComments: 'none', minifyWhitespace: true, lineLimit: 160 };

/** Those of regular expressions, which are left. */
export function escapeLetters(code) {
  return code.replace(/(?<!\\)[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

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

/** `input` names the entries. */
export async function bundle({ outDir, input, plugin }) {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [plugin, densely],
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
}

/** The way from a folder to a file, as modules write it. */
export function modulePath(folder, file) {
  const path = relative(folder, file).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
