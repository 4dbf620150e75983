import { disguiseWeights, letterNumber } from './natural.js';

/**
 * What two ASCII units in a row say, as bits of an entry of `unitPairs`; above `weightShift` stands, signed, how much
 * likelier they are in disguised English.
 */
export const pairBit = {
  /** A letter or digit, then neither; and the other way round. */
  closing: 1,
  opening: 2,
  /** Both are of a class of runs. */
  alphabet: 4,
  numbers: 8,
  morse: 16,
  /** The second begins an escape, or the first does and the second may go on with it. */
  escape: 32,
  /** A letter and a sign that stands for a letter. A sign behind a letter is mostly punctuation, but for `@` and `$`. */
  leet: 64,
} as const;

/** Few enough bits below it that sixteen entries can be added: what is carried is less than 1. */
export const weightShift = 20;

/** By `first | second << 7`. */
export const unitPairs: Int32Array = classify();

function classify(): Int32Array {
  const patterns: readonly (readonly [bit: number, pattern: RegExp])[] = [
    [pairBit.closing, /^[A-Za-z0-9][^A-Za-z0-9]$/],
    [pairBit.opening, /^[^A-Za-z0-9][A-Za-z0-9]$/],
    [pairBit.alphabet, /^[A-Za-z0-9+/_-]{2}$/],
    [pairBit.numbers, /^[0-9a-fA-FxX :,;-]{2}$/],
    [pairBit.morse, /^[.\-_ /|\n]{2}$/],
    [pairBit.escape, /^(?:[\s\S][%&\\=]|%[0-9a-fA-FuU]|&[#A-Za-z]|\\[xuUnrt0-7]|=[0-9a-fA-F])$/],
    [pairBit.leet, /^(?:[A-Za-z][0-9@$]|[0-9@$!|+][A-Za-z])$/],
  ];
  return Int32Array.from({ length: 0x4000 }, (_, index) => {
    const [first, second] = [index & 0x7f, index >> 7];
    const pair = String.fromCharCode(first, second);
    const bits = patterns.reduce((all, [bit, pattern]) => (pattern.test(pair) ? all | bit : all), 0);
    const weight = disguiseWeights.any[(letterNumber(first) << 5) | letterNumber(second)];
    return (weight << weightShift) | bits;
  });
}
