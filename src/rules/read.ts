import { readFileSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { limits } from '../domain/limits.js';
import { decodeUtf8, type TextPlace } from '../domain/utf8.js';
import type { Diagnostic } from './diagnostic.js';
import { filesBelow } from './files-below.js';

/** A rule file's text; `file` is relative to the folder that was read, with `/` on every platform. */
export interface RuleFile {
  readonly file: string;
  readonly text: string;
}

/** A learned model's bytes, as they lie in `models/NAME.model`. */
export interface ModelFile {
  readonly file: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface RuleFiles {
  readonly packs: readonly RuleFile[];
  readonly profiles: readonly RuleFile[];
  /** The list of retired ids, where there is one. */
  readonly retired?: RuleFile;
  /** The word classes of phrases, where there are any. */
  readonly words?: RuleFile;
  /** Not looked into yet. */
  readonly models: readonly ModelFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads all YAML files below a rules folder and its models, ordered by name. A file, folder or link that is
 * unreadable, not UTF-8 or too large is a diagnostic.
 */
export function readRuleFiles(folder: string): RuleFiles {
  const diagnostics: Diagnostic[] = [];
  const files: RuleFile[] = [];
  const nameOf = (path: string) => relative(folder, path).split(sep).join('/');
  const found = filesBelow(folder, (path, error) => diagnostics.push(unreadable(nameOf(path) || folder, error)));
  const paths = found.map((path) => ({ path, file: nameOf(path) }));
  for (const { path, file } of paths.filter((entry) => /\.ya?ml$/i.test(entry.file))) {
    try {
      const text = decodeUtf8(readFileSync(path));
      if (typeof text === 'string') files.push({ file, text });
      else diagnostics.push(notUtf8(file, text));
    } catch (error) {
      diagnostics.push(unreadable(file, error));
    }
  }
  const retired = files.find(({ file }) => file === 'retired.yaml');
  const words = files.find(({ file }) => file === 'lists/words.yaml');
  return {
    packs: files.filter((file) => file !== retired && !/^(?:lists|profiles)\//.test(file.file)),
    profiles: files.filter(({ file }) => file.startsWith('profiles/')),
    ...(retired ? { retired } : {}),
    ...(words ? { words } : {}),
    models: readModels(paths, diagnostics),
    diagnostics,
  };
}

function readModels(
  paths: readonly { readonly path: string; readonly file: string }[],
  diagnostics: Diagnostic[],
): readonly ModelFile[] {
  const report = (file: string, code: Diagnostic['code'], message: string): [] => {
    diagnostics.push({ file, line: 1, column: 1, code, message });
    return [];
  };
  const found = paths.flatMap(({ path, file }) => {
    const name = /^models\/([^/]+)\.model$/.exec(file)?.[1];
    return name === undefined ? [] : [{ path, file, name }];
  });
  for (const { file } of found.slice(limits.modelsMax)) report(file, 'E602', `more than ${limits.modelsMax} models`);
  return found.slice(0, limits.modelsMax).flatMap(({ path, file, name }) => {
    try {
      const { size } = statSync(path);
      if (size > limits.modelBytesMax) {
        return report(file, 'E602', `${size} bytes, and a model has ${limits.modelBytesMax} at the most`);
      }
      // Copied: a small file's bytes lie somewhere in a buffer that others share, and a model must be aligned.
      return [{ file, name, bytes: new Uint8Array(readFileSync(path)) }];
    } catch (error) {
      diagnostics.push(unreadable(file, error));
      return [];
    }
  });
}

/** The diagnostic of a file that cannot be read. */
export function unreadable(file: string, error: unknown): Diagnostic {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return { file, line: 1, column: 1, code: 'E107', message: `cannot be read (${reason})` };
}

/** The same of one that is no UTF-8. Rule and examples would be damaged alike, and so go well together. */
export function notUtf8(file: string, place: TextPlace): Diagnostic {
  return { file, ...place, code: 'E107', message: 'cannot be read (not valid UTF-8)' };
}
