import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { keepChecked, readChecked } from './cache-files.js';
import type { CompiledRule } from './compile-rule.js';
import type { PatternSource } from './pack-schema.js';

/** Builds whose compiled rules are kept; those written longest ago go first. */
const buildsMax = 4;
/** Fewer patterns are compiled in less time than reading and writing takes. */
const patternsMin = 500;
const suffix = '.rules';

/**
 * What a build compiled rules to the last time, rule by rule, so that after an edit only the rules that it changed are compiled: a
 * fifth of the time for the shipped ones. Which folder they were in is of no account: an edited copy of the shipped rules is quick
 * from its first edit on. Failures to read or write cost time, nothing else.
 */
export interface RuleCache {
  /** What these very patterns were compiled to, or else what `compile` makes of them. */
  compiled(patterns: readonly PatternSource[], compile: () => CompiledRule): CompiledRule;
  /** Keeps what was asked for since it was opened, and nothing else. */
  save(): void;
}

/** `compilerId` as of `openProgramCache`. */
export function openRuleCache(folder: string, compilerId: string): RuleCache {
  const name = createHash('sha256').update(compilerId).digest('hex').slice(0, 32);
  const file = join(folder, `${name}${suffix}`);
  const before = readRules(file);
  const now = new Map<string, CompiledRule>();
  return {
    compiled: (patterns, compile) => {
      const key = keyOf(patterns);
      const rule = before.get(key) ?? compile();
      now.set(key, rule);
      return rule;
    },
    save: () => {
      const isSame = now.size === before.size && [...now.keys()].every((key) => before.has(key));
      const patternCount = [...now.values()].reduce((sum, { patterns }) => sum + patterns.length, 0);
      if (isSame || patternCount < patternsMin) return;
      keepChecked(file, serialize(now), suffix, buildsMax);
    },
  };
}

function keyOf(patterns: readonly PatternSource[]): string {
  return createHash('sha256').update(JSON.stringify(patterns)).digest('base64');
}

/** None where the file is missing or damaged. */
function readRules(file: string): ReadonlyMap<string, CompiledRule> {
  const kept = readChecked(file);
  return kept ? (deserialize(kept) as ReadonlyMap<string, CompiledRule>) : new Map();
}
