import { limits } from '../../domain/limits.js';
import { addByte, emptyBytes } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit } from './kinds.js';
import { splitWords, type Vocabulary } from './words.js';

/** A dozen numbers from 1 to 26 with a few separators between two of them. */
const row = /(?<![\w.-])(?:1\d|2[0-6]|[1-9])(?:[ ,/|\n-]{1,3}(?:1\d|2[0-6]|[1-9])){11,}(?!\w)/g;

/** Share of the letters that known words must hold, and length of the longest of these. */
const knownShare = 0.5;
const tellingLength = 4;

interface Letter {
  readonly letter: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Rows of numbers that are the places of letters in the alphabet, where known words are spelt so (`9-7-14-15-18-5 1-12-12`).
 * What stands between most letters keeps them apart, anything else words; where nothing else does, known words are cut
 * out. Linear.
 */
export function letterNumbers(text: string, vocabulary: Vocabulary): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  for (const { index: start, 0: found } of text.matchAll(row)) {
    const letters = [...found.matchAll(/\d+/g)].map(({ index, 0: number }) => ({
      letter: String.fromCharCode(0x60 + Number(number)),
      start: start + index,
      end: start + index + number.length,
    }));
    const words = wordsOf(text, letters, vocabulary);
    if (!isKnown(words, vocabulary)) continue;
    const bytes = emptyBytes();
    let gap = start;
    for (const word of words) {
      if (gap > start) addByte(bytes, 0x20, gap, Math.max(gap + 1, word[0].start));
      for (const { letter, start: from, end } of word) addByte(bytes, letter.charCodeAt(0), from, end);
      gap = word[word.length - 1].end;
    }
    runs.push({ kind: viewBit('hex'), start, end: start + found.length, bytes });
  }
  return runs;
}

function wordsOf(text: string, letters: readonly Letter[], vocabulary: Vocabulary): readonly (readonly Letter[])[] {
  const separators = letters.slice(1).map(({ start }, i) => text.slice(letters[i].end, start));
  const counts = new Map<string, number>();
  for (const separator of separators) counts.set(separator, (counts.get(separator) ?? 0) + 1);
  const [[usual]] = [...counts].sort(([, a], [, b]) => b - a);
  const borders =
    counts.size > 1
      ? separators.flatMap((separator, i) => (separator === usual ? [] : [i + 1]))
      : splitWords(spell(letters.slice(0, limits.splitLettersMax)), vocabulary);
  const words: (readonly Letter[])[] = [];
  let from = 0;
  for (const border of [...borders, letters.length]) {
    if (border > from) words.push(letters.slice(from, border));
    from = border;
  }
  return words;
}

function spell(letters: readonly Letter[]): string {
  return letters.map(({ letter }) => letter).join('');
}

function isKnown(words: readonly (readonly Letter[])[], vocabulary: Vocabulary): boolean {
  let all = 0;
  let known = 0;
  let longest = 0;
  for (const word of words) {
    all += word.length;
    if (word.length === 1 || !vocabulary.has(spell(word))) continue;
    known += word.length;
    longest = Math.max(longest, word.length);
  }
  return longest >= tellingLength && known >= knownShare * all;
}
