import { placeUnits, type Survey } from './survey.js';

/** What the signs of a stretch are like, as bits: what it may be encoded in. */
export const composition = {
  /** Capitals, small letters and digits that follow each other within words, as in base64; or that stand apart. */
  base64: 1,
  /** As many punctuation marks and digits as in ascii85 and uuencode, and hardly any white space. */
  marks: 2,
  /** Mostly signs that are small letters in rot47. */
  rot47: 4,
  /** Many plus signs, as in lists of code points and in UTF-7. */
  pluses: 8,
} as const;

/** Units of a place that are looked at: half of it tells what it is like. */
const sampleUnits = placeUnits / 2;
/** Most places that are judged together: a count has ten bits. */
const placesMax = 32;
const countBits = 10;
const countMask = 2 ** countBits - 1;

/** Classes of units. Digits and punctuation from `2` to `@` and capitals up to `K` are the small letters of rot47. */
const unitClasses = [
  { of: /[^!-\x7f]/, counts: ['space'] },
  { of: /[a-z]/, counts: ['small'] },
  { of: /[A-K]/, counts: ['capital', 'rot47'] },
  { of: /[L-Z]/, counts: ['capital'] },
  { of: /[2-9]/, counts: ['rot47'] },
  { of: /[:-@]/, counts: ['rot47'] },
  { of: /\+/, counts: ['plus'] },
  { of: /./s, counts: [] },
] as const;
const [small, firstCapital, lastCapital, digit] = [1, 2, 3, 4];

const classes: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  unitClasses.findIndex(({ of }) => of.test(String.fromCharCode(unit))),
);
/** By class: what it adds to three counts and to two. */
const lettersAndSpaces = packed(['small', 'capital', 'space']);
const signs = packed(['rot47', 'plus']);

function packed(names: readonly string[]): Int32Array {
  return Int32Array.from(unitClasses, ({ counts }) =>
    names.reduce(
      (sum, name, place) => sum | ((counts as readonly string[]).includes(name) ? 1 << (place * countBits) : 0),
      0,
    ),
  );
}

/**
 * What the text may be encoded in where a survey has marked it with `bit`, as a survey with bits of `composition` for reasons.
 * Neighbouring places are judged together.
 */
export function compositionOf(text: string, { places }: Survey, bit: number): Survey {
  const found: number[] = [];
  let reasons = 0;
  for (let i = 0; i < places.length; ) {
    if ((places[i + 1] & bit) === 0) {
      i += 2;
      continue;
    }
    const start = places[i];
    let count = 0;
    while (count < placesMax && places[i] === start + count * placeUnits && (places[i + 1] & bit) !== 0) {
      count++;
      i += 2;
    }
    const kinds = judge(text, start, count);
    if (kinds === 0) continue;
    reasons |= kinds;
    for (let place = 0; place < count; place++) found.push(start + place * placeUnits, kinds);
  }
  return { reasons, places: found };
}

function judge(text: string, start: number, places: number): number {
  // Here, a constant of a module is looked up each time that it is read.
  const table = classes;
  const [first, second, foreign] = [lettersAndSpaces, signs, unitClasses.length - 1];
  let counts = 0;
  let others = 0;
  let turns = 0;
  let last = 0;
  for (let place = start; place < start + places * placeUnits; place += placeUnits) {
    for (let i = place; i < place + sampleUnits; i++) {
      const unit = text.charCodeAt(i);
      const of = unit < 0x80 ? table[unit] : foreign;
      counts += first[of];
      others += second[of];
      if (of === last) continue;
      // A small letter before a capital or digit, or a digit before a letter.
      if (last === small) turns += of >= firstCapital && of <= digit ? 1 : 0;
      else if (last === digit) turns += of >= small && of <= lastCapital ? 1 : 0;
      last = of;
    }
  }
  const units = places * sampleUnits;
  const smalls = counts & countMask;
  const capitals = (counts >> countBits) & countMask;
  const spaces = counts >> (2 * countBits);
  const standApart = spaces * 5 >= units * 2 && capitals * 8 >= units && smalls * 8 >= units;
  return (
    (turns * 16 >= units || standApart ? composition.base64 : 0) |
    (spaces * 10 <= units && (units - spaces - smalls - capitals) * 5 >= units ? composition.marks : 0) |
    ((others & countMask) * 2 >= units - spaces ? composition.rot47 : 0) |
    ((others >> countBits) * 64 >= units ? composition.pluses : 0)
  );
}
