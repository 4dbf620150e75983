// What the bundles of the build have in common: how dense their code is, and how they name each other.
import { relative } from 'node:path';

export const target = 'node20';

/**
 * For esbuild: takes out comments and white space and escapes letters beyond ASCII, since every start reads the files, and letters
 * beyond ASCII make it decode a whole one at half the speed. Lines stay short enough to be told apart in a stack.
 */
export const dense = { target, charset: 'ascii', legalComments: 'none', minifyWhitespace: true, lineLimit: 160 };

/** Those of regular expressions, which are left. */
export function escapeLetters(code) {
  return code.replace(/(?<!\\)[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The way from a folder to a file, as modules write it. */
export function modulePath(folder, file) {
  const path = relative(folder, file).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
