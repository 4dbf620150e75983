import { policyCodes } from '../domain/policy.js';
import { compileProfile, type ProfileSource } from '../engine/judge/profile.js';
import { learnedRulesOf } from '../engine/learned/learned-rules.js';
import { allRoles, type Program } from '../engine/program.js';
import { createScanner, type Scanner } from '../engine/scanner.js';
import { matchViews } from '../engine/view/match-views.js';
import type { Diagnostic } from './diagnostic.js';
import type { ExampleSource } from './pack-schema.js';
import type { LocatedRule } from './ruleset.js';
import type { YamlPath } from './yaml-path.js';

/**
 * Runs every rule alone on its own examples; beside one that a model speaks for, those that models speak for to other policies,
 * because some are asked only where others see something. `rules` are in the order of the program's rule indices. Gives the
 * number of examples run and a diagnostic for each that does not turn out as it says.
 */
export function runExamples(
  program: Program,
  rules: readonly LocatedRule[],
  progress?: (rulesDone: number, all: number) => void,
): { readonly count: number; readonly diagnostics: readonly Diagnostic[] } {
  const scanner = createScanner(program);
  const { rules: everyRule } = compileProfile(everything, program);
  const spokenFor = [...learnedRulesOf(program).keys()];
  const diagnostics: Diagnostic[] = [];
  let count = 0;
  rules.forEach((rule, index) => {
    const { match, clean, near } = rule.source.examples;
    const mask = new Uint8Array(program.rules.length);
    mask[index] = everyRule[index];
    if (spokenFor.includes(index)) {
      const ofOthers = spokenFor.filter((other) => program.rules[other].policy !== program.rules[index].policy);
      for (const other of ofOthers) mask[other] = everyRule[other];
    }
    const run = (kind: string, examples: readonly ExampleSource[], check: typeof checkHit) => {
      examples.forEach((example, place) => {
        count++;
        const problem = check(hitsOf(scanner, index, mask, textOf(example)), example);
        const path: YamlPath = [...rule.path, 'examples', kind, place];
        if (problem)
          diagnostics.push(rule.pack.diagnostic(problem.code, `${rule.source.id}: ${problem.message}`, path));
      });
    };
    run('match', match, checkHit);
    run('clean', clean, checkClean);
    run('near', near, checkClean);
    progress?.(index + 1, rules.length);
  });
  return { count, diagnostics };
}

/** All rules, at any score. */
const everything: ProfileSource = {
  id: 'everything',
  title: 'Everything',
  policies: Object.fromEntries(policyCodes.map((code) => [code, { mode: 'enforce', threshold: 0 }])),
};

/** The text of an example, its parts joined. */
export function textOf(example: ExampleSource): string {
  if (typeof example === 'string') return example;
  if (Array.isArray(example)) return example.join('');
  return joined(example.text);
}

interface Problem {
  readonly code: 'E301' | 'E302' | 'E303';
  readonly message: string;
}

function checkHit(hits: readonly string[], example: ExampleSource): Problem | undefined {
  if (hits.length === 0) return { code: 'E301', message: 'does not hit this example' };
  if (typeof example === 'string' || Array.isArray(example) || example.hit === undefined) return undefined;
  if (hits.includes(joined(example.hit))) return undefined;
  return { code: 'E302', message: `marks ${hits.map((hit) => JSON.stringify(hit)).join(', ')} in this example` };
}

function checkClean(hits: readonly string[]): Problem | undefined {
  if (hits.length === 0) return undefined;
  return { code: 'E303', message: `must not hit this example but marks ${JSON.stringify(hits[0])}` };
}

/** What a model is less sure of than this is a hint, no hit: no profile's threshold is met by it alone. */
const learnedScoreMin = 0.5;

function hitsOf(scanner: Scanner, index: number, mask: Uint8Array, text: string): readonly string[] {
  return matchViews(scanner, text, allRoles, mask)
    .list.filter(({ rule, score = 1 }) => rule === index && score >= learnedScoreMin)
    .map(({ start, end }) => text.slice(start, end));
}

function joined(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : text.join('');
}
