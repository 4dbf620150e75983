import { viewBit } from './kinds.js';
import { letterNumber } from './natural.js';
import type { Speller } from './speller.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';
import type { Vocabulary } from './words.js';

/** Words read otherwise that a stretch has at the least, and their share of its strange ones. */
const readMin = 2;
const readShare = 0.4;
/** Units between two of them at the most. */
const gapMax = 160;
/** So many strange words in a row that are none of the speller's, and only every eighth is tried, until one is. */
const patience = 3;
const sparsely = 8;
/** Pieces of a torn word, and units between two of them, at the most. */
const piecesMax = 8;
const seamMax = 24;

/**
 * The text with words read as they are meant that are misspelt (`ignroe`, `instrctions`, `pls ignr`, `pleeease`) or torn by signs,
 * tags or spaces (`ig**nore`, `ig<b></b>nore`, `in structions`). `strange` are the offsets of the words to be tried, ascending.
 * Undefined where too few are recognized. Linear.
 */
export function spellingView(
  parent: View,
  budget: ViewBudget,
  vocabulary: Vocabulary,
  speller: Speller,
  strange: readonly number[],
): View | undefined {
  const builder = new ViewBuilder(parent, budget);
  builder.kinds = viewBit('spelling');
  for (const stretch of stretchesOf(readWords(parent.text, strange, vocabulary, speller), strange)) {
    for (const { start, end, word } of withSeams(parent.text, stretch)) {
      builder.replace(start, end);
      builder.putText(word, start, end);
    }
  }
  return builder.finish(parent.depth + 1);
}

/** A word that is meant by a part of the text. */
interface Reading {
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

function readWords(
  text: string,
  strange: readonly number[],
  vocabulary: Vocabulary,
  speller: Speller,
): readonly Reading[] {
  const readings: Reading[] = [];
  let end = 0;
  let failed = 0;
  /** Up to here none is passed over. */
  let surely = 0;
  for (let i = 0; i < strange.length; i++) {
    const start = strange[i];
    if (start < end || letterNumber(text.charCodeAt(start)) === 0) continue;
    const isSample = failed > patience && i > surely;
    if (isSample && i % sparsely !== 0) continue;
    const reading = readAt(text, start, end, vocabulary, speller);
    if (reading === undefined) failed++;
    else if (isSample) {
      // Of those that were passed over some may be read as well.
      surely = i;
      i = Math.max(0, i - sparsely);
    } else {
      readings.push(reading);
      end = reading.end;
      failed = 0;
    }
  }
  return readings;
}

/** What the word at `start` means, torn or misspelt; nothing before `least` belongs to it. */
function readAt(
  text: string,
  start: number,
  least: number,
  vocabulary: Vocabulary,
  speller: Speller,
): Reading | undefined {
  const end = endOfLetters(text, start);
  const isWhole = isOrdinary(text.charCodeAt(start - 1)) && isOrdinary(text.charCodeAt(end));
  const torn = isWhole ? undefined : readTorn(text, { start, end }, least, vocabulary, speller);
  const joined = torn ?? readParted(text, start, end, least, speller);
  if (joined !== undefined) return joined;
  const word = speller.nearest(text, start, end);
  return word === undefined || vocabulary.has(text.slice(start, end).toLowerCase()) ? undefined : { start, end, word };
}

/** The word that a piece makes with its neighbours. */
function readTorn(
  text: string,
  piece: Piece,
  least: number,
  vocabulary: Vocabulary,
  speller: Speller,
): Reading | undefined {
  const pieces = [piece];
  for (let count = 1; count < piecesMax; count++) {
    const before = pieceBefore(text, pieces[0].start, least);
    if (before === undefined) break;
    pieces.unshift(before);
  }
  for (let count = pieces.length; count < piecesMax; count++) {
    const after = pieceAfter(text, pieces[pieces.length - 1].end);
    if (after === undefined) break;
    pieces.push(after);
  }
  if (pieces.length === 1) return undefined;
  const letters = pieces.map(({ start, end }) => text.slice(start, end).toLowerCase()).join('');
  const isKnown = letters.length >= shortestTorn && vocabulary.has(letters);
  const word = isKnown ? letters : speller.nearest(letters, 0, letters.length);
  return word === undefined ? undefined : { start: pieces[0].start, end: pieces[pieces.length - 1].end, word };
}

const shortestTorn = 4;
const shortestParted = 5;

/** A word with a space in it. */
function readParted(text: string, start: number, end: number, least: number, speller: Speller): Reading | undefined {
  if (text.charCodeAt(end) === 0x20) {
    const behind = endOfLetters(text, end + 1);
    const word = behind - start > shortestParted ? speller.joined(text, start, end, end + 1, behind) : undefined;
    if (word !== undefined) return { start, end: behind, word };
  }
  if (text.charCodeAt(start - 1) !== 0x20) return undefined;
  const before = startOfLetters(text, start - 1);
  if (before < least || end - before <= shortestParted) return undefined;
  const word = speller.joined(text, before, start - 1, start, end);
  return word === undefined ? undefined : { start: before, end, word };
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

function pieceAfter(text: string, end: number): Piece | undefined {
  if (isOrdinary(text.charCodeAt(end))) return undefined;
  seam.lastIndex = end;
  const found = seam.exec(text);
  if (found === null) return undefined;
  const start = end + found[0].length;
  const stop = endOfLetters(text, start);
  return stop > start ? { start, end: stop } : undefined;
}

function pieceBefore(text: string, start: number, least: number): Piece | undefined {
  if (isOrdinary(text.charCodeAt(start - 1))) return undefined;
  // The longest seam, because a tag has letters, too.
  for (let end = Math.max(least, start - seamMax) + 1; end < start; end++) {
    if (letterNumber(text.charCodeAt(end - 1)) === 0) continue;
    if (pieceAfter(text, end)?.start === start) return { start: startOfLetters(text, end), end };
  }
  return undefined;
}

/** What tears a word: a tag, a comment, the end and the beginning of a string, a hyphen at the end of a line, signs. */
const seam =
  /<\/?[a-z!][^<>]{0,20}>(?:<\/?[a-z][^<>]{0,20}>)?|\/\*[^*]{0,16}\*\/|["'`] ?[+.&,]? ?["'`]|-[ \t]*\r?\n[ \t]*|[^A-Za-z0-9\s\x80-\uffff]{1,6}/iy;

/** White space, and what stands between words. */
function isOrdinary(unit: number): boolean {
  return unit <= 0x20 || unit >= 0x80 || Number.isNaN(unit) || letterNumber(unit) > 0;
}

function endOfLetters(text: string, start: number): number {
  let end = start;
  while (letterNumber(text.charCodeAt(end)) > 0) end++;
  return end;
}

function startOfLetters(text: string, end: number): number {
  let start = end;
  while (letterNumber(text.charCodeAt(start - 1)) > 0) start--;
  return start;
}

/** With what tears its words taken out everywhere in a stretch and around it, also where it tears words that are none of the speller's. */
function withSeams(text: string, stretch: readonly Reading[]): readonly Reading[] {
  const counts = new Map<string, number>();
  for (const { start, end } of stretch) {
    for (let at = endOfLetters(text, start); at < end; ) {
      const piece = pieceAfter(text, at);
      if (piece === undefined) break;
      const sign = text.slice(at, piece.start);
      counts.set(sign, (counts.get(sign) ?? 0) + 1);
      at = piece.end;
    }
  }
  const signs = [...counts].flatMap(([sign, count]) => (count >= seamsMin ? [sign] : []));
  if (signs.length === 0) return stretch;
  const from = Math.max(0, stretch[0].start - gapMax);
  const to = Math.min(text.length, stretch[stretch.length - 1].end + gapMax);
  const all: Reading[] = [];
  let next = 0;
  for (let at = from; at < to; at++) {
    while (next < stretch.length && stretch[next].start <= at) {
      all.push(stretch[next]);
      at = Math.max(at, stretch[next++].end);
    }
    if (letterNumber(text.charCodeAt(at - 1)) === 0) continue;
    const sign = signs.find((each) => text.startsWith(each, at) && letterNumber(text.charCodeAt(at + each.length)) > 0);
    if (sign !== undefined) all.push({ start: at, end: at + sign.length, word: '' });
  }
  all.push(...stretch.slice(next));
  return all;
}

/** So often a seam occurs that is taken out everywhere. */
const seamsMin = 3;

/** Readings that stand near each other and are many enough among the strange words there. */
function stretchesOf(readings: readonly Reading[], strange: readonly number[]): readonly (readonly Reading[])[] {
  const stretches: Reading[][] = [];
  let open: Reading[] = [];
  let unread = 0;
  let place = 0;
  const close = (): void => {
    const meant = new Set(open.map(({ word }) => word)).size;
    if (meant >= readMin && open.length >= readShare * (open.length + unread)) stretches.push(open);
    open = [];
  };
  for (const reading of readings) {
    if (open.length > 0 && reading.start - open[open.length - 1].end > gapMax) close();
    if (open.length === 0) unread = 0;
    for (; strange[place] < reading.start; place++) if (open.length > 0) unread++;
    while (strange[place] < reading.end) place++;
    open.push(reading);
  }
  close();
  return stretches;
}
