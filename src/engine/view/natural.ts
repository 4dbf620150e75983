import { commonWords } from './words.js';

/**
 * How much likelier a pair of letters is in disguised English (each letter moved by 13, or words written backwards)
 * than in English, as 8 × the natural logarithm, by `32 × first + second`; letters count from 1, all else is 0. From
 * the pairs of the common words, each word weighted by the inverse of its rank.
 */
export const disguiseWeights: Int8Array = weigh();

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

function weigh(): Int8Array {
  const plain = new Float64Array(1024).fill(1e-4);
  const disguised = new Float64Array(1024).fill(1e-4);
  let total = 0;
  commonWords.forEach((word, rank) => {
    const weight = 1 / (rank + 10);
    const letters = [0, ...[...word].map((letter) => letterNumber(letter.charCodeAt(0))), 0];
    for (let i = 1; i < letters.length; i++) {
      const [first, second] = [letters[i - 1], letters[i]];
      plain[first * 32 + second] += weight;
      disguised[second * 32 + first] += weight / 2;
      disguised[moved(first) * 32 + moved(second)] += weight / 2;
      total += weight;
    }
  });
  const smallest = total / 5000;
  return Int8Array.from(plain, (count, pair) => {
    if (pair === 0) return 0;
    const ratio = Math.log((disguised[pair] + smallest) / (count + smallest));
    return Math.round(8 * Math.max(-4, Math.min(4, ratio)));
  });
}

function moved(letter: number): number {
  return letter === 0 ? 0 : ((letter + 12) % 26) + 1;
}
