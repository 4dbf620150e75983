import { type CustomRule, customRoles, customRuleDefaults } from '../domain/custom-rules.js';
import type { RoleClass } from '../domain/role.js';
import type { RuleEntry } from '../domain/rule-entry.js';
import { type Program, roleClasses } from '../engine/program.js';
import { defaultViews, kindsOf } from '../engine/view/kinds.js';

/** What people read about rules. */
export interface RuleBook {
  /** Every shipped rule, in the order of the packs. */
  shipped(): readonly RuleEntry[];
}

/** Of the rules that a program was made of, as they were then. */
export function createRuleBook(program: Program): RuleBook {
  let entries: readonly RuleEntry[] | undefined;
  return {
    shipped: () => {
      entries ??= entriesOf(program);
      return entries;
    },
  };
}

function entriesOf({ rules, notes }: Program): readonly RuleEntry[] {
  return rules.map(({ id, policy, label, title, severity, score, references, roles, views }, index) => ({
    ...{ id, policy, label, title, severity, score, references },
    roles: Object.keys(roleClasses).filter((name) => (roleClasses[name as RoleClass] & roles) !== 0),
    views: kindsOf(views),
    ...notes[index],
  }));
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
    views: kindsOf(defaultViews(rule.policy)),
    examples: { match: [], clean: [], near: [] },
  };
}
