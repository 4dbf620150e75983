import { isWordUnit } from '../text/word.js';
import { viewBit, viewBits } from './kinds.js';
import { disguisedParts, disguiseWeights, letterNumber, rotate } from './natural.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';
import type { Vocabulary } from './words.js';

/** Known words, weighted by length, that a stretch must gain by being read otherwise. */
const gainMin = 2.5;

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The text with stretches of rot13 read; undefined where no known words appear. */
export function rot13View(parent: View, budget: ViewBudget, vocabulary: Vocabulary): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  for (const { start, end } of findStretches(
    text,
    disguisedParts(text, disguiseWeights.rot13),
    vocabulary,
    rotateWord,
  )) {
    builder.kinds = viewBit('rot13');
    builder.replace(start, end);
    for (let i = start; i < end; i++) builder.put(rotate(text.charCodeAt(i)), i, i + 1);
  }
  return builder.finish(parent.depth + 1);
}

/**
 * The text with stretches that are written backwards read: first as a whole, then word by word, because both are in
 * use.
 */
export function reversedView(parent: View, budget: ViewBudget, vocabulary: Vocabulary): View | undefined {
  const where = disguisedParts(parent.text, disguiseWeights.reversed);
  return backwardView(parent, budget, vocabulary, where, /[A-Za-z]+|[^A-Za-z]+/g, viewBit('reversed'), (unit) => unit);
}

/** The text with stretches read that are written upside down, which is backwards in letters that were turned. */
export function turnedView(parent: View, budget: ViewBudget, vocabulary: Vocabulary): View | undefined {
  const kinds = viewBits(['reversed', 'confusable']);
  const where = [0, parent.text.length];
  return backwardView(parent, budget, vocabulary, where, turnedWords, kinds, (unit) => turnedLetters.get(unit) ?? unit);
}

/** Some letters that have no other use than to be read upside down. */
export function hasTurnedLetters(text: string): boolean {
  return /[ǝɐɹʇɥɯʎʌƃ][\s\S]*?[ǝɐɹʇɥɯʎʌƃ][\s\S]*?[ǝɐɹʇɥɯʎʌƃ]/.test(text);
}

function backwardView(
  parent: View,
  budget: ViewBudget,
  vocabulary: Vocabulary,
  where: readonly number[],
  parts: RegExp,
  kinds: number,
  read: (unit: number) => number,
): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  const readWord = (word: string): string => {
    let backward = '';
    for (let i = word.length - 1; i >= 0; i--) backward += String.fromCharCode(read(word.charCodeAt(i)));
    return backward;
  };
  for (const { start, end } of findStretches(text, where, vocabulary, readWord)) {
    builder.kinds = kinds;
    builder.replace(start, end);
    for (let i = end - 1; i >= start; i--) builder.put(read(text.charCodeAt(i)), i, i + 1);
    builder.put(0x0a, start, end);
    for (const { index, 0: part } of text.slice(start, end).matchAll(parts)) {
      const from = start + index;
      const isWord = isWordUnit(part.charCodeAt(0));
      for (let i = 0; i < part.length; i++) {
        const at = isWord ? from + part.length - 1 - i : from + i;
        builder.put(isWord ? read(text.charCodeAt(at)) : text.charCodeAt(at), at, at + 1);
      }
    }
  }
  return builder.finish(parent.depth + 1);
}

/**
 * In the parts of the text `where` says (start and end, flat): stretches of words that are known when read otherwise and unknown as they stand, with the unknown words around
 * them. A stretch is where the gain of a running sum stays above 0.
 */
function findStretches(
  text: string,
  where: readonly number[],
  vocabulary: Vocabulary,
  read: (word: string) => string,
): readonly Stretch[] {
  const found: Stretch[] = [];
  let open: { start: number; end: number; gain: number; best: number } | undefined;
  const close = (): void => {
    if (open && open.best >= gainMin) found.push({ start: open.start, end: open.end });
    open = undefined;
  };
  for (let part = 0; part < where.length; part += 2) {
    const from = wordStart(text, where[part]);
    for (const { index, 0: word } of text.slice(from, wordEnd(text, where[part + 1])).matchAll(wordPattern)) {
      const start = from + index;
      const gain = gainOf(word.toLowerCase(), vocabulary, read);
      if (!open) {
        if (gain < 0) continue;
        open = { start, end: start + word.length, gain: 0, best: 0 };
      }
      open.gain += gain;
      if (gain >= 0 && open.gain > 0) open.end = start + word.length;
      if (open.gain > open.best) open.best = open.gain;
      if (open.gain < 0 || open.gain < open.best - gainMin) close();
    }
    close();
  }
  return found;
}

const wordPattern = /[A-Za-zɐɔǝɟƃɥᴉıɾʞɯɹʇʌʍʎ]{1,32}/g;

/** A part does not begin or end within a word. */
function wordStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && letterNumber(text.charCodeAt(start - 1)) > 0) start--;
  return start;
}

function wordEnd(text: string, to: number): number {
  let end = to;
  while (end < text.length && letterNumber(text.charCodeAt(end)) > 0) end++;
  return end;
}

function gainOf(word: string, vocabulary: Vocabulary, read: (word: string) => string): number {
  const isKnown = vocabulary.has(word);
  if (word.length < 3) return isKnown ? -0.4 : 0;
  if (vocabulary.has(read(word)) === isKnown) return 0;
  const weight = word.length < 5 ? 1 : 1.5;
  return isKnown ? -weight : weight;
}

function rotateWord(word: string): string {
  let rotated = '';
  for (let i = 0; i < word.length; i++) rotated += String.fromCharCode(rotate(word.charCodeAt(i)));
  return rotated;
}

/** What each letter is upside down, where it is another one. */
const turnedLetters: ReadonlyMap<number, number> = new Map(
  [
    'ɐa',
    'qb',
    'ɔc',
    'pd',
    'ǝe',
    'ɟf',
    'ƃg',
    'ɥh',
    'ᴉi',
    'ıi',
    'ɾj',
    'ʞk',
    'ɯm',
    'un',
    'dp',
    'bq',
    'ɹr',
    'ʇt',
    'nu',
    'ʌv',
    'ʍw',
    'ʎy',
  ].map(([turned, letter]) => [turned.charCodeAt(0), letter.charCodeAt(0)]),
);
const turnedWords = /[A-Za-zɐɔǝɟƃɥᴉıɾʞɯɹʇʌʍʎ]+|[^A-Za-zɐɔǝɟƃɥᴉıɾʞɯɹʇʌʍʎ]+/g;
