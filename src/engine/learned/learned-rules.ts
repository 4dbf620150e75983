import type { Searcher } from '../automaton/searcher.js';
import type { Program, ProgramModel } from '../program.js';
import { tightSpan } from './explain.js';
import { type Model, scoreOf } from './model.js';
import { noneStrange } from './plain-scorer.js';
import { createScorer, type Scorer } from './scorer.js';

/** What models say of a text. */
export interface Learned {
  readonly matches: readonly LearnedMatch[];
  /** See `Scores`. */
  readonly strange: readonly number[];
}

/** What a model says of a text, as a match of the rule that speaks for it. */
interface LearnedMatch {
  readonly rule: number;
  readonly start: number;
  readonly end: number;
  /** From `scoreMin` up to 0.99. */
  readonly score: number;
}

/**
 * Asks models about texts, as rules with `detect: learned` or `learned-tools` tell: each speaks for its policy's head. A mask names
 * the model of such a rule by its number, from 1. Holds memory of its thread.
 */
export interface LearnedRules {
  /** For each policy the match of the rule whose head is surest, where one sees something. Linear in the text. */
  match(text: string, role: number, mask: Uint8Array): Learned;
}

/** What is said of a text that no model is asked about. */
export const notAsked: Learned = { matches: [], strange: noneStrange };

/** Less is no evidence: nearly all ordinary texts have none. */
const scoreMin = 0.05;

/** With the searcher's engine, and its room. Undefined where the program has no model, or no rule that speaks for one. */
export function createLearnedRules(program: Program, searcher: Searcher): LearnedRules | undefined {
  const rules = learnedRulesOf(program);
  if (rules.length === 0 || program.models.length === 0) return undefined;
  const speakers: (Speaker | undefined)[] = [];
  return {
    match: (text, role, mask) => {
      const asks = (rule: number, number: number) =>
        mask[rule] === number + 1 && (program.rules[rule].roles & role) !== 0;
      const found: LearnedMatch[] = [];
      let strange = noneStrange;
      let words = -1;
      for (let number = 0; number < program.models.length; number++) {
        if (!rules.some((rule) => asks(rule, number))) continue;
        const speaker = speakers[number] ?? speakerOf(program, rules, program.models[number], searcher);
        speakers[number] = speaker;
        const { model, scorer, voices } = speaker;
        let asked = 0;
        for (const { rule, head } of voices) if (asks(rule, number)) asked |= 1 << head;
        if (asked === 0) continue;
        const scores = scorer.score(text, asked);
        // What the model with fewer words does not know may be a word all the same.
        if (model.wordBuckets > words) {
          strange = scores.strange;
          words = model.wordBuckets;
        }
        for (const { rule, head } of voices) {
          const window = asks(rule, number) ? scores.best[head] : undefined;
          if (window === undefined) continue;
          const score = Math.round(scoreOf(model.heads[head], window.sum) * 10_000) / 10_000;
          if (score < scoreMin) continue;
          const { policy } = program.rules[rule];
          const rival = found.findIndex((other) => program.rules[other.rule].policy === policy);
          // Models that read the same words are one piece of evidence.
          if (rival >= 0 && found[rival].score >= score) continue;
          const { start, end } = tightSpan(model, head, text.slice(window.start, window.end));
          const match = { rule, start: window.start + start, end: window.start + end, score };
          if (rival < 0) found.push(match);
          else found[rival] = match;
        }
      }
      return words < 0 ? notAsked : { matches: found, strange };
    },
  };
}

/** A model that was asked, and the rules that speak for its heads. */
interface Speaker {
  readonly model: Model;
  readonly scorer: Scorer;
  readonly voices: readonly Voice[];
}

interface Voice {
  readonly rule: number;
  readonly head: number;
}

function speakerOf(program: Program, rules: readonly number[], asking: ProgramModel, searcher: Searcher): Speaker {
  const { model } = asking;
  const voices = rules.flatMap((rule): Voice[] => {
    const head = model.heads.findIndex(({ policy }) => policy === program.rules[rule].policy);
    return head < 0 ? [] : [{ rule, head }];
  });
  const engine = searcher.kind === 'js' ? 'js' : 'auto';
  return { model, scorer: createScorer(program, asking, engine, searcher.room), voices };
}

/** Rules, by index, that a model speaks for. */
export function learnedRulesOf({ patterns }: Pick<Program, 'patterns'>): readonly number[] {
  return patterns.flatMap(({ detect, rule }) => (detect === 'learned' || detect === 'learned-tools' ? [rule] : []));
}

/** Those of them that ask the model of what tools brought. */
export function toolRulesOf({ patterns }: Pick<Program, 'patterns'>): readonly number[] {
  return patterns.flatMap(({ detect, rule }) => (detect === 'learned-tools' ? [rule] : []));
}
