import type { PolicyCode } from '../domain/policy.js';
import { policyCodes } from '../domain/policy.js';
import { type RoleClass, roleClassOf } from '../domain/role.js';
import { compileProfile } from '../engine/judge/profile.js';
import type { Program } from '../engine/program.js';
import { roleClasses } from '../engine/program.js';
import { createScanner } from '../engine/scanner.js';
import { matchViews, viewTexts } from '../engine/view/match-views.js';
import { isWithoutTrigger, type Sample } from '../eval/sample.js';
import type { TrainingSample } from '../train/lesson-book.js';
import type { Recipe } from '../train/recipe.js';

/** Evidence of one rule at the most: a rule of score 1 would be infinitely sure. */
const scoreMax = 0.99;

/**
 * Prepares labelled samples for training: their views, and what the rules alone say of them. Attacks of policies that
 * no head learns from in their role are left out (undefined); where the recipe is for one role, also other roles' attacks and the operator's messages.
 */
export function sampleReader(program: Program, recipe: Recipe): (sample: Sample) => TrainingSample | undefined {
  const scanner = createScanner(program);
  const everything = { mode: 'enforce', threshold: 1 } as const;
  const policies = Object.fromEntries(policyCodes.map((code) => [code, everything]));
  const rulesOnly = compileProfile({ id: 'rules', title: 'Rules', policies, model: 'none' }, program);
  const familyOf = new Map(
    Object.entries(recipe.families).flatMap(([family, sources]) => sources.map((source) => [source, family])),
  );
  const judgedOnly = new Set(recipe.judged_only);
  const notCounted = new Set(recipe.not_counted);
  const { ordinary } = recipe;
  const isTaught = (policy: PolicyCode, role: RoleClass) => {
    const budget = recipe.policies[policy];
    return budget !== undefined && (budget.attacks_of?.some((each) => each === role) ?? true);
  };
  return (sample) => {
    const own = roleClassOf(sample.role);
    const taught = sample.policies.filter((policy) => isTaught(policy, own));
    if (sample.isAttack && taught.length === 0) return undefined;
    if (recipe.role !== undefined && (own === 'system' || (sample.isAttack && own !== recipe.role))) return undefined;
    const role = recipe.role ?? own;
    const { list } = matchViews(scanner, sample.text, roleClasses[role], rulesOnly.rules);
    const evidence: Partial<Record<PolicyCode, number>> = {};
    for (const rule of new Set(list.map((match) => match.rule))) {
      const { policy, score } = program.rules[rule];
      evidence[policy] = (evidence[policy] ?? 0) - Math.log(1 - Math.min(score, scoreMax));
    }
    const { text, isAttack, source, lang, license, id } = sample;
    return {
      ...{ id, text, isAttack, source, lang, license, role, evidence },
      policies: taught,
      views: viewTexts(scanner, text),
      family: familyOf.get(source) ?? source,
      isLearned: !isAttack || !(judgedOnly.has(source) || isWithoutTrigger(source)),
      isCounted: !notCounted.has(source),
      isOrdinary: !isAttack && ordinary !== undefined && source.startsWith(ordinary.sources),
    };
  };
}
