import type { Diagnostic } from './diagnostic.js';
import { wordsSchema } from './pack-schema.js';
import type { RuleFile } from './read.js';
import { parseYamlFile } from './yaml-file.js';

/** Word classes by name, each as the options of a phrase group: `ignore|disregard|pay no attention to`. */
export type WordClasses = ReadonlyMap<string, string>;

/** Reads `lists/words.yaml`. A class is what its words are: it cannot be made of other classes. */
export function readWordClasses(file: RuleFile | undefined, diagnostics: Diagnostic[]): WordClasses {
  if (!file) return new Map();
  const { parsed, diagnostics: problems } = parseYamlFile(file.file, file.text, wordsSchema());
  diagnostics.push(...problems);
  return new Map(Object.entries(parsed?.value.words ?? {}).map(([name, words]) => [name, words.join('|')]));
}

/**
 * A phrase with every `{name}` written out as a group of its words. `unknown` is told of names that are no class;
 * those stay as they are.
 */
export function expandWords(phrase: string, classes: WordClasses, unknown: (name: string) => void): string {
  return phrase.replace(/(?<!\\)\{([a-z][a-z0-9-]*)\}/g, (written, name: string) => {
    const options = classes.get(name);
    if (options === undefined) unknown(name);
    return options === undefined ? written : `(${options})`;
  });
}
