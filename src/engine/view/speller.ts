import type { PhraseWords } from '../program.js';
import { KeyTable } from './key-table.js';
import { letterNumber } from './natural.js';

/** Finds out which word is meant by letters. Holds memory; not for use by two threads at once. */
export interface Speller {
  /** The word, in lower case, that is nearest to what stands in a part of a text; undefined where none is near. 0.1 µs. */
  nearest(text: string, start: number, end: number): string | undefined;
  /** The word that a part of a text makes with another one, `[from, to)`, behind it; undefined where they make none. */
  joined(text: string, start: number, end: number, from: number, to: number): string | undefined;
}

/** Shortest word that is recognized with its letters in another order, with one missing or wrong, and without its vowels. */
const shortest = { scrambled: 4, damaged: 5, vowelless: 3 } as const;
const longest = 24;

const slotBits = 15;
/** Of each key one bit is set in a table that the processor's first cache holds: nine of ten that are none end there. */
const filterBits = 17;

/** What a speller looks up, 208 KB: the keys by slots, of each key the word that it is of, and the filter. */
interface Spellings {
  readonly table: KeyTable;
  readonly meant: Uint16Array;
  readonly filter: Uint8Array;
}

/**
 * The keys of words (`PhraseWords.meant`), the most frequent ones first, for `createSpeller`. A word is recognized by its
 * first and last letter and what stands between them in whatever order, one of it missing, added or another one; or by
 * its consonants, where it has no vowel behind its first letter. Some 40 ms for the shipped rules, so it is done when they are compiled.
 */
export function spellingsOf(words: readonly string[]): Int32Array {
  const spellings = new Int32Array(2 ** slotBits + 2 ** (slotBits - 1) + 2 ** (filterBits - 5));
  const { table, meant, filter } = viewOf(spellings);
  const letters = new Uint8Array(longest);
  const add = (key: number, word: number): void => {
    const slot = table.slotOf(key);
    if (!table.isFree(slot)) return;
    filter[key >>> (35 - filterBits)] |= 1 << (key & 7);
    table.take(slot, key);
    meant[slot] = word;
  };
  const eachWord = (least: number, take: (length: number, word: number) => void): void =>
    words.forEach((text, word) => {
      const length = addLetters(text, 0, text.length, letters, 0);
      if (length >= least) take(length, word);
    });
  // What is nearer comes first, and of equals the more frequent word.
  eachWord(shortest.scrambled, (length, word) => add(bagKey(letters, length), word));
  eachWord(shortest.vowelless, (length, word) => add(consonantKey(letters, length), word));
  eachWord(shortest.damaged, (length, word) => {
    const bag = bagKey(letters, length);
    for (let i = 1; i < length - 1; i++) add(without(bag, letters[i]), word);
  });
  return spellings;
}

function viewOf(spellings: Int32Array): Spellings {
  const slots = 2 ** slotBits;
  const { buffer, byteOffset } = spellings;
  return {
    table: new KeyTable(slotBits, spellings.subarray(0, slots)),
    meant: new Uint16Array(buffer, byteOffset + slots * 4, slots),
    filter: new Uint8Array(buffer, byteOffset + slots * 6, 2 ** (filterBits - 3)),
  };
}

/** A speller of words by their spellings, which it only reads. */
export function createSpeller({ meant: words, spellings }: Pick<PhraseWords, 'meant' | 'spellings'>): Speller {
  const { table, meant, filter } = viewOf(spellings);
  const letters = new Uint8Array(longest);
  const find = (key: number): string | undefined => {
    if (((filter[key >>> (35 - filterBits)] >> (key & 7)) & 1) === 0) return undefined;
    const slot = table.slotOf(key);
    return table.isFree(slot) ? undefined : words[meant[slot]];
  };
  return {
    nearest: (text, start, end) => {
      const length = addLetters(text, start, end, letters, 0);
      if (length < shortest.vowelless) return undefined;
      if (hasNoVowel(letters, length)) return find(consonantKey(letters, length));
      if (length < shortest.scrambled) return undefined;
      const bag = bagKey(letters, length);
      let word = find(bag);
      for (let i = 1; i < length - 1 && word === undefined; i++) word = find(without(bag, letters[i]));
      return word;
    },
    joined: (text, start, end, from, to) => {
      const length = addLetters(text, from, to, letters, addLetters(text, start, end, letters, 0));
      const word = length < shortest.scrambled ? undefined : find(bagKey(letters, length));
      return word !== undefined && word === (text.slice(start, end) + text.slice(from, to)).toLowerCase()
        ? word
        : undefined;
    },
  };
}

/**
 * Puts letters of a text behind the first `length` ones, as numbers from 1, of three or more equal ones in a row one; gives
 * their number, or below 0 where something else stands there, or too many.
 */
function addLetters(text: string, start: number, end: number, letters: Uint8Array, length: number): number {
  if (length < 0) return length;
  let count = length;
  for (let i = start; i < end; i++) {
    const letter = letterNumber(text.charCodeAt(i));
    if (letter === 0 || count === longest) return -1;
    if (count > 0 && letters[count - 1] === letter && isThird(text, i, letter)) continue;
    letters[count++] = letter;
  }
  return count;
}

/** Whether the letter stands two places before or one behind as well. */
function isThird(text: string, at: number, letter: number): boolean {
  return letterNumber(text.charCodeAt(at - 2)) === letter || letterNumber(text.charCodeAt(at + 1)) === letter;
}

// Keys are hashes, so that two words have the same one by chance: with 14,000 of them one look-up in 300,000. 0 is none.

/** Of the first letter, the last, and those between them in any order. */
function bagKey(letters: Uint8Array, length: number): number {
  let sum = Math.imul(letterCodes[letters[0]], 0x2545f491) + Math.imul(letterCodes[letters[length - 1]], 0x6c8e9cf5);
  for (let i = 1; i < length - 1; i++) sum = (sum + letterCodes[letters[i]]) | 0;
  return sum | 0 || 1;
}

function without(bag: number, letter: number): number {
  return (bag - letterCodes[letter]) | 0 || 1;
}

/** Of the first letter and all consonants behind it, in their order. */
function consonantKey(letters: Uint8Array, length: number): number {
  let key = letters[0];
  for (let i = 1; i < length; i++) if (isVowel[letters[i]] === 0) key = (Math.imul(key, 0x01000193) + letters[i]) | 0;
  return Math.imul(key, 0x85ebca6b) | 0 || 1;
}

function hasNoVowel(letters: Uint8Array, length: number): boolean {
  for (let i = 1; i < length; i++) if (isVowel[letters[i]] === 1) return false;
  return true;
}

/** Numbers that have nothing to do with each other, so that no two bags have the same sum: the finish of MurmurHash3 (public domain). */
const letterCodes: Int32Array = Int32Array.from({ length: 27 }, (_, letter) => {
  const spread = Math.imul((letter ^ (letter << 16)) + 0x7ed55d16, 0x85ebca6b);
  const mixed = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
});
const isVowel: Uint8Array = Uint8Array.from({ length: 27 }, (_, letter) =>
  [1, 5, 9, 15, 21].includes(letter) ? 1 : 0,
);
