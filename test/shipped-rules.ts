import { readFileSync } from 'node:fs';
import { shippedRulesFolder } from '../src/config.js';
import type { BuildInfo } from '../src/guard/build-info.js';
import { compileRuleset, loadRules } from '../src/load-rules.js';
import { textOf } from '../src/rules/examples.js';
import { type CompiledRules, type Ruleset, readRules } from '../src/rules/load.js';

/** The shipped rules as they are written, and the texts of all their examples, near misses included. */
export const rules = readRules(shippedRulesFolder);
export const examples = rules.flatMap(({ source }) =>
  [...source.examples.match, ...source.examples.near, ...source.examples.clean].map(textOf),
);

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
