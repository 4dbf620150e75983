import type { Engine } from '../automaton/searcher.js';
import type { Program, ProgramModel } from '../program.js';
import { tightSpan } from './explain.js';
import { scoreOf } from './model.js';
import { createScorer, type Scorer } from './scorer.js';

/** What a model says of a text, as a match of the rule that speaks for it. */
interface LearnedMatch {
  readonly rule: number;
  readonly start: number;
  readonly end: number;
  /** From `scoreMin` up to 0.99. */
  readonly score: number;
}

/**
 * Asks models about texts, as rules with `detect: learned` tell: each speaks for its policy's head. A mask names the
 * model of such a rule by its number, from 1. Holds memory of its thread.
 */
export interface LearnedRules {
  /** Calls `take` for every rule that is asked and whose head sees something. Linear in the text. */
  match(text: string, role: number, mask: Uint8Array, take: (match: LearnedMatch) => void): void;
}

/** Less is no evidence: nearly all ordinary texts have none. */
const scoreMin = 0.05;

/** Undefined where the program has no model, or no rule that speaks for one. */
export function createLearnedRules(program: Program, engine?: Engine): LearnedRules | undefined {
  const rules = learnedRulesOf(program);
  if (rules.length === 0 || program.models.length === 0) return undefined;
  const scorers: (Scorer | undefined)[] = [];
  return {
    match: (text, role, mask, take) => {
      const asked = rules.filter((rule) => mask[rule] > 0 && (program.rules[rule].roles & role) !== 0);
      if (asked.length === 0) return;
      const number = mask[asked[0]] - 1;
      const asking: ProgramModel = program.models[number];
      scorers[number] ??= createScorer(program, asking, engine);
      const best = scorers[number].score(text);
      if (best.length === 0) return;
      const { heads } = asking.model;
      for (const rule of asked) {
        const head = heads.findIndex(({ policy }) => policy === program.rules[rule].policy);
        if (head < 0) continue;
        const score = Math.round(scoreOf(heads[head], best[head].sum) * 10_000) / 10_000;
        if (score < scoreMin) continue;
        const { start, end } = tightSpan(asking.model, head, text.slice(best[head].start, best[head].end));
        take({ rule, start: best[head].start + start, end: best[head].start + end, score });
      }
    },
  };
}

/** Rules, by index, that a model speaks for. */
export function learnedRulesOf({ patterns }: Pick<Program, 'patterns'>): readonly number[] {
  return patterns.flatMap(({ detect, rule }) => (detect === 'learned' ? [rule] : []));
}
