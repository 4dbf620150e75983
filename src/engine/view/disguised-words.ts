import { KeyTable } from './key-table.js';
import { letterNumber, rotate } from './natural.js';
import type { Vocabulary } from './words.js';

/** How a word is known, as bits. */
export const known = { plain: 1, rot13: 2, reversed: 4 } as const;

/** Tells how the word in a part of a text is known, in whatever case: bits of `known`. */
export type DisguisedWords = (text: string, start: number, end: number) => number;

const kept = new WeakMap<Vocabulary, DisguisedWords>();

/**
 * The words of a vocabulary in every spelling, so that one look-up tells how a word is known and none has to be
 * rotated or turned. Made at the first use of a vocabulary and kept as long as that.
 */
export function disguisedWords(vocabulary: Vocabulary): DisguisedWords {
  const made = kept.get(vocabulary) ?? tableOf(vocabulary);
  kept.set(vocabulary, made);
  return made;
}

/** Slots for each word: with its three spellings, and the room that makes a search short. */
const slotsPerWord = 5;

/**
 * Of a spelling its hash alone is kept, so that no text has to be cut into words and none of them made small: of unknown words one in
 * 100,000 is taken for a known one.
 */
function tableOf(vocabulary: Vocabulary): DisguisedWords {
  const slotBits = Math.ceil(Math.log2(slotsPerWord * (vocabulary.size + 1)));
  const table = new KeyTable(slotBits);
  const bits = new Uint8Array(table.size);
  const add = (word: string, bit: number): void => {
    const key = keyOf(word, 0, word.length);
    const slot = table.slotOf(key);
    table.take(slot, key);
    bits[slot] |= bit;
  };
  for (const word of vocabulary) {
    add(word, known.plain);
    add(rotated(word), known.rot13);
    add([...word].reverse().join(''), known.reversed);
  }
  return (text, start, end) => bits[table.slotOf(keyOf(text, start, end))];
}

/** A hash of letters in whatever case; what is none stands for one that no word has. */
function keyOf(text: string, start: number, end: number): number {
  let key = end - start;
  for (let i = start; i < end; i++) {
    key = Math.imul(key ^ letterNumber(text.charCodeAt(i)), 0x01000193);
    key ^= key >>> 15;
  }
  return key || 1;
}

function rotated(word: string): string {
  return String.fromCharCode(...[...word].map((letter) => rotate(letter.charCodeAt(0))));
}
