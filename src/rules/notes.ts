import { limits } from '../domain/limits.js';
import type { RuleNotes } from '../domain/rule-entry.js';
import { textOf } from './examples.js';
import type { ExampleSource } from './pack-schema.js';
import type { LocatedRule } from './ruleset.js';

/** What a program has of its rules for people to read. */
export function notesOf({ source }: LocatedRule): RuleNotes {
  const { match, clean, near } = source.examples;
  const { why, misses } = source;
  return { why, misses, examples: { match: shown(match), clean: shown(clean), near: shown(near) } };
}

function shown(examples: readonly ExampleSource[]): readonly string[] {
  return examples
    .slice(0, limits.ruleExamplesMax)
    .map((example) => textOf(example).slice(0, limits.ruleExampleUnitsMax));
}
