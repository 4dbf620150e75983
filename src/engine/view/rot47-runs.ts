import type { Span } from '../../domain/span.js';
import { addByte, emptyBytes } from './bytes.js';
import type { DecodedRun } from './decoded-run.js';
import { viewBit } from './kinds.js';
import type { Vocabulary } from './words.js';

/** Fewest known words of a stretch, of three letters or more. */
const knownMin = 3;
/** Share of a stretch that is letters of known words; chance puts some into any row of signs. */
const knownShare = 0.25;
/** Most words, since the last known one, that are neither known nor made of small letters. */
const unknownMax = 4;

/**
 * Stretches of rot47 in parts of a text (start and end, flat), in which each printable sign stands for the one 47 places
 * on: such in which known words appear so. Linear.
 */
export function rot47Runs(text: string, parts: readonly number[], vocabulary: Vocabulary): readonly DecodedRun[] {
  return findStretches(text, parts, vocabulary).map(({ start, end }) => {
    const bytes = emptyBytes();
    let at = start;
    for (const character of text.slice(start, end)) {
      const read = character.length === 1 ? String.fromCharCode(rotate(character.charCodeAt(0))) : character;
      for (const byte of Buffer.from(read)) addByte(bytes, byte, at, at + character.length);
      at += character.length;
    }
    return { kind: viewBit('rot13'), start, end, bytes };
  });
}

const first = 0x21;
const last = 0x7e;
const signs = last - first + 1;

function rotate(unit: number): number {
  return unit < first || unit > last ? unit : first + ((unit - first + signs / 2) % signs);
}

/** `2` to `K` are the small letters; English as it stands has few of these signs. */
function isSmallLetter(unit: number): boolean {
  return unit >= 0x32 && unit <= 0x4b;
}

interface Stretch {
  start: number;
  end: number;
  known: number;
  knownLetters: number;
  /** Words since the last known one. */
  unknown: number;
}

/** Stretches of words that are known in rot47, with the words between them and beside them that may be in it. */
function findStretches(text: string, parts: readonly number[], vocabulary: Vocabulary): readonly Span[] {
  const found: Span[] = [];
  let open: Stretch | undefined;
  const close = (): void => {
    const isMeant = open && open.known >= knownMin && open.knownLetters >= knownShare * (open.end - open.start);
    if (open && isMeant) found.push({ start: open.start, end: open.end });
    open = undefined;
  };
  for (let part = 0; part < parts.length; part += 2) {
    const from = startOfWord(text, parts[part]);
    for (const { index, 0: written } of text.slice(from, parts[part + 1]).matchAll(/\S+/g)) {
      const start = from + index;
      const isSmall = isSmallWord(written);
      const known = open || isSmall ? knownWords(written, vocabulary) : [];
      const mayBelong = known.length > 0 || isSmall;
      if (!mayBelong && (!open || open.known === 0 || ++open.unknown > unknownMax)) close();
      if (!mayBelong) continue;
      open ??= { start, end: start, known: 0, knownLetters: 0, unknown: 0 };
      open.end = start + written.length;
      open.known += known.length;
      for (const word of known) open.knownLetters += word.length;
      if (known.length > 0) open.unknown = 0;
    }
    close();
  }
  return found;
}

/** Longer words are read from where they are suspect. */
const wordMax = 32;

function startOfWord(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < wordMax && text.charCodeAt(start - 1) > 0x20) start--;
  return start;
}

/** Most of its signs are small letters. */
function isSmallWord(written: string): boolean {
  let small = 0;
  for (let i = 0; i < written.length; i++) if (isSmallLetter(written.charCodeAt(i))) small++;
  return small * 2 > written.length;
}

/** Known words of some length that a word without white space is in rot47. */
function knownWords(written: string, vocabulary: Vocabulary): readonly string[] {
  let read = '';
  for (let i = 0; i < written.length; i++) read += String.fromCharCode(rotate(written.charCodeAt(i)));
  const words = read.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return words.filter((word) => vocabulary.has(word));
}
