import { isError } from '../../src/domain/diagnostic.js';
import type { PolicyCode } from '../../src/domain/policy.js';
import type { Program } from '../../src/engine/program.js';
import type { ModelBytes } from '../../src/engine/program-layout.js';
import { compileRules } from '../../src/rules/compile.js';
import type { PatternSource } from '../../src/rules/pack-schema.js';
import type { LocatedRule } from '../../src/rules/ruleset.js';

type Change = Partial<LocatedRule['source']> & { readonly policy?: PolicyCode };

/** A program with one rule a pattern, for tests: rule index = place in the list. Throws where one does not compile. */
export function programOf(
  patterns: readonly PatternSource[],
  change: Change = {},
  models: readonly ModelBytes[] = [],
): Program {
  return programOfRules(
    patterns.map((pattern) => ({ patterns: [pattern], ...change })),
    models,
  );
}

/** The same with a rule for each list of what is special about it. Ids count up from LLM01-0001, whatever the policy. */
export function programOfRules(changes: readonly Change[], models: readonly ModelBytes[] = []): Program {
  const rules = changes.map(
    ({ policy = 'LLM01', ...change }, index): LocatedRule => ({
      policy,
      path: ['rules', index],
      pack: {
        file: 'test.yaml',
        value: undefined,
        diagnostic: (code, message) => ({ file: 'test.yaml', line: 1, column: 1, code, message }),
      },
      source: {
        id: `LLM01-${String(index + 1).padStart(4, '0')}`,
        label: `label-${index + 1}`,
        title: `Rule ${index + 1}`,
        severity: 'high',
        score: 0.6,
        why: 'test',
        misses: 'test',
        references: ['https://example.org/'],
        examples: { match: [], clean: [], near: [] },
        ...change,
      },
    }),
  );
  const { program, diagnostics } = compileRules(rules, { models });
  const errors = diagnostics.filter(isError);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return program;
}
