import type { Span } from '../../domain/span.js';
import { wholeAt } from '../../domain/surrogates.js';
import { letterUnits, markUnits } from '../text/all-units.js';
import { occurrences } from '../text/occurrences.js';

/*
 * Suffixes that an optimiser found (greedy coordinate gradient and its kin) are words and signs in a row that no grammar
 * made: `]$ [[Surely among ***Yes<= exactly fourstep`. Three things tell them from prose and from code: brackets whose
 * counterpart is nowhere, signs where no writer puts any, hardly one of them twice, and words that still
 * stand beside words, which in code they do not. On 21,400
 * benign messages of users and tools 3 were taken for one, of 200 suffixes 151 found.
 */

/** Shorter lines hold no such suffix together with what it is to make a model do. */
const lineUnitsMin = 50;
/** Words, by white space, that are judged together, and how far apart such stretches begin. */
const stretchWords = 20;
const stretchStep = 4;

/** What a stretch must have, per word where it is a share. */
const least = { signKinds: 3, neighbours: 0.6, variety: 0.6, words: 6 } as const;
/** One lonely bracket needs more odd signs beside it than two do. */
const oddSigns = { withOne: 0.15, withMore: 0.1 } as const;
/** Pairs of a quote and a comma or colon, of which JSON is made. */
const quotePairsMax = 1;

const pairs = ['()', '[]', '{}'] as const;
const counterparts: ReadonlyMap<string, string> = new Map(pairs.map(([open, close]) => [close, open]));

/**
 * Where words and signs stand together as no writer puts them; disjoint, ascending. Linear; nearly free where as many
 * brackets close as open, which is nearly everywhere.
 */
export function findTokenSalad(text: string): readonly Span[] {
  if (pairs.every(([open, close]) => occurrences(text, open) === occurrences(text, close))) return [];
  const found: Span[] = [];
  for (const { line, start, lonely } of linesOf(text, bracketsOf(text))) {
    if (line.length >= lineUnitsMin && lonely.length > 0) findInLine(line, insideOf(line, lonely), start, found);
  }
  return found;
}

interface Line {
  readonly line: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** Brackets whose counterpart is nowhere, in units of the line, in any order. */
  readonly lonely: readonly number[];
}

/** The lines that hold brackets. What is left over in one may have its counterpart in a later one, as in code. */
function linesOf(text: string, places: readonly number[]): readonly Line[] {
  const lines: Line[] = [];
  const open: { readonly sign: string; readonly lonely: number[]; readonly at: number }[] = [];
  for (let next = 0; next < places.length; ) {
    const start = text.lastIndexOf('\n', places[next]) + 1;
    const lineEnd = text.indexOf('\n', places[next]);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const own: number[] = [];
    for (; places[next] < end; next++) own.push(places[next] - start);
    const line = text.slice(start, end);
    const lonely: number[] = [];
    for (const at of lonelyAmong(line, own)) {
      const counterpart = counterparts.get(line[at]);
      if (counterpart === undefined) open.push({ sign: line[at], lonely, at });
      else if (open.at(-1)?.sign !== counterpart) lonely.push(at);
      else open.pop();
    }
    lines.push({ line, start, lonely });
  }
  for (const { lonely, at } of open) lonely.push(at);
  return lines;
}

/** Places of all brackets, ascending. */
function bracketsOf(text: string): readonly number[] {
  const places: number[] = [];
  // A constant of a module is looked up each time that it is read.
  const brackets = bracketUnits;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80 && brackets[unit] === 1) places.push(at);
  }
  return places;
}

const bracketUnits: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  pairs.some((pair) => pair.includes(String.fromCharCode(unit))) ? 1 : 0,
);

/**
 * Those, ascending, that are not at either end of the line: there a bracket may have its counterpart outside of what was sent, and
 * what a line that ends in an open bracket opens before it is closed after that one: `test('…', () => {`. The mark of an entry of a
 * list (`2)`, `*)`) stands at the beginning, too, and a brace before a comment at the end: `} else { # if so`.
 */
function insideOf(line: string, places: readonly number[]): readonly number[] {
  const first = line.length - line.trimStart().length;
  const last = braceAndComment.exec(line)?.index ?? line.trimEnd().length - 1;
  const mark = (listMark.exec(line)?.[0].length ?? 0) - 1;
  const goesOn = places.includes(last) && !counterparts.has(line[last]);
  return places
    .filter((at) => at !== first && at !== last && !(goesOn && !counterparts.has(line[at])) && at !== mark)
    .sort((a, b) => a - b);
}

const braceAndComment = /\{\s{1,24}(?:#|\/\/|\/\*)\s[^{}]*$/;
/** Up to the bracket of what marks an entry of a list. */
const listMark = /^\s*[^\s()]{1,2}\)(?=\s)/;

/**
 * Words, and signs without white space between them, in order: of each its start, its end and `trait` bits, one behind the other, because an
 * object for each took half of the time. Above the bits of what is odd is the number of its sign.
 */
interface Pieces {
  readonly numbers: readonly number[];
  /** Different signs that do not stand where writers put them. */
  readonly oddKinds: number;
}

const numbersPerPiece = 3;
/** `apart`: white space stands before it; `quotePair`: a quote and a comma or colon. */
const trait = { word: 1, apart: 2, quotePair: 4, odd: 8 } as const;
const oddShift = 4;

function findInLine(line: string, places: readonly number[], offset: number, found: Span[]): void {
  let looked = Number.NEGATIVE_INFINITY;
  let isRare = false;
  const lonely = places.filter((at) => {
    // What was seen around a bracket holds for those right behind it.
    if (at - looked > reach / 4) {
      looked = at;
      isRare = hasRareSigns(line, at);
    }
    return isRare;
  });
  for (let from = 0; from < lonely.length; ) {
    let to = from + 1;
    while (to < lonely.length && lonely[to] - lonely[to - 1] <= 2 * reach) to++;
    const start = wordStart(line, lonely[from] - reach);
    const end = wholeAt(line, lonely[to - 1] + reach);
    const own = lonely.slice(from, to).map((at) => at - start);
    findInPart(line.slice(start, end), own, offset + start, found);
    from = to;
  }
}

/** Units on either side of a bracket that are looked at: some twenty words. */
const reach = 160;
/** Different signs that no prose needs, so near to a bracket that it is worth a closer look. */
const rareSignsMin = 2;
const rareSigns = '[]{}<>|\\^~*#=+_$@%&/`"!?;-.:,';
/** By unit: a bit for each rare sign. Those that prose has in plenty count where two of them stand together. */
const rareBits: Uint32Array = Uint32Array.from({ length: 128 }, (_, unit) => {
  const place = rareSigns.indexOf(String.fromCharCode(unit));
  return place < 0 ? 0 : 1 << place;
});
const firstCommonSign = rareSigns.indexOf('`');
const rareMask = (1 << firstCommonSign) - 1;

/** Cheap, and true of nearly every suffix that is one. */
function hasRareSigns(line: string, at: number): boolean {
  let seen = 0;
  let before = 0;
  const end = Math.min(line.length, at + reach);
  for (let i = Math.max(0, at - reach); i < end; i++) {
    const unit = line.charCodeAt(i);
    const bit = unit < 128 ? rareBits[unit] : 0;
    seen |= (bit & rareMask) | (before !== 0 ? bit : 0);
    before = bit;
  }
  let kinds = 0;
  for (let rest = seen; rest !== 0 && kinds < rareSignsMin; rest &= rest - 1) kinds++;
  return kinds >= rareSignsMin;
}

/** Begin of the word that a place is in, or the place itself. */
function wordStart(line: string, at: number): number {
  if (at <= 0) return 0;
  const space = line.lastIndexOf(' ', at);
  return space >= 0 && at - space < reach ? space + 1 : wholeAt(line, at);
}

/** `lonely`: places of the brackets in the part. */
function findInPart(part: string, lonely: readonly number[], offset: number, found: Span[]): void {
  const { numbers, oddKinds } = piecesOf(part);
  if (oddKinds < least.signKinds) return;
  const firsts: number[] = [];
  for (let at = 0; at < numbers.length; at += numbersPerPiece) {
    if ((numbers[at + 2] & trait.apart) !== 0) firsts.push(at);
  }
  const lastFirst = Math.max(0, firsts.length - stretchWords);
  // Of the lonely brackets, the first one that is not before the stretch, and the first one behind it.
  let from = 0;
  let to = 0;
  for (let first = 0; ; first = Math.min(first + stretchStep, lastFirst)) {
    const begin = firsts[first] ?? 0;
    const behind = firsts[first + stretchWords] ?? numbers.length;
    const start = numbers[begin];
    const end = numbers[behind - numbersPerPiece + 1];
    while (lonely[from] < start) from++;
    while (lonely[to] < end) to++;
    if (to > from && isSalad(numbers, begin, behind, to - from)) add(found, offset + start, offset + end);
    if (first >= lastFirst) return;
  }
}

/** Adds a span that begins no earlier than those before it; joins it to the last where they touch. */
function add(found: Span[], start: number, end: number): void {
  const before = found.at(-1);
  if (before === undefined || before.end < start) found.push({ start, end });
  else found[found.length - 1] = { start: before.start, end };
}

/** A face made of signs, whose mouth is no bracket. */
const face = /^[:;=]['’]?-?[()[\]]+[.,!?]*$/;

/** Places of the brackets without a counterpart in the line, ascending; those of faces are none. Exported for its twin in tests. */
export function lonelyBrackets(line: string): readonly number[] {
  return lonelyAmong(line, bracketsOf(line));
}

/** `places`: of all brackets in the line. */
function lonelyAmong(line: string, places: readonly number[]): readonly number[] {
  const open: number[] = [];
  const lonely: number[] = [];
  const hasCode = line.includes('`');
  let behindFace = 0;
  for (const at of places) {
    if (at < behindFace) continue;
    behindFace = endOfFace(line, at);
    if (behindFace > at) continue;
    const counterpart = counterparts.get(line[at]);
    const before = open.at(-1) ?? -1;
    if (isQuoted(line, at) || (hasCode && isInCode(line, at))) continue;
    if (counterpart === undefined) open.push(at);
    else if (line[before] === counterpart || isInterval(line, before, at)) open.pop();
    else lonely.push(at);
  }
  return open.length === 0 ? lonely : [...lonely, ...open].sort((a, b) => a - b);
}

/** A bracket alone between backticks or quotes, of which a sentence speaks. */
function isQuoted(line: string, at: number): boolean {
  const quote = line[at - 1];
  return quote === line[at + 1] && (quote === '`' || quote === "'" || quote === '"');
}

/** A bracket in a short word between backticks. */
function isInCode(line: string, at: number): boolean {
  const begin = beginOfCode.exec(line.slice(Math.max(0, at - codeUnitsMax - 2), at));
  const rest = begin && restOfCode.exec(line.slice(at, at + codeUnitsMax + 1));
  return begin !== null && rest !== null && begin[1].length + rest[1].length <= codeUnitsMax;
}

const codeUnitsMax = 24;
const beginOfCode = /(?:^|[\s([{])`([^\s`]*)$/;
const restOfCode = /^([^\s`]+)`/;

/** `[first, last)`: what mathematics and manuals write of a range that is open at one side. */
function isInterval(line: string, start: number, end: number): boolean {
  return end - start <= intervalUnitsMax && interval.test(line.slice(start, end + 1));
}

const intervalUnitsMax = 60;
const interval = /^(?:\[[\w.+\-∞ ]+,[\w.+\-∞ ]+\)|\([\w.+\-∞ ]+,[\w.+\-∞ ]+\])$/;

/** Where the face ends whose mouth begins here: behind all the brackets in a row. `at` where there is none. */
function endOfFace(line: string, at: number): number {
  let eyes = at - 1;
  if (line[eyes] === '-') eyes--;
  if (line[eyes] === "'" || line[eyes] === '’') eyes--;
  if (line[eyes] !== ':' && line[eyes] !== ';' && line[eyes] !== '=') return at;
  // `(a <= b)`, `(by ===)`.
  if (line[eyes] === '=' && eyes > 0 && !/\s/.test(line[eyes - 1])) return at;
  let end = at;
  while (mouths.includes(line[end])) end++;
  return end === line.length || /[\s.,!?]/.test(line[end]) ? end : at;
}

/** Brackets that are mouths of faces. */
const mouths = '()[]';

function piecesOf(part: string): Pieces {
  const numbers: number[] = [];
  const odd = new Map<string, number>();
  let before = -1;
  for (let at = 0; at < part.length; ) {
    const start = at;
    const kind = kinds[part.charCodeAt(at)];
    if (kind === space) {
      at++;
      continue;
    }
    do at++;
    while (at < part.length && (kinds[part.charCodeAt(at)] === kind || (kind === word && joinsWords(part, at))));
    const isApart = start > before;
    before = at;
    let traits = isApart ? trait.apart : 0;
    if (kind === word) traits |= trait.word;
    else {
      const piece = part.slice(start, at);
      if (quotePair.test(piece)) traits |= trait.quotePair;
      const isSpacedAfter = at === part.length || kinds[part.charCodeAt(at)] === space;
      if (isOdd(piece, isApart, isSpacedAfter)) {
        const number = odd.get(piece) ?? odd.size;
        odd.set(piece, number);
        traits |= trait.odd | (number << oddShift);
      }
    }
    numbers.push(start, at, traits);
  }
  return { numbers, oddKinds: odd.size };
}

const [sign, space, word] = [0, 1, 2];
/** Of every unit: white space, part of a word in any script, or a sign. */
const kinds: Uint8Array = letterUnits.map((isLetter) => (isLetter === 1 ? word : sign));
markUnits(kinds, /\s+/g, space);

/** An apostrophe or a hyphen between two letters. */
function joinsWords(part: string, at: number): boolean {
  const unit = part.charCodeAt(at);
  return (unit === 0x27 || unit === 0x2d || unit === 0x2019) && kinds[part.charCodeAt(at + 1)] === word;
}

const quotePair = /["'],|":/;

/** Judges the pieces from `begin` up to `behind`. */
function isSalad(numbers: Pieces['numbers'], begin: number, behind: number, brackets: number): boolean {
  let words = 0;
  let neighbours = 0;
  let odd = 0;
  let quotePairs = 0;
  let before = 0;
  const signKinds = new Set<number>();
  for (let at = begin; at < behind; at += numbersPerPiece) {
    const traits = numbers[at + 2];
    if ((traits & trait.word) !== 0) {
      words++;
      if ((traits & trait.apart) !== 0 && (before & trait.word) !== 0) neighbours++;
    } else if ((traits & trait.quotePair) !== 0) quotePairs++;
    if ((traits & trait.odd) !== 0) {
      odd++;
      signKinds.add(traits >> oddShift);
    }
    before = traits;
  }
  return (
    quotePairs <= quotePairsMax &&
    words >= least.words &&
    signKinds.size >= least.signKinds &&
    signKinds.size >= least.variety * odd &&
    neighbours >= least.neighbours * words &&
    odd >= (brackets > 1 ? oddSigns.withMore : oddSigns.withOne) * words
  );
}

const closing = /^(?:[.,;:!?…]|\.\.\.|[.!?]?["'”’)]|["'”’)][.,;:!?]|["”’']\)|\?!|[!?]{2,3})$/;
const opening = /^["'“‘(]$/;
const between = /^(?:[-–—&+/=]|--)$/;
const within = /^[-/.:_@&]$/;

/** True for signs that do not stand where writers put them. */
function isOdd(signs: string, isSpacedBefore: boolean, isSpacedAfter: boolean): boolean {
  if (face.test(signs)) return false;
  if (isSpacedBefore === isSpacedAfter) return !between.test(signs) && (isSpacedBefore || !within.test(signs));
  return !(isSpacedBefore ? opening : closing).test(signs);
}
