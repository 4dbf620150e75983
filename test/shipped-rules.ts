import { readFileSync } from 'node:fs';
import { shippedRulesFolder } from '../src/config.js';
import type { BuildInfo } from '../src/guard/build-info.js';
import { loadRules } from '../src/load-rules.js';
import { textOf } from '../src/rules/examples.js';
import { type CompiledRules, readRules } from '../src/rules/load.js';

/** The shipped rules as they are written, and the texts of all their examples, near misses included. */
export const rules = readRules(shippedRulesFolder);
export const examples = rules.flatMap(({ source }) =>
  [...source.examples.match, ...source.examples.near, ...source.examples.clean].map(textOf),
);

/** Compiled, from the cache that the services under test share: `test/rules/shipped.test.ts` compiles them anew. */
export function loadShippedRules(): CompiledRules {
  const build = JSON.parse(readFileSync(new URL('../dist/build-info.json', import.meta.url), 'utf8')) as BuildInfo;
  return loadRules(shippedRulesFolder, build);
}
