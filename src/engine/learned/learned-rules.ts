import type { Searcher } from '../automaton/searcher.js';
import { byMask } from '../by-mask.js';
import { type Detection, leastOf, type Program, type ProgramModel } from '../program.js';
import { tightSpan } from './explain.js';
import { scoreOf, worthOf } from './model.js';
import { noneStrange } from './plain-scorer.js';
import { createScorer } from './scorer.js';

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
 * Asks models about texts, as rules with `detect: learned` tell, or `learned-` and what their model's name has behind it: each speaks for its
 * policy's head. A mask names the model of such a rule by its number, from 1. Holds memory of its thread.
 */
export interface LearnedRules {
  /**
   * For each policy the match of the rule whose head is surest, where one sees something; none of a word alone. Linear in the text. Who is asked is
   * remembered with the mask, which must not be changed afterwards.
   */
  match(text: string, role: number, mask: Uint8Array): Learned;
}

/** What is said of a text that no model is asked about. */
export const notAsked: Learned = { matches: [], strange: noneStrange };

/** A word alone is what somebody asked for, and no text that a model could judge: `admin`, `select`. */
function isLoneWord(text: string): boolean {
  if (text.length > wordUnitsMax || !loneWord.test(text)) return false;
  return !unspaced.test(text) || text.trim().length <= unspacedUnitsMax;
}
const loneWord = /^\s*[\p{L}\p{N}_]+[.!?]?\s*$/u;
const wordUnitsMax = 40;
/** Of scripts that set no spaces between words, more than a word. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const unspacedUnitsMax = 4;

/** Less is no evidence: nearly all ordinary texts have none. */
const scoreMin = 0.05;

/** With the searcher's engine, and its room. Undefined where the program has no model, or no rule that speaks for one. */
export function createLearnedRules(program: Program, searcher: Searcher): LearnedRules | undefined {
  // A scorer has strange words named by the first model that is asked.
  const own = program.models.filter((model) => !isBeside(model));
  const models = [...own, ...program.models.filter(isBeside)];
  const voices = voicesOf(program, models);
  if (voices.length === 0) return undefined;
  const scorer = createScorer(program, models, searcher.kind === 'js' ? 'js' : 'auto', searcher.room);
  const policyOf = ({ rule }: LearnedMatch) => program.rules[rule].policy;
  const ask = ({ voices: some, asked, first }: Asking, text: string): Learned => {
    if (first < 0) return notAsked;
    const scores = scorer.score(text, asked);
    const found: LearnedMatch[] = [];
    for (const { rule, head, model: number, least } of some) {
      const window = scores[number].best[head];
      if (window === undefined) continue;
      const { model } = models[number];
      const worth = worthOf(model.heads[head], window.sum, text.length);
      const score = Math.round(scoreOf(model.heads[head], worth) * 10_000) / 10_000;
      if (score < least) continue;
      const rival = found.findIndex((other) => policyOf(other) === program.rules[rule].policy);
      // Models that read the same words are one piece of evidence.
      if (rival >= 0 && found[rival].score >= score) continue;
      const { start, end } = tightSpan(model, head, text.slice(window.start, window.end));
      const match = { rule, start: window.start + start, end: window.start + end, score };
      if (rival < 0) found.push(match);
      else found[rival] = match;
    }
    // Of what small models do not know most are words all the same, so a profile's own one alone is believed.
    return { matches: found, strange: first < own.length ? scores[first].strange : noneStrange };
  };
  const isCloser = ({ model }: Voice) => models[model].name.endsWith(closer);
  const asksOf = byMask((mask, role): Asks => {
    const wanted = voices
      .filter(({ rule, number }) => mask[rule] === number && (program.rules[rule].roles & role) !== 0)
      .map((voice) => ({ ...voice, least: Math.max(scoreMin, leastOf(program.rules[voice.rule], role)) }));
    const atOnce = wanted.filter((voice) => !isCloser(voice));
    return {
      atOnce: askingOf(atOnce, models.length),
      afterwards: askingOf(wanted.filter(isCloser), models.length),
    };
  });
  return {
    match: (text, role, mask) => {
      if (isLoneWord(text)) return notAsked;
      const { atOnce, afterwards } = asksOf(mask, role);
      const said = ask(atOnce, text);
      const injection = said.matches.find((match) => policyOf(match) === 'LLM01');
      if (injection === undefined) return said;
      const { matches } = ask(afterwards, text);
      const capped = matches.map((match) => ({ ...match, score: Math.min(match.score, injection.score) }));
      return { matches: [...said.matches, ...capped], strange: said.strange };
    },
  };
}

/**
 * What the name ends with of a model that is asked only about what another one takes for an injection, and is no surer than that: it
 * tells attacks from each other, and knows nothing else.
 */
const closer = '-leaks';

/** Who is asked about texts of a role under a mask. */
interface Asks {
  readonly atOnce: Asking;
  readonly afterwards: Asking;
}

/** Voices that are asked together. */
interface Asking {
  readonly voices: readonly AskedVoice[];
  /** For each model a bit for each head that one of them speaks for. */
  readonly asked: Uint8Array;
  /** The first model that is asked, or −1. */
  readonly first: number;
}

function askingOf(voices: readonly AskedVoice[], modelCount: number): Asking {
  const asked = new Uint8Array(modelCount);
  for (const { model, head } of voices) asked[model] |= 1 << head;
  return { voices, asked, first: asked.findIndex((heads) => heads !== 0) };
}

/** A rule that speaks for a head, where a mask has the number of the model for it. */
interface Voice {
  readonly rule: number;
  readonly number: number;
  /** Its place among those that the scorer has. */
  readonly model: number;
  readonly head: number;
}

/** One that is asked about messages of a role. */
interface AskedVoice extends Voice {
  /** Less is no match. */
  readonly least: number;
}

function voicesOf(program: Program, models: readonly ProgramModel[]): readonly Voice[] {
  return models.flatMap((each, model) =>
    [...learnedRulesOf(program).keys()].flatMap((rule): Voice[] => {
      const head = each.model.heads.findIndex(({ policy }) => policy === program.rules[rule].policy);
      return head < 0 ? [] : [{ rule, number: program.models.indexOf(each) + 1, model, head }];
    }),
  );
}

/** What the names of the models have behind that of a profile's own, by the `detect` of the rules that they speak for. */
const suffixes: Partial<Record<Detection, string>> = {
  learned: '',
  'learned-payloads': '-payloads',
  'learned-tools': '-tools',
  'learned-agents': '-agents',
  'learned-deeds': '-deeds',
  'learned-leaks': closer,
};

/** True where a model finds it, and no code. */
export function isLearned(detection: Detection): boolean {
  return suffixes[detection] !== undefined;
}

/** True for a model that belongs to another one. */
function isBeside({ name }: ProgramModel): boolean {
  return Object.values(suffixes).some((suffix) => suffix !== '' && name.endsWith(suffix));
}

/** Rules, by index, that a model speaks for, and what its name has behind that of a profile's own. */
export function learnedRulesOf({ patterns }: Pick<Program, 'patterns'>): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { detect, rule } of patterns) {
    const suffix = detect && suffixes[detect];
    if (suffix !== undefined) found.set(rule, suffix);
  }
  return found;
}
