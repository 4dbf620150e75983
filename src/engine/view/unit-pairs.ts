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
  /** An underscore, or the escape that a colour of a terminal begins with. */
  underscore: 128,
} as const;

/** Few enough bits below it that sixteen entries can be added: what is carried is less than 1. */
export const weightShift = 20;

/** By `first | second << 7`. */
export const unitPairs: Int32Array = classify();

/** What the first unit of a pair must be, and what the second. */
type PairKind = readonly [bit: number, first: RegExp, second: RegExp];

function classify(): Int32Array {
  const emphasis = new RegExp(`[_${String.fromCharCode(0x1b)}]`);
  const kinds: readonly PairKind[] = [
    [pairBit.closing, /[A-Za-z0-9]/, /[^A-Za-z0-9]/],
    [pairBit.opening, /[^A-Za-z0-9]/, /[A-Za-z0-9]/],
    [pairBit.alphabet, /[A-Za-z0-9+/_-]/, /[A-Za-z0-9+/_-]/],
    [pairBit.numbers, /[0-9a-fA-FxX :,;-]/, /[0-9a-fA-FxX :,;-]/],
    [pairBit.morse, /[.\-_ /|\n]/, /[.\-_ /|\n]/],
    [pairBit.escape, /[\s\S]/, /[%&\\=]/],
    [pairBit.escape, /%/, /[0-9a-fA-FuU]/],
    [pairBit.escape, /&/, /[#A-Za-z]/],
    [pairBit.escape, /\\/, /[xuUnrte0-7"'\\]/],
    [pairBit.escape, /[=]/, /[0-9a-fA-F]/],
    [pairBit.leet, /[A-Za-z]/, /[0-9@$]/],
    [pairBit.leet, /[0-9@$!|+]/, /[A-Za-z]/],
    [pairBit.underscore, emphasis, /[\s\S]/],
    [pairBit.underscore, /[\s\S]/, emphasis],
  ];
  const units = Array.from({ length: 0x80 }, (_, unit) => String.fromCharCode(unit));
  const table = new Int32Array(0x4000);
  const matching = (kind: RegExp) => units.flatMap((text, unit) => (kind.test(text) ? [unit] : []));
  for (const [bit, first, second] of kinds) {
    const firsts = matching(first);
    for (const behind of matching(second)) for (const unit of firsts) table[unit | (behind << 7)] |= bit;
  }
  const letters = Uint8Array.from(units, (_, unit) => letterNumber(unit));
  for (let index = 0; index < table.length; index++) {
    table[index] |= disguiseWeights.any[(letters[index & 0x7f] << 5) | letters[index >> 7]] << weightShift;
  }
  return table;
}
