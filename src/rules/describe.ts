import { limits } from '../domain/limits.js';
import type { RuleEntry } from '../domain/rule-entry.js';
import { roleClasses } from '../engine/program.js';
import { kindsOf } from '../engine/view/kinds.js';
import { viewsOf } from './compile.js';
import { textOf } from './examples.js';
import { readRules } from './load.js';
import type { ExampleSource } from './pack-schema.js';

/** The rules of a folder as people read about them, in the order of the packs. Reads and parses every pack: 0.2 s. */
export function describeRules(folder: string): readonly RuleEntry[] {
  return readRules(folder).map((rule) => {
    const { policy, source } = rule;
    const { match, clean, near } = source.examples;
    return {
      id: source.id,
      policy,
      label: source.label,
      title: source.title,
      severity: source.severity,
      score: source.score,
      why: source.why,
      misses: source.misses,
      references: source.references,
      roles: source.roles ?? Object.keys(roleClasses),
      views: kindsOf(viewsOf(rule)),
      examples: { match: shown(match), clean: shown(clean), near: shown(near) },
    };
  });
}

function shown(examples: readonly ExampleSource[]): readonly string[] {
  return examples
    .slice(0, limits.ruleExamplesMax)
    .map((example) => textOf(example).slice(0, limits.ruleExampleUnitsMax));
}
