import { characterClass, unitClasses } from './characters.js';
import { nextLongRun, runClass, shortestRun, unitsOf } from './long-runs.js';
import { disguiseWeights, letterNumber } from './natural.js';
import { hasReadableRun } from './runs-view.js';

/** What a text may hold, as bits; each is a reason to try the views that are about it. */
export const reason = {
  /** A unit that is folded: not plain ASCII. */
  fold: 1,
  /** `%`, `&`, `\` or `=` and what may follow it in an escape. */
  escape: 2,
  /** A letter beside a digit or symbol that stands for a letter, more than once. */
  leet: 4,
  /** Four letters with one other unit between each two. */
  spaced: 8,
  /** Letters that follow each other as in disguised English, not as in English. */
  unnatural: 16,
  /** A run of base64, base32 or numbers that begins like text. */
  run: 32,
  morse: 64,
} as const;

/** Reads texts for reasons; holds the memory that it copies them to. Not for use by two threads at once. */
export type Gate = (text: string) => number;

/** Units that are copied and read at a time. */
const chunkUnits = 16 * 1024;
/** Units at the end of one part that are read again with the next: longer than any shortest run. */
const overlapUnits = 64;
/**
 * Units whose pairs are weighed together, and what their weights must exceed; after as many the history of letters,
 * 32 long, is looked at, before it forgets a pattern of 7.
 */
const blockUnits = 24;
const unnaturalWeight = 55;
/** Fewer neighbours than this are names and units: `mp3` is 1, `4th` 2 (a sign begins words more often than it ends them). */
const leetPairsMin = 3;

/** Punctuation of ordinary texts that has a compatibility form: the ellipsis, leaders, the trade mark. */
const ordinary: ReadonlySet<number> = new Set([0x2024, 0x2025, 0x2026, 0x2122, 0xa8, 0xaf, 0xb4, 0xb8]);

/**
 * Bits of a unit. Bits 0 to 6: what it may be the second of; bits 8 to 14: what it may be the first of, in the same
 * order (`%` and hex, `&` and a name or number, `\` and its letters, `=` and hex, letter and sign, sign and letter).
 * Bit 7: a letter. Bit 15: folded. Bits 16 to 20: its number in the table of weights.
 */
const second = { percent: 1, entity: 2, backslash: 4, equals: 8, letterSign: 16, signLetter: 32 } as const;
const letterBit = 0x80;
const foldedBit = 0x8000;
const escapePairs = second.percent | second.entity | second.backslash | second.equals;
const table: Uint32Array = classify();
const { any: weights } = disguiseWeights;

/**
 * One pass over the text decides which views can matter. The text is copied to typed memory first: copying it and
 * reading it there is a third faster than `charCodeAt`. A reason may be given in vain, never withheld, but for
 * `unnatural`, which is a statistic.
 */
export function createGate(): Gate {
  const memory = Buffer.alloc(2 * chunkUnits);
  const units = new Uint16Array(memory.buffer, memory.byteOffset, chunkUnits);
  return (text) => {
    let reasons = 0;
    let seen = 0;
    let pairs = 0;
    let leetPairs = 0;
    let before = 0;
    let history = 0;
    let alternating = 0;
    for (let from = 0; from < text.length; from += chunkUnits - overlapUnits) {
      const part = text.length <= chunkUnits ? text : text.slice(from, from + chunkUnits);
      const length = memory.write(part, 'utf16le') >> 1;
      before = 0;
      for (let start = 0; start < length; start += blockUnits) {
        const end = Math.min(start + blockUnits, length);
        let weight = 0;
        for (let i = start; i < end; i++) {
          const bits = table[units[i]];
          const met = (before >> 8) & bits;
          seen |= bits;
          pairs |= met;
          leetPairs += (met >> 4) & 3;
          weight += weights[((before >> 11) & 0x3e0) | (bits >> 16)];
          history = (history << 1) | ((bits >> 7) & 1);
          before = bits;
        }
        alternating |= alternates(history);
        if (weight > unnaturalWeight) reasons |= reason.unnatural;
      }
      if (hasReadableRun(units, length)) reasons |= reason.run;
      if (nextLongRun(units, length, runClass.morse, shortestRun.morse, 0) >= 0) reasons |= reason.morse;
      if (from + chunkUnits >= text.length) break;
    }
    if ((seen & foldedBit) !== 0) reasons |= reason.fold;
    if ((pairs & escapePairs) !== 0) reasons |= reason.escape;
    if (leetPairs >= leetPairsMin) reasons |= reason.leet;
    if (alternating !== 0) reasons |= reason.spaced;
    return reasons;
  };
}

/** Not 0 where four letters stand in a history with one other unit between each two. */
function alternates(history: number): number {
  const others = ~history;
  return (
    history &
    (others >> 1) &
    (history >> 2) &
    (others >> 3) &
    (history >> 4) &
    (others >> 5) &
    (history >> 6) &
    0x1ffffff
  );
}

/** The plain twin of the pass: the same reasons from regexes and one unit after another. For tests. */
export function readPlainly(text: string): number {
  let reasons = 0;
  const units = unitsOf(text);
  if (hasReadableRun(units, units.length)) reasons |= reason.run;
  if (/[.\-·•−–—_ /|\n]{20}/.test(text)) reasons |= reason.morse;
  if ([...Array(text.length).keys()].some((i) => isFolded(text.charCodeAt(i)))) reasons |= reason.fold;
  if (/%[0-9a-fA-FuU]|&[#A-Za-z]|\\[xuUnrt0-7]|=[0-9A-F]/.test(text)) reasons |= reason.escape;
  const after = [...text.matchAll(/[A-Za-z](?=[0-9@$!|+])/g)].length;
  const before = [...text.matchAll(/[0-9@$!|+](?=[A-Za-z])/g)].length;
  if (after + 2 * before >= leetPairsMin) reasons |= reason.leet;
  if (/[A-Za-z](?:[^A-Za-z][A-Za-z]){3}/.test(text)) reasons |= reason.spaced;
  for (let start = 0; start < text.length; start += blockUnits) {
    let weight = 0;
    for (let i = start; i < Math.min(start + blockUnits, text.length); i++) {
      const last = i === 0 ? 0 : letterNumber(text.charCodeAt(i - 1));
      weight += weights[32 * last + letterNumber(text.charCodeAt(i))];
    }
    if (weight > unnaturalWeight) reasons |= reason.unnatural;
  }
  return reasons;
}

function classify(): Uint32Array {
  const bits = new Uint32Array(0x10000);
  const add = (units: string, bit: number): void => {
    for (const unit of units) bits[unit.charCodeAt(0)] |= bit;
  };
  for (let unit = 0; unit < bits.length; unit++)
    bits[unit] = (isFolded(unit) ? foldedBit : 0) | (letterNumber(unit) << 16);
  const alphabet = 'abcdefghijklmnopqrstuvwxyz';
  const latin = alphabet + alphabet.toUpperCase();
  const signs = '0123456789@$!|+';
  add('%', second.percent << 8);
  add('0123456789abcdefABCDEFuU', second.percent);
  add('&', second.entity << 8);
  add(`#${latin}`, second.entity);
  add('\\', second.backslash << 8);
  add('xuUnrt01234567', second.backslash);
  add('=', second.equals << 8);
  add('0123456789ABCDEF', second.equals);
  add(latin, letterBit | (second.letterSign << 8) | second.signLetter);
  add(signs, second.letterSign | (second.signLetter << 8));
  return bits;
}

/** White space and punctuation that are folded along are no reason by themselves. */
function isFolded(unit: number): boolean {
  if (unitClasses[unit] === characterClass.plain) return false;
  return !(unit >= 0xff01 && unit <= 0xff0f) && !(unit >= 0xff1a && unit <= 0xff20) && !ordinary.has(unit);
}
