import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Diagnostic } from './diagnostic.js';

/** A rule file's text; `file` is relative to the folder that was read, with `/` on every platform. */
export interface RuleFile {
  readonly file: string;
  readonly text: string;
}

export interface RuleFiles {
  readonly packs: readonly RuleFile[];
  readonly profiles: readonly RuleFile[];
  /** The list of retired ids, where there is one. */
  readonly retired?: RuleFile;
  /** The word classes of phrases, where there are any. */
  readonly words?: RuleFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads all YAML files below a rules folder, ordered by name. An unreadable file or folder is a diagnostic. */
export function readRuleFiles(folder: string): RuleFiles {
  const diagnostics: Diagnostic[] = [];
  const files: RuleFile[] = [];
  for (const path of listYaml(folder, diagnostics)) {
    const file = relative(folder, path).split(sep).join('/');
    try {
      files.push({ file, text: readFileSync(path, 'utf8') });
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
    diagnostics,
  };
}

function listYaml(folder: string, diagnostics: Diagnostic[]): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    diagnostics.push(unreadable(folder, error));
    return [];
  }
}

function unreadable(file: string, error: unknown): Diagnostic {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return { file, line: 1, column: 1, code: 'E107', message: `cannot be read (${reason})` };
}
