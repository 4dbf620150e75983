/** First of the 64 patterns of six dots, and the last of those of eight. */
export const brailleCells = { first: 0x2800, last: 0x28ff } as const;

/** Letters of English Braille and punctuation of its unified code (2013), each with the dots of its cell. */
const signs =
  'a1 b12 c14 d145 e15 f124 g1245 h125 i24 j245 k13 l123 m134 n1345 o135 p1234 q12345 r1235 s234 t2345 u136 v1236 w2456 ' +
  "x1346 y13456 z1356 ,2 ;23 :25 .256 !235 ?236 '3 -36";

/** By pattern. */
const texts: ReadonlyMap<number, string> = new Map([
  [brailleCells.first, ' '],
  ...signs.split(' ').map((sign) => [cellOf(sign.slice(1)), sign[0]] as const),
]);
const capitalSign = cellOf('6');
const numberSign = cellOf('3456');

/** Fewest letters that are text. */
const lettersMin = 6;
/** Cells for each one between them that is no sign: text has next to none, a drawing or the frames of a spinner many. */
const cellsForOther = 10;

/** True if the cells in parts of a text (start and end, flat) are letters. Linear. */
export function spellsBraille(text: string, parts: readonly number[]): boolean {
  let cells = 0;
  let letters = 0;
  let others = 0;
  for (let part = 0; part < parts.length; part += 2) {
    for (let i = parts[part]; i < parts[part + 1]; i++) {
      const unit = text.charCodeAt(i);
      if (unit < brailleCells.first || unit > brailleCells.last) continue;
      cells++;
      const read = texts.get(unit);
      if (read === undefined) others += unit === capitalSign || unit === numberSign ? 0 : 1;
      else if (read >= 'a') letters++;
    }
  }
  return letters >= lettersMin && others * cellsForOther <= cells;
}

/**
 * What the cell at `at` says: a letter, a capital behind the sign for one, a digit behind the sign for numbers, nothing
 * for these signs; undefined for a cell that is none.
 */
export function readCell(text: string, at: number): string | undefined {
  const unit = text.charCodeAt(at);
  if (unit === capitalSign || unit === numberSign) return '';
  const read = texts.get(unit);
  if (read === undefined || read < 'a') return read;
  const before = text.charCodeAt(at - 1);
  if (before === capitalSign) return read.toUpperCase();
  return read <= 'j' && isInNumber(text, at) ? String('abcdefghij'.indexOf(read) + 1).slice(-1) : read;
}

/** Longer numbers are letters. */
const numberMax = 16;

/** True if only digits, a to j, stand between the cell and a number sign before it. */
function isInNumber(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && at - i <= numberMax; i--) {
    if (text.charCodeAt(i) === numberSign) return true;
    const read = texts.get(text.charCodeAt(i));
    if (read === undefined || !(read >= 'a' && read <= 'j')) return false;
  }
  return false;
}

function cellOf(dots: string): number {
  return [...dots].reduce<number>((unit, dot) => unit | (1 << (Number(dot) - 1)), brailleCells.first);
}
