import type { Span } from '../../domain/span.js';
import { hasDrawnWord, shortened } from './drawn-words.js';
import { viewBit } from './kinds.js';
import { letterNumber } from './natural.js';
import type { Speller } from './speller.js';
import { endOfLetters, isOrdinary, lettersOf, pieceAfter, piecesOf, readingsOf, startOfLetters } from './torn-words.js';
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
/** Words that English does not do without for long, which are too short to be misspelt, and what is left of them without vowels. */
const shortWords: ReadonlySet<number> = new Set(
  `the and you all of for any are my to it is be if not how who now this that what with has from by at or do we th nd ll yr fr`
    .split(' ')
    .map((word) => [...word].reduce((key, letter) => shortKey(key, letterNumber(letter.charCodeAt(0))), 0)),
);
/** Letters of the longest of them: their keys have five bits for each. */
const shortMax = 4;
/** Units of a text in English that has one of them. */
const messageMin = 80;

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
  if (parent.text.length > messageMin && !hasShortWord(parent.text) && !hasDrawnWord(parent.text)) return undefined;
  const readings = readWords(parent.text, strange, vocabulary, speller);
  if (readings.length < readMin) return undefined;
  const builder = new ViewBuilder(parent, budget);
  builder.kinds = viewBit('spelling');
  for (const stretch of stretchesOf(readings, strange)) {
    for (const { start, end, word } of withTorn(parent.text, stretch, vocabulary)) {
      builder.replace(start, end);
      builder.putText(word, start, end);
    }
  }
  return builder.finish(parent.depth + 1);
}

function shortKey(key: number, letter: number): number {
  return (key << 5) | letter;
}

function hasShortWord(text: string): boolean {
  let length = 0;
  let key = 0;
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 0;
    const letter = letterNumber(unit);
    if (letter > 0) {
      length++;
      key = shortKey(key, letter);
      continue;
    }
    // A digit or an underscore goes on with a word.
    const goesOn = (unit >= 0x30 && unit <= 0x39) || unit === 0x5f;
    if (!goesOn && length > 0 && length <= shortMax && shortWords.has(key)) return true;
    length = goesOn ? shortMax + 1 : 0;
    key = 0;
  }
  return false;
}

/** A word that is meant by a part of the text. */
interface Reading extends Span {
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
  const pieces = isWhole ? [] : piecesOf(text, { start, end }, least);
  if (pieces.length > 1) {
    const letters = lettersOf(text, pieces);
    const torn = knownOf(text, pieces, vocabulary) ?? speller.nearest(letters, 0, letters.length);
    if (torn !== undefined) return readingOf(pieces, torn);
  }
  const parted = readParted(text, start, end, least, speller);
  if (parted !== undefined) return parted;
  const letters = text.slice(start, end).toLowerCase();
  const meant = shortened(letters).find((each) => vocabulary.has(each));
  if (meant !== undefined) return { start, end, word: meant };
  const word = speller.nearest(text, start, end);
  return word === undefined || vocabulary.has(letters) ? undefined : { start, end, word };
}

function readingOf(pieces: readonly Span[], word: string): Reading {
  return { start: pieces[0].start, end: pieces[pieces.length - 1].end, word };
}

/** The known word that a torn one is. */
function knownOf(text: string, pieces: readonly Span[], vocabulary: Vocabulary): string | undefined {
  return readingsOf(text, pieces).find((word) => word.length >= shortestTorn && vocabulary.has(word));
}

const shortestTorn = 3;
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

/**
 * With all words in a stretch and around it that are torn as some of its words are, also those that no list has and those whose pieces
 * are words themselves.
 */
function withTorn(text: string, stretch: readonly Reading[], vocabulary: Vocabulary): readonly Reading[] {
  const seams = seamsOf(text, stretch);
  if (seams.length === 0) return stretch;
  const to = Math.min(text.length, stretch[stretch.length - 1].end + gapMax);
  const all: Reading[] = [];
  let next = 0;
  let end = Math.max(0, stretch[0].start - gapMax);
  for (let at = end + 1; at < to; at++) {
    for (; next < stretch.length && stretch[next].start <= at; next++) {
      all.push(stretch[next]);
      end = stretch[next].end;
      at = Math.max(at, end);
    }
    if (letterNumber(text.charCodeAt(at - 1)) === 0) continue;
    const seam = seams.find((each) => text.startsWith(each, at) && letterNumber(text.charCodeAt(at + each.length)) > 0);
    if (seam === undefined) continue;
    const pieces = piecesOf(text, { start: startOfLetters(text, at), end: at }, end);
    const known = knownOf(text, pieces, vocabulary);
    const reading = known === undefined ? { start: at, end: at + seam.length, word: '' } : readingOf(pieces, known);
    if (next < stretch.length && reading.end > stretch[next].start) continue;
    all.push(reading);
    end = reading.end;
    at = end;
  }
  return [...all, ...stretch.slice(next)];
}

/** What tears the words of a stretch, the most frequent first. */
function seamsOf(text: string, stretch: readonly Reading[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { start, end } of stretch) {
    for (let from = endOfLetters(text, start); from < end; ) {
      const piece = pieceAfter(text, from);
      if (piece === undefined || piece.end > end) break;
      const seam = text.slice(from, piece.start);
      counts.set(seam, (counts.get(seam) ?? 0) + 1);
      from = piece.end;
    }
  }
  const usual = [...counts].filter(([, count]) => count >= seamsMin).sort(([, a], [, b]) => b - a);
  return usual.slice(0, seamsMax).map(([seam]) => seam);
}

/** So often a seam occurs in a stretch that is looked for everywhere in it, and so many are looked for. */
const seamsMin = 2;
const seamsMax = 4;

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
