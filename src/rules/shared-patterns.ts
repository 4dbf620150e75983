import type { Diagnostic, DiagnosticCode } from './diagnostic.js';
import type { RuleSource } from './pack-schema.js';
import type { LocatedRule } from './ruleset.js';

/**
 * For each rule that says `patterns_of` the index of the rule whose patterns are meant; undefined for all others, and
 * where it names none that has patterns to share, which is reported. What is no hit of shared patterns is decided where they are run,
 * once for all their rules: exceptions beside `patterns_of` do nothing, which is warned of.
 */
export function shareOutPatterns(rules: readonly LocatedRule[]): {
  readonly patternsOf: readonly (number | undefined)[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const places = new Map<string, number>();
  rules.forEach(({ source: { id } }, index) => {
    if (!places.has(id)) places.set(id, index);
  });
  const patternsOf = rules.map(({ source, pack, path }) => {
    const { id, patterns_of } = source;
    if (patterns_of === undefined) return undefined;
    const report = (code: DiagnosticCode, message: string, key: keyof RuleSource = 'patterns_of'): void => {
      diagnostics.push(pack.diagnostic(code, `${id}: ${message}`, [...path, key]));
    };
    for (const key of ['unless_before', 'unless_after'] as const) {
      if (source[key] === undefined) continue;
      report('W505', `${key} does nothing beside patterns_of: what is no hit is said by ${patterns_of}`, key);
    }
    const place = places.get(patterns_of);
    const problem = place === undefined ? undefined : sharingProblem(rules[place]);
    if (place === undefined) report('E209', `there is no rule ${patterns_of}`);
    else if (problem) report('E210', problem);
    return problem ? undefined : place;
  });
  return { patternsOf, diagnostics };
}

/** Why no other rule can have the patterns of this one. */
function sharingProblem({ source: { id, patterns, patterns_of } }: LocatedRule): string | undefined {
  if (patterns_of !== undefined) return `${id} has no patterns of its own: they are those of ${patterns_of}`;
  // What a detector finds is of its rule: a model answers for the rule's policy.
  if (patterns?.some((pattern) => 'detect' in pattern))
    return `${id} has a detector, which is named where it is wanted`;
  return undefined;
}
