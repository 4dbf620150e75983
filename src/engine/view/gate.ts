import { characterClass, unitClasses } from './characters.js';
import { longRuns, runClass, shortestRun } from './long-runs.js';
import { disguiseWeights, letterNumber } from './natural.js';

/** What a text may hold, as bits; each is a reason to try the views that are about it. */
export const reason = {
  /** A unit that is folded: not plain ASCII. */
  fold: 1,
  /** `%`, `&`, `\` or `=`. */
  escape: 2,
  /** A letter beside a digit or symbol that stands for a letter. */
  leet: 4,
  /** Four letters or digits with one other unit between each two. */
  spaced: 8,
  /** Letters that follow each other as in disguised English, not as in English. */
  unnatural: 16,
  alphabet: 32,
  numbers: 64,
  morse: 128,
} as const;

/** Reads texts for reasons; holds the memory that it copies them to. Not for use by two threads at once. */
export type Gate = (text: string) => number;

/** Units that are copied and read at a time. */
const chunkUnits = 16 * 1024;

/** Units whose pairs are weighed together, and what their weights must reach. */
const blockUnits = 32;
const unnaturalWeight = 45;

/** Punctuation of ordinary texts that has a compatibility form: the ellipsis, leaders, the trade mark. */
const ordinary: ReadonlySet<number> = new Set([0x2024, 0x2025, 0x2026, 0x2122, 0xa8, 0xaf, 0xb4, 0xb8]);

/** Bits of a unit in the table of the gate: the reasons it gives by itself, then what its neighbours ask. */
const isLetterOrDigit = 4;
const isLetter = 8;
const isLeetSign = 16;
const table: Uint8Array = classify();
/** Number of each unit in the table of weights. */
const letters: Uint8Array = Uint8Array.from({ length: 0x10000 }, (_, unit) => letterNumber(unit));

/**
 * One pass over the text decides which views can matter. The text is copied to typed memory first: reading it there
 * and copying takes 1.2 ns a unit, `charCodeAt` alone 1.8. A reason may be given in vain, never withheld, but for
 * `unnatural`, which is a statistic.
 */
export function createGate(): Gate {
  const memory = Buffer.alloc(2 * chunkUnits);
  const units = new Uint16Array(memory.buffer, memory.byteOffset, chunkUnits);
  return (text) => {
    let reasons = 0;
    let history = 0;
    let before = 0;
    for (let from = 0; from < text.length; from += chunkUnits) {
      const part = text.length <= chunkUnits ? text : text.slice(from, from + chunkUnits);
      const length = memory.write(part, 'utf16le') >> 1;
      let seen = 0;
      let beside = 0;
      let isSpaced = 0;
      let last = 0;
      for (let start = 0; start < length; start += blockUnits) {
        const end = Math.min(start + blockUnits, length);
        let weight = 0;
        for (let i = start; i < end; i++) {
          const unit = units[i];
          const bits = table[unit];
          seen |= bits;
          // A letter before or after a sign: bit 8 of the one meets bit 16 of the other.
          beside |= (bits & (before >> 1)) | ((bits >> 1) & before);
          before = bits;
          history = ((history << 1) | ((bits >> 2) & 1)) & 0x7f;
          if (history === 0b1010101) isSpaced = 1;
          const letter = letters[unit];
          weight += disguiseWeights[(last << 5) | letter];
          last = letter;
        }
        if (weight > unnaturalWeight) reasons |= reason.unnatural;
      }
      reasons |= seen & (reason.fold | reason.escape);
      if ((beside & isLetter) !== 0) reasons |= reason.leet;
      if (isSpaced === 1) reasons |= reason.spaced;
    }
    return reasons | readRuns(text);
  };
}

/** The plain twin of the pass: the same reasons from regexes and one unit after another. For tests. */
export function readPlainly(text: string): number {
  let reasons = readRuns(text);
  if ([...Array(text.length).keys()].some((i) => isFolded(text.charCodeAt(i)))) reasons |= reason.fold;
  if (/[%&\\=]/.test(text)) reasons |= reason.escape;
  if (/[A-Za-z][0-9@$!|+]|[0-9@$!|+][A-Za-z]/.test(text)) reasons |= reason.leet;
  if (/[A-Za-z0-9](?:[^A-Za-z0-9][A-Za-z0-9]){3}/.test(text)) reasons |= reason.spaced;
  let last = 0;
  let weight = 0;
  for (let i = 0; i < text.length; i++) {
    if (i % chunkUnits === 0) last = 0;
    if (i % blockUnits === 0) weight = 0;
    const letter = letterNumber(text.charCodeAt(i));
    weight += disguiseWeights[(last << 5) | letter];
    last = letter;
    const isBlockEnd = i % blockUnits === blockUnits - 1 || i === text.length - 1;
    if (isBlockEnd && weight > unnaturalWeight) reasons |= reason.unnatural;
  }
  return reasons;
}

function readRuns(text: string): number {
  let reasons = 0;
  if (longRuns(text, runClass.alphabet, shortestRun.alphabet, 1).length > 0) reasons |= reason.alphabet;
  if (longRuns(text, runClass.numbers, shortestRun.numbers, 1).length > 0) reasons |= reason.numbers;
  if (longRuns(text, runClass.morse, shortestRun.morse, 1).length > 0) reasons |= reason.morse;
  return reasons;
}

function classify(): Uint8Array {
  const bits = new Uint8Array(0x10000);
  for (let unit = 0; unit < bits.length; unit++) if (isFolded(unit)) bits[unit] = reason.fold;
  for (const sign of '%&\\=') bits[sign.charCodeAt(0)] = reason.escape;
  for (const sign of '@$!|+') bits[sign.charCodeAt(0)] = isLeetSign;
  for (let unit = 0x30; unit <= 0x39; unit++) bits[unit] = isLetterOrDigit | isLeetSign;
  for (let unit = 0; unit < 0x80; unit++) if (letterNumber(unit) > 0) bits[unit] = isLetterOrDigit | isLetter;
  return bits;
}

/** White space and punctuation that are folded along are no reason by themselves. */
function isFolded(unit: number): boolean {
  if (unitClasses[unit] === characterClass.plain) return false;
  return !(unit >= 0xff01 && unit <= 0xff0f) && !(unit >= 0xff1a && unit <= 0xff20) && !ordinary.has(unit);
}
