import { brailleCells } from './braille.js';
import {
  accentedRuns,
  compatibleRuns,
  compatibleTexts,
  ignorableRanges,
  lookalikeRuns,
  lookalikeTexts,
  markRanges,
} from './confusables.generated.js';

/** What a character is to the folded view. */
export const characterClass = {
  plain: 0,
  /** Has a compatibility form in ASCII. */
  compatible: 1,
  /** Looks like ASCII letters or digits. */
  lookalike: 2,
  /** A Latin letter with a diacritic. */
  accented: 3,
  mark: 4,
  /** Not seen. */
  ignorable: 5,
  /** Has a compatibility form beyond ASCII: halfwidth and presentation forms, enclosed CJK; or is part of a Korean syllable. */
  normalized: 6,
  /** First half of a surrogate pair: ask `astralClass`. */
  surrogate: 7,
  /** White space or a hyphen beyond ASCII, which typesetters put between groups of digits. */
  separator: 8,
  /** A pattern of Braille. */
  braille: 9,
  /** A single letter of Korean, which is no syllable: laughter (`ㅋㅋㅋ`) consists of such. */
  hangulLetter: 10,
} as const;

/** Class of each BMP unit; never written after load. */
export const unitClasses: Uint8Array = new Uint8Array(0x10000);
const texts = new Map<number, string>();
const astralClasses = new Map<number, number>();

/** The Indic ones are letters that Unicode always takes apart, of which keyboards write either form (CompositionExclusions.txt). */
const normalizedRanges = [
  [0x0958, 0x095f],
  [0x09dc, 0x09df],
  [0x0a33, 0x0a33],
  [0x0a36, 0x0a36],
  [0x0a59, 0x0a5b],
  [0x0a5e, 0x0a5e],
  [0x0b5c, 0x0b5d],
  [0x1100, 0x11ff],
  [0x2e80, 0x2fdf],
  [0x3200, 0x33ff],
  [0xfb00, 0xfdfb],
  [0xfe70, 0xfefc],
  [0xff61, 0xffdc],
] as const;

/** No-break, fixed-width and narrow spaces; hyphens and the minus sign. En dashes stand between years and pages. */
const separators: readonly (readonly [first: number, last: number, reading: string])[] = [
  [0xa0, 0xa0, ' '],
  [0x2000, 0x200a, ' '],
  [0x202f, 0x202f, ' '],
  [0x205f, 0x205f, ' '],
  [0x2010, 0x2011, '-'],
  [0x2212, 0x2212, '-'],
];

load();

/** Class of a code point beyond the BMP. */
export function astralClass(point: number): number {
  return astralClasses.get(point) ?? characterClass.plain;
}

/** What a compatible, lookalike or accented character reads as. */
export function readingOf(point: number): string | undefined {
  return texts.get(point);
}

function load(): void {
  unitClasses.fill(characterClass.braille, brailleCells.first, brailleCells.last + 1);
  unitClasses.fill(characterClass.hangulLetter, 0x3131, 0x318e + 1);
  for (const [first, last] of normalizedRanges) unitClasses.fill(characterClass.normalized, first, last + 1);
  const set = (point: number, text: string | undefined, of: number): void => {
    if (text !== undefined) texts.set(point, text);
    if (point <= 0xffff) unitClasses[point] = of;
    else {
      astralClasses.set(point, of);
      unitClasses[0xd7c0 + (point >> 10)] = characterClass.surrogate;
    }
  };
  const setRuns = (runs: typeof compatibleRuns, of: number): void => {
    for (const [first, count, target, step] of runs) {
      for (let i = 0; i < count; i++) set(first + i, String.fromCharCode(target + i * step), of);
    }
  };
  setRuns(accentedRuns, characterClass.accented);
  setRuns(lookalikeRuns, characterClass.lookalike);
  for (const [point, text] of lookalikeTexts) set(point, text, characterClass.lookalike);
  setRuns(compatibleRuns, characterClass.compatible);
  for (const [point, text] of compatibleTexts) set(point, text, characterClass.compatible);
  for (const [first, last, reading] of separators) {
    for (let point = first; point <= last; point++) set(point, reading, characterClass.separator);
  }
  for (const [first, last] of markRanges) unitClasses.fill(characterClass.mark, first, last + 1);
  for (const [first, last] of ignorableRanges) {
    for (let point = first; point <= last; point++) set(point, undefined, characterClass.ignorable);
  }
}
