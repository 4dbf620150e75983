import { startsAsAscii } from './alphabet-bytes.js';
import { behindEscape } from './alphabet-runs.js';
import { base64Values } from './alphabets.js';
import { isPlausibleText, isWide } from './bytes.js';
import { mayHoldWords } from './joined-view.js';
import { isOfRun, morseUnits, nextLongRun, runClass, shortestRun } from './long-runs.js';
import { placeUnits, reason } from './survey.js';
import { pairBit } from './unit-pairs.js';

interface ReadableRun {
  /** Of `pairBit`, for a pair that may be part of a run. */
  readonly pair: number;
  readonly bit: number;
  readonly shortest: number;
  /** What a run may be, as bits of `reason`. */
  readonly reasonsOf: (text: string, start: number, end: number) => number;
}

/** Kinds of runs with what tells those that may say something. */
const kinds: readonly ReadableRun[] = [
  {
    pair: pairBit.alphabet,
    bit: runClass.alphabet,
    shortest: shortestRun.alphabet,
    reasonsOf: (text, start, end) =>
      (beginsLikeText(text, start, end) ? reason.run : 0) |
      (end - start >= shortestRun.joined && mayHoldWords(text, start, end) ? reason.joined : 0),
  },
  {
    pair: pairBit.numbers,
    bit: runClass.numbers,
    shortest: shortestRun.numbers,
    reasonsOf: (text, start, end) => (beginsLikeNumbers(text, start, end) ? reason.run : 0),
  },
  {
    pair: pairBit.morse,
    bit: runClass.morse,
    shortest: shortestRun.morse,
    reasonsOf: (text, start, end) => (hasManySigns(text, start, end) ? reason.morse : 0),
  },
];

/** Looks at runs of one text after the other; each run is looked at once. */
interface RunTest {
  /** Another text follows. */
  begin(): void;
  /**
   * The reasons that the runs give which go over the first unit of a quarter of the place that begins at `start`; only
   * runs of kinds with a bit in `pairs`.
   */
  at(text: string, start: number, pairs: number): number;
}

export function createRunTest(): RunTest {
  /** Where the run ends that was looked at last, of each kind. */
  const ends = new Float64Array(kinds.length);
  return {
    begin: () => {
      ends.fill(0);
    },
    at: (text, start, pairs) => {
      let reasons = 0;
      for (let kind = 0; kind < kinds.length; kind++) {
        const { pair, bit, shortest, reasonsOf } = kinds[kind];
        if ((pairs & pair) === 0) continue;
        for (let at = start; at < start + placeUnits; at += placeUnits / 4) {
          if (at < ends[kind] || !isOfRun(text.charCodeAt(at), bit)) continue;
          let begin = at;
          while (begin > ends[kind] && isOfRun(text.charCodeAt(begin - 1), bit)) begin--;
          let end = at + 1;
          while (end < text.length && isOfRun(text.charCodeAt(end), bit)) end++;
          ends[kind] = end;
          if (end - begin >= shortest) reasons |= reasonsOf(text, begin, end);
        }
      }
      return reasons;
    },
  };
}

/** Cheap test, in memory, of whether a run that is long enough goes over a part of the place at `start`. */
export function mayHoldRun(units: Uint16Array, start: number, length: number, pairs: number): boolean {
  const from = Math.max(0, start - placeUnits / 2);
  const end = Math.min(length, start + placeUnits + placeUnits / 2);
  for (const { pair, bit, shortest } of kinds) {
    if ((pairs & pair) !== 0 && nextLongRun(units, end, bit, shortest, from) >= 0) return true;
  }
  return false;
}

/** The reasons that all runs of a text give. The plain twin of `RunTest`, for tests. */
export function hasReadableRun(text: string): number {
  const patterns = [/[A-Za-z0-9+/_-]+/g, /[0-9a-fA-FxX :,;-]+/g, /[.\-·•−–—_ /|\n]+/g];
  return kinds.reduce((reasons, { shortest, reasonsOf }, kind) => {
    let given = reasons;
    for (const { index, 0: run } of text.matchAll(patterns[kind]))
      if (run.length >= shortest) given |= reasonsOf(text, index, index + run.length);
    return given;
  }, 0);
}

/** Fewest letters of Morse code that are read. */
const signsMin = 8;

/** Rules and rows of dots are one sign. */
function hasManySigns(text: string, start: number, end: number): boolean {
  let signs = 0;
  let wasSign = false;
  for (let i = start; i < end && signs < signsMin; i++) {
    const isSign = morseUnits.has(text.charCodeAt(i));
    if (isSign && !wasSign) signs++;
    wasSign = isSign;
  }
  return signs >= signsMin;
}

function beginsLikeNumbers(text: string, start: number, end: number): boolean {
  let from = start;
  // An indentation.
  while (from < end && text.charCodeAt(from) === 0x20) from++;
  return numberStart.test(text.slice(from, Math.min(end, from + probeUnits)));
}

/**
 * Numbers that code for letters have these digits, six of them in a row: hex, binary, decimal, octal; or are UTF-8 of two letters
 * beyond ASCII; twelve in hex backwards; or places in the alphabet.
 */
const numberStart = new RegExp(
  [
    /(?:(?:0x)?[2-7][0-9a-fA-F][ :,;-]{0,2}){6}/,
    /(?:0[01]{7}[ ,]{0,2}){3}/,
    /(?:(?:3[2-9]|[4-9]\d|1[0-2]\d)[ ,;-]{1,2}){6}/,
    /(?:0?(?:[4-7]|1[0-7])[0-7][ ,;-]{1,2}){6}/,
    ...beyondAscii('(?:0x)?[cd][0-9a-f]', '(?:0x)?e[0-9a-f]', '(?:0x)?f0', '(?:0x)?[89ab][0-9a-f]', '[ :,;-]{0,2}'),
    ...beyondAscii('110[01]{5}', '1110[01]{4}', '11110000', '10[01]{6}', '[ ,]{0,2}'),
    ...beyondAscii(
      '(?:19[4-9]|2[01][0-9]|22[0-3])',
      '(?:22[4-9]|23[0-9])',
      '240',
      '1(?:2[89]|[3-8][0-9]|9[01])',
      '[ ,;-]{1,2}',
    ),
    ...beyondAscii('3[0-3][0-7]', '3[45][0-7]', '360', '2[0-7]{2}', '[ ,;-]{1,2}'),
    /(?:[0-9a-fA-F][2-7]){12}/,
    /(?<!\d)(?:(?:(?:1\d|2[0-6]|[1-9])-){5}|(?:(?:1\d|2[0-6]|[1-9])[ ,-]{1,2}){10})/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
const probeUnits = 192;

/** Three letters of two bytes of UTF-8, two of three, or one of four, where its bytes are written so. */
function beyondAscii(two: string, three: string, four: string, further: string, between: string): readonly RegExp[] {
  const letter = (first: string, more: number) => `${first}${between}(?:${further}${between}){${more}}`;
  return [[two, 1, 3] as const, [three, 2, 2] as const, [four, 3, 1] as const].map(
    ([first, more, letters]) => new RegExp(`(?:${letter(first, more)}){${letters}}`),
  );
}

/** The first bytes of the run, or of one of the parts that `/`, `-` and `_` leave, may be text; or its last ones, backwards. */
function beginsLikeText(text: string, start: number, end: number): boolean {
  if (!hasCapital(text, start, end)) return false;
  if (startsAsAscii(text, end - 1, start - 1)) return true;
  const first = behindEscape(text, start);
  let from = start;
  for (let i = start; i < end; i++) {
    if (base64Values[text.charCodeAt(i)] < 62) continue;
    if (i - from >= shortestRun.alphabet && isTextStart(text, from, i)) return true;
    from = i + 1;
  }
  if (from > start && end - from >= shortestRun.alphabet && isTextStart(text, from, end)) return true;
  return isTextStart(text, first, end) || (first > start && isTextStart(text, start, end));
}

/** Text in base64 has capitals; names and paths mostly have none. What may be base32 is read as such. */
function isTextStart(text: string, start: number, end: number): boolean {
  let upper = 0;
  let lower = 0;
  const stop = Math.min(end, start + shortestRun.alphabet);
  for (let i = start; i < stop; i++) {
    const value = base64Values[text.charCodeAt(i)];
    if (value < 26) upper++;
    else if (value < 52) lower++;
  }
  if (upper === 0) return false;
  if (lower === 0 && /^[A-Z2-7]*$/.test(text.slice(start, stop))) return true;
  const bytes: number[] = [];
  for (let at = start; at < start + 12 && at + 4 <= end; at += 4) addThreeBytes(bytes, text, at);
  return isWide(bytes) || isTextLike(bytes);
}

function hasCapital(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const value = base64Values[text.charCodeAt(i)];
    if (value >= 0 && value < 26) return true;
  }
  return false;
}

/** Four letters of base64. */
function addThreeBytes(bytes: number[], text: string, at: number): void {
  let held = 0;
  for (let i = at; i < at + 4; i++) held = (held << 6) | base64Values[text.charCodeAt(i)];
  bytes.push((held >> 16) & 0xff, (held >> 8) & 0xff, held & 0xff);
}

/** All but one of the bytes are printable or of UTF-8. */
function isTextLike(bytes: readonly number[]): boolean {
  let odd = 0;
  let high = 0;
  for (const byte of bytes) {
    if (byte >= 0x80) high++;
    else if ((byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) || byte === 0x7f) odd++;
  }
  if (odd > 1) return false;
  return high === 0 || isPlausibleText([0x61, 0x61, 0x61, 0x61, ...bytes]);
}
