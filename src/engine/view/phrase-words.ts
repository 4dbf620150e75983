import type { PolicyCode } from '../../domain/policy.js';
import type { PhraseWords, Program } from '../program.js';
import { spellingsOf } from './speller.js';
import { commonWords, isMisspelt } from './words.js';

/** What misspelling is to hide: orders to the model, and requests for its prompt. */
const guarded: readonly PolicyCode[] = ['LLM01', 'LLM07'];

/** Common words among those of a phrase in English, at the least. */
const englishShare = 0.25;

/** The words of a program's phrases, for `Program.words`. Some 90 ms for the shipped rules, so it is done when they are compiled. */
export function phraseWordsOf({ patterns, rules }: Pick<Program, 'patterns' | 'rules'>): PhraseWords {
  const common = new Set(commonWords);
  const known = new Set(commonWords);
  const counts = new Map<string, number>();
  for (const { phrase, rule } of patterns) {
    if (phrase === undefined) continue;
    const words = wordsOfPhrase(phrase);
    for (const word of words) known.add(word);
    // Of phrases in other languages hardly a word is a common English one.
    const isEnglish = words.filter((word) => common.has(word)).length >= englishShare * words.length;
    if (!isEnglish || !guarded.includes(rules[rule].policy)) continue;
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const vocabulary = [...known].filter((word) => !isMisspelt(word));
  const wellSpelt = new Set(vocabulary);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
  const meant = [...new Set([...commonWords, ...frequent])].filter((word) => wellSpelt.has(word));
  return { vocabulary, meant, spellings: spellingsOf(meant) };
}

/** The words of a phrase, in its notation, in small letters: those of three letters of ASCII or more. */
function wordsOfPhrase(phrase: string): readonly string[] {
  return phrase.toLowerCase().match(/[a-z]{3,}/g) ?? [];
}
