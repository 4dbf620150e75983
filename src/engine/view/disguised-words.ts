import { rotate } from './natural.js';
import type { Vocabulary } from './words.js';

/** How a word is known, as bits. */
export const known = { plain: 1, rot13: 2, reversed: 4 } as const;

const kept = new WeakMap<Vocabulary, ReadonlyMap<string, number>>();

/**
 * The words of a vocabulary in every spelling, so that one look-up tells how a word is known and none has to be
 * rotated or turned. Made at the first use of a vocabulary and kept as long as that.
 */
export function disguisedWords(vocabulary: Vocabulary): ReadonlyMap<string, number> {
  const made = kept.get(vocabulary);
  if (made) return made;
  const words = new Map<string, number>();
  const add = (word: string, bit: number) => words.set(word, (words.get(word) ?? 0) | bit);
  for (const word of vocabulary) {
    add(word, known.plain);
    add(rotated(word), known.rot13);
    add([...word].reverse().join(''), known.reversed);
  }
  kept.set(vocabulary, words);
  return words;
}

function rotated(word: string): string {
  return String.fromCharCode(...[...word].map((letter) => rotate(letter.charCodeAt(0))));
}
