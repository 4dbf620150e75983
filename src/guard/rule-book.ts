import { type CustomRule, customRoles, customRuleDefaults } from '../domain/custom-rules.js';
import type { RuleEntry } from '../domain/rule-entry.js';
import type { RulesCompiler } from '../pool/rules-compiler.js';

/** What people read about rules. */
export interface RuleBook {
  /** Every shipped rule, in the order of the packs. Read once, on another thread; rejects as the compiler does. */
  shipped(): Promise<readonly RuleEntry[]>;
}

export function createRuleBook(compiler: Pick<RulesCompiler, 'describe'>): RuleBook {
  let reading: Promise<readonly RuleEntry[]> | undefined;
  return {
    shipped: () => {
      reading ??= compiler.describe().catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      return reading;
    },
  };
}

/** An organization's own rule in the same form, without its examples: they may hold what only admins are to read. */
export function ownEntry(rule: CustomRule): RuleEntry {
  return {
    id: rule.id ?? '',
    policy: rule.policy,
    label: rule.label ?? customRuleDefaults.label,
    title: rule.title ?? customRuleDefaults.title,
    severity: rule.severity ?? customRuleDefaults.severity,
    score: rule.score ?? customRuleDefaults.score,
    why: rule.why ?? '',
    misses: rule.misses ?? '',
    references: rule.references ?? [],
    roles: rule.roles ?? customRoles,
    views: [],
    examples: { match: [], clean: [], near: [] },
  };
}
