import { readFileSync } from 'node:fs';
import { shippedRulesFolder } from '../src/config.js';
import type { BuildInfo } from '../src/guard/build-info.js';
import { compileRuleset, loadRules } from '../src/load-rules.js';
import { textOf } from '../src/rules/examples.js';
import { type CompiledRules, type Ruleset, readRules } from '../src/rules/load.js';
import type { LocatedRule } from '../src/rules/ruleset.js';

/** The shipped rules as they are written. */
export const rules = readRules(shippedRulesFolder);

/** The texts of a rule's examples, near misses included. */
export function textsOf({ source }: LocatedRule): readonly string[] {
  return [...source.examples.match, ...source.examples.near, ...source.examples.clean].map(textOf);
}

/** Those of all shipped rules. */
export const examples = rules.flatMap(textsOf);

/** Compiled, from the cache that the services under test share. */
export function loadShippedRules(): CompiledRules {
  return loadRules(shippedRulesFolder, build());
}

/** Compiled anew, and kept for all who load them. */
export function compileShippedRules(): Ruleset {
  return compileRuleset(shippedRulesFolder, build());
}

function build(): BuildInfo {
  return JSON.parse(readFileSync(new URL('../dist/build-info.json', import.meta.url), 'utf8')) as BuildInfo;
}
