import { readFileSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { limits } from '../domain/limits.js';
import { systemCodeOf } from '../domain/system-error.js';
import { type TextPlace, utf8Fault } from '../domain/utf8.js';
import type { Diagnostic } from './diagnostic.js';
import { filesBelow } from './files-below.js';

/** A file's name, relative to the folder that was read, with `/` on every platform, and what it holds. */
export interface FileBytes {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** A rule file, of UTF-8: its text is made when it is asked for, which hardly any start does. */
export interface RuleFile extends FileBytes {
  readonly text: string;
}

/** A learned model's bytes, as they lie in `models/NAME.model`. */
export interface ModelFile extends FileBytes {
  readonly name: string;
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
      const bytes = readFileSync(path);
      const fault = utf8Fault(bytes);
      if (fault) diagnostics.push(notUtf8(file, fault));
      else files.push(ruleFile(file, bytes));
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

function ruleFile(file: string, bytes: Buffer): RuleFile {
  let text: string | undefined;
  return {
    file,
    bytes,
    get text() {
      text ??= bytes.toString();
      return text;
    },
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
  return { file, line: 1, column: 1, code: 'E107', message: `cannot be read (${systemCodeOf(error)})` };
}

/** The same of one that is no UTF-8. Rule and examples would be damaged alike, and so go well together. */
export function notUtf8(file: string, place: TextPlace): Diagnostic {
  return { file, ...place, code: 'E107', message: 'cannot be read (not valid UTF-8)' };
}
