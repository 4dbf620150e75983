import type { Span } from '../../domain/span.js';
import { letterNumber } from './natural.js';

/** Pieces of a torn word, and units between two of them, at the most. */
const piecesMax = 8;
const seamMax = 24;

/** What tears a word: a tag or two, a comment, the end and the beginning of a string, a hyphen at the end of a line, signs. */
const seam =
  /<\/?[a-z!][^<>]{0,20}>(?:<\/?[a-z][^<>]{0,20}>)?|\/\*[^*]{0,16}\*\/|["'`] ?[+.&,]? ?["'`]|-[ \t]*\r?\n[ \t]*|[^A-Za-z0-9\s\x80-\uffff]{1,6}/iy;

/** Units of a seam at most that ends neither with a tag nor with a comment. */
const shortSeamMax = 6;
const endsLongSeams: ReadonlySet<number> = new Set([0x3e, 0x2f]);
/** What begins a seam that has white space in the second place. */
const holdsSpace: ReadonlySet<number> = new Set([...'"\'`-'].map((sign) => sign.charCodeAt(0)));

/**
 * The pieces of the word that `piece`, which is letters, is part of, with what stands between them; none of them begins before
 * `least`. One where it is a whole word.
 */
export function piecesOf(text: string, piece: Span, least: number): readonly Span[] {
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
  return pieces;
}

function pieceBefore(text: string, start: number, least: number): Span | undefined {
  if (isOrdinary(text.charCodeAt(start - 1))) return undefined;
  const reach = endsLongSeams.has(text.charCodeAt(start - 1)) ? seamMax : shortSeamMax + 1;
  // The longest seam, because a tag has letters, too.
  for (let end = Math.max(least, start - reach) + 1; end < start; end++) {
    if (letterNumber(text.charCodeAt(end - 1)) === 0) continue;
    if (pieceAfter(text, end)?.start === start) return { start: startOfLetters(text, end), end };
  }
  return undefined;
}

/** The letters that go on, behind a seam, what ends at `end`. */
export function pieceAfter(text: string, end: number): Span | undefined {
  const unit = text.charCodeAt(end);
  // Most are a comma or a stop that a space follows.
  if (isOrdinary(unit) || (!(text.charCodeAt(end + 1) > 0x20) && !holdsSpace.has(unit))) return undefined;
  seam.lastIndex = end;
  const found = seam.exec(text);
  if (found === null) return undefined;
  const start = end + found[0].length;
  const stop = endOfLetters(text, start);
  return stop > start ? { start, end: stop } : undefined;
}

/** White space, letters, and what is beyond ASCII: none of them begins a seam or ends one. */
export function isOrdinary(unit: number): boolean {
  return unit <= 0x20 || unit >= 0x80 || Number.isNaN(unit) || letterNumber(unit) > 0;
}

export function endOfLetters(text: string, start: number): number {
  let end = start;
  while (letterNumber(text.charCodeAt(end)) > 0) end++;
  return end;
}

export function startOfLetters(text: string, end: number): number {
  let start = end;
  while (letterNumber(text.charCodeAt(start - 1)) > 0) start--;
  return start;
}

const vowels = [...'aeiou'];

/** The letters of pieces, small. */
export function lettersOf(text: string, pieces: readonly Span[]): string {
  return pieces.map(({ start, end }) => text.slice(start, end).toLowerCase()).join('');
}

/** The ways to read pieces: put together, and with up to two signs that hide letters between them as vowels (`s*cr*t`). */
export function readingsOf(text: string, pieces: readonly Span[]): readonly string[] {
  const letters = pieces.map((piece) => lettersOf(text, [piece]));
  const signs = pieces.slice(1).map(({ start }, place) => text.slice(pieces[place].end, start));
  if (signs.length > 2 || !signs.every((sign) => hiding.includes(sign))) return [letters.join('')];
  const starred = letters
    .slice(1)
    .reduce((heads, tail) => heads.flatMap((head) => vowels.map((vowel) => head + vowel + tail)), [letters[0]]);
  return [letters.join(''), ...starred];
}

const hiding: readonly string[] = ['*', '#', '@'];
