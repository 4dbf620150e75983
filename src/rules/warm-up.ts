import type { Diagnostic } from './diagnostic.js';
import { warmUpSchema } from './pack-schema.js';
import type { RuleFile } from './read.js';
import { parseYamlFile } from './yaml-file.js';

/** Reads `lists/warm-up.yaml`: texts that ask for the regexes that ordinary ones ask for, to be scanned before those come. */
export function readWarmUp(file: RuleFile | undefined, diagnostics: Diagnostic[]): readonly string[] {
  if (!file) return [];
  const { parsed, diagnostics: problems } = parseYamlFile(file.file, file.text, warmUpSchema());
  diagnostics.push(...problems);
  return parsed?.value.texts ?? [];
}
