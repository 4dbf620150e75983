import { letterNumber, letterShare } from './natural.js';

/** The letter that each letter stands for, from 1. */
export type Substitution = readonly number[];

/** The shifts of the alphabet that Caesar's cipher knows, but that by 13, which has a view of its own; and the alphabet backwards. */
const substitutions: readonly Substitution[] = [...Array(27).keys()]
  .filter((shift) => shift !== 0 && shift !== 13)
  .map((shift) =>
    Array.from({ length: 27 }, (_, letter) => (shift === 26 ? 27 - letter : ((letter + shift - 1) % 26) + 1)),
  );

/** How likely each letter is in English, as a logarithm, from 1. */
const weights: readonly number[] = Array.from({ length: 27 }, (_, letter) => Math.log(letterShare(letter)));

/** Fewer letters tell nothing. */
const countedMin = 16;

/** Letters that weigh this much on average are no cipher: those of English weigh 0.45 more. */
const plainWeight = averageWeight() - 0.45;

/**
 * The substitution by which the letters in parts of a text (start and end, flat) are likeliest to be English; undefined where they
 * are so as they stand, or by none. Cost: linear in the parts, and a microsecond.
 */
export function likeliestSubstitution(text: string, parts: readonly number[]): Substitution | undefined {
  const counts = new Uint32Array(27);
  let counted = 0;
  for (let part = 0; part < parts.length; part += 2) {
    for (let i = parts[part]; i < parts[part + 1]; i++) {
      const letter = letterNumber(text.charCodeAt(i));
      if (letter === 0) continue;
      counts[letter]++;
      counted++;
    }
  }
  if (counted < countedMin) return undefined;
  let best: Substitution | undefined;
  let most = 0;
  for (let letter = 1; letter <= 26; letter++) most += counts[letter] * weights[letter];
  if (most > counted * plainWeight) return undefined;
  for (const substitution of substitutions) {
    let likelihood = 0;
    for (let letter = 1; letter <= 26; letter++) likelihood += counts[letter] * weights[substitution[letter]];
    if (likelihood <= most) continue;
    most = likelihood;
    best = substitution;
  }
  return most > counted * plainWeight ? best : undefined;
}

/** The unit that a substitution makes of one; what is no letter stays as it is. */
export function substitute(unit: number, substitution: Substitution): number {
  const letter = letterNumber(unit);
  return letter === 0 ? unit : unit - letter + substitution[letter];
}

function averageWeight(): number {
  let sum = 0;
  let shares = 0;
  for (let letter = 1; letter <= 26; letter++) {
    sum += letterShare(letter) * weights[letter];
    shares += letterShare(letter);
  }
  return sum / shares;
}
