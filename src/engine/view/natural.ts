import { commonWords } from './words.js';

/** Letters that are counted for a pair that no common word has. */
const smallest = 1 / 5000;

const pairs = countPairs();

/**
 * How much likelier a pair of letters is in disguised English than in English, as 8 × the natural logarithm, by
 * `32 × first + second`; letters count from 1, all else is 0. From the pairs of the common words, each word weighted by
 * the inverse of its rank. `any`: rot13 or reversed, either as likely.
 */
export const disguiseWeights = {
  any: weigh((first, second) => (pairs[pairOf(second, first)] + pairs[pairOf(moved(first), moved(second))]) / 2),
  rot13: weigh((first, second) => pairs[pairOf(moved(first), moved(second))]),
  reversed: weigh((first, second) => pairs[pairOf(second, first)]),
} as const;

/** What the weights of a stretch must sum up to: a dozen letters of disguised English do. */
const stretchWeight = 100;

/** Beyond this the sum does not grow, so that a stretch ends soon after the disguise does. */
const stretchWeightMax = 150;
/** Units around a stretch that belong to it: a disguise begins and ends with words that weigh little. */
const stretchMargin = 160;

/**
 * Parts of the text in which letters follow each other as in disguised English: start and end of each, flat, ascending
 * and disjoint, a margin included. Looked for in the given parts, and behind one as far as a stretch goes on. Nearly
 * always none. Linear.
 */
export function disguisedParts(text: string, given: readonly number[], weights: Int8Array): readonly number[] {
  const parts: number[] = [];
  const add = (begin: number, stop: number): void => {
    const from = Math.max(0, begin - stretchMargin);
    const end = Math.min(text.length, stop + stretchMargin);
    const previous = parts.length - 1;
    if (previous > 0 && from <= parts[previous]) parts[previous] = end;
    else parts.push(from, end);
  };
  let i = 0;
  for (let part = 0; part < given.length; part += 2) {
    i = Math.max(i, given[part]);
    let begin = i;
    let last = 0;
    let sum = 0;
    let isOpen = false;
    for (; i < text.length && (isOpen || i < given[part + 1]); i++) {
      const letter = letterNumber(text.charCodeAt(i));
      sum += weights[pairOf(last, letter)];
      last = letter;
      if (sum <= 0) {
        if (isOpen) add(begin, i);
        isOpen = false;
        sum = 0;
        begin = i + 1;
      } else if (sum > stretchWeight) {
        isOpen = true;
        if (sum > stretchWeightMax) sum = stretchWeightMax;
      }
    }
    if (isOpen) add(begin, i);
  }
  return parts;
}

/** A letter's number in the table of weights: 1 to 26, or 0. */
export function letterNumber(unit: number): number {
  const number = (unit | 0x20) - 0x60;
  return unit < 0x80 && number >= 1 && number <= 26 ? number : 0;
}

/** The letter moved by 13 places; every other unit stays as it is. */
export function rotate(unit: number): number {
  const number = letterNumber(unit);
  if (number === 0) return unit;
  return number <= 13 ? unit + 13 : unit - 13;
}

function pairOf(first: number, second: number): number {
  return (first << 5) | second;
}

function weigh(disguised: (first: number, second: number) => number): Int8Array {
  return Int8Array.from(pairs, (count, pair) => {
    if (pair === 0) return 0;
    const ratio = Math.log((disguised(pair >> 5, pair & 31) + smallest) / (count + smallest));
    return Math.round(8 * Math.max(-4, Math.min(4, ratio)));
  });
}

/** Share of each pair of letters in English. */
function countPairs(): Float64Array {
  const counts = new Float64Array(1024);
  let total = 0;
  commonWords.forEach((word, rank) => {
    const weight = 1 / (rank + 10);
    const numbers = [0, ...[...word].map((letter) => letterNumber(letter.charCodeAt(0))), 0];
    for (let i = 1; i < numbers.length; i++) counts[pairOf(numbers[i - 1], numbers[i])] += weight;
    total += weight * (numbers.length - 1);
  });
  return counts.map((count) => count / total);
}

/** Share of a letter, 1 to 26, among those of English and what stands between words. */
export function letterShare(letter: number): number {
  let share = smallest;
  for (let first = 0; first <= 26; first++) share += pairs[pairOf(first, letter)];
  return share;
}

function moved(letter: number): number {
  return letter === 0 || letter > 26 ? letter : ((letter + 12) % 26) + 1;
}
