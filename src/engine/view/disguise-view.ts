import type { Span } from '../../domain/span.js';
import { disguisedWords, known } from './disguised-words.js';
import { viewBit, viewBits } from './kinds.js';
import { disguisedParts, disguiseWeights, letterNumber, rotate } from './natural.js';
import { likeliestSubstitution, substitute } from './substitution.js';
import { partsOf, reason, type Survey } from './survey.js';
import { turnedLetters } from './turned-letters.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';
import type { Vocabulary } from './words.js';

/** Known words, weighted by length, that a stretch must gain by being read otherwise. */
const gainMin = 2.5;

/** The text with stretches of rot13 read; undefined where no known words appear. */
export function rot13View(parent: View, budget: ViewBudget, vocabulary: Vocabulary, survey: Survey): View | undefined {
  const { text } = parent;
  const where = disguisedParts(text, suspectParts(text, survey), disguiseWeights.rot13);
  if (where.length === 0) return undefined;
  return lettersView(parent, budget, findStretches(text, where, knownAs(vocabulary, known.rot13)), rotate);
}

/**
 * The text with stretches read in which each letter stands for another one, a number of places on in the alphabet or as far
 * from its other end (Caesar, atbash); undefined where no known words appear. One such cipher a text.
 */
export function substitutedView(
  parent: View,
  budget: ViewBudget,
  vocabulary: Vocabulary,
  survey: Survey,
): View | undefined {
  const { text } = parent;
  const substitution = likeliestSubstitution(text, partsOf(survey, reason.unnatural, 0, text.length));
  if (substitution === undefined) return undefined;
  const read = (unit: number) => substitute(unit, substitution);
  const stretches = findStretches(
    text,
    suspectParts(text, survey),
    readAs(vocabulary, (word) => readWord(word, read)),
  );
  return lettersView(parent, budget, stretches, read);
}

/** The text with stretches in which each letter is read as another one. */
function lettersView(
  parent: View,
  budget: ViewBudget,
  stretches: readonly Span[],
  read: (unit: number) => number,
): View | undefined {
  const builder = new ViewBuilder(parent, budget);
  builder.kinds = viewBit('rot13');
  for (const { start, end } of stretches) {
    builder.replace(start, end);
    for (let i = start; i < end; i++) builder.put(read(parent.text.charCodeAt(i)), i, i + 1);
  }
  return builder.finish(parent.depth + 1);
}

/**
 * The text with stretches that are written backwards read, as a whole and word by word: both are in use, and in one
 * view each would stand in the other's way.
 */
export function reversedViews(
  parent: View,
  budget: ViewBudget,
  vocabulary: Vocabulary,
  survey: Survey,
): readonly (View | undefined)[] {
  const { text } = parent;
  const where = disguisedParts(text, suspectParts(text, survey), disguiseWeights.reversed);
  if (where.length === 0) return [];
  const stretches = findStretches(text, where, knownAs(vocabulary, known.reversed));
  return backwardViews(parent, budget, stretches, /[A-Za-z]+/g, viewBit('reversed'), (unit) => unit);
}

/** The text with stretches read that are written upside down, which is backwards in letters that were turned. */
export function turnedViews(parent: View, budget: ViewBudget, vocabulary: Vocabulary): readonly (View | undefined)[] {
  const kinds = viewBits(['reversed', 'confusable']);
  const read = (unit: number) => turnedLetters.get(unit) ?? unit;
  const knowledge = readAs(vocabulary, (word) => [...readWord(word, read)].reverse().join(''));
  const stretches = findStretches(parent.text, [0, parent.text.length], knowledge);
  return backwardViews(parent, budget, stretches, turnedWords, kinds, read);
}

function backwardViews(
  parent: View,
  budget: ViewBudget,
  stretches: readonly Span[],
  words: RegExp,
  kinds: number,
  read: (unit: number) => number,
): readonly (View | undefined)[] {
  const { text } = parent;
  const readBackward = (parts: readonly Span[]): View | undefined => {
    const builder = new ViewBuilder(parent, budget);
    builder.kinds = kinds;
    for (const { start, end } of parts) {
      builder.replace(start, end);
      for (let i = end - 1; i >= start; i--) builder.put(read(text.charCodeAt(i)), i, i + 1);
    }
    return builder.finish(parent.depth + 1);
  };
  const wordsOf = ({ start, end }: Span): readonly Span[] =>
    [...text.slice(start, end).matchAll(words)].map(({ index, 0: word }) => ({
      start: start + index,
      end: start + index + word.length,
    }));
  return [readBackward(stretches), readBackward(stretches.flatMap(wordsOf))];
}

/** How the word in a part of a text is known: as it stands, read otherwise, both or neither. */
type Knowledge = (text: string, start: number, end: number) => number;

const isPlain = 1;
const isDisguised = 2;

function readAs(vocabulary: Vocabulary, read: (word: string) => string): Knowledge {
  return (text, start, end) => {
    const word = text.slice(start, end).toLowerCase();
    return (vocabulary.has(word) ? isPlain : 0) | (vocabulary.has(read(word)) ? isDisguised : 0);
  };
}

function readWord(word: string, read: (unit: number) => number): string {
  let reading = '';
  for (let i = 0; i < word.length; i++) reading += String.fromCharCode(read(word.charCodeAt(i)));
  return reading;
}

function knownAs(vocabulary: Vocabulary, disguise: number): Knowledge {
  const words = disguisedWords(vocabulary);
  return (text, start, end) => {
    const bits = words(text, start, end);
    return ((bits & known.plain) === 0 ? 0 : isPlain) | ((bits & disguise) === 0 ? 0 : isDisguised);
  };
}

/** Units around a suspect place in which a stretch is looked for that goes over it. */
const suspectMargin = 64;

function suspectParts(text: string, survey: Survey): readonly number[] {
  return partsOf(survey, reason.unnatural, suspectMargin, text.length);
}

/**
 * In the parts of the text that `where` names (start and end, flat): stretches of words that are known when read
 * otherwise and unknown as they stand, with the unknown words around them. A stretch is where the gain of a running
 * sum stays above 0.
 */
function findStretches(text: string, where: readonly number[], knowledge: Knowledge): readonly Span[] {
  const found: Span[] = [];
  let open: { start: number; end: number; gain: number; best: number } | undefined;
  const close = (): void => {
    if (open && open.best >= gainMin) found.push({ start: open.start, end: open.end });
    open = undefined;
  };
  for (let part = 0; part < where.length; part += 2) {
    const to = wordEnd(text, where[part + 1]);
    for (let end = wordStart(text, where[part]); end < to; ) {
      if (wordUnits[text.charCodeAt(end)] !== 1) {
        end++;
        continue;
      }
      const start = end;
      while (end < to && end - start < wordMax && wordUnits[text.charCodeAt(end)] === 1) end++;
      const gain = gainOf(end - start, knowledge(text, start, end));
      if (!open) {
        if (gain < 0) continue;
        open = { start, end, gain: 0, best: 0 };
      }
      open.gain += gain;
      if (gain >= 0 && open.gain > 0) open.end = end;
      if (open.gain > open.best) open.best = open.gain;
      if (open.gain < 0 || open.gain < open.best - gainMin) close();
    }
    close();
  }
  return found;
}

/** Longer words are judged piece by piece. */
const wordMax = 32;
/** Letters, upright or turned. */
const wordUnits = Uint8Array.from({ length: 0x1e00 }, (_, unit) =>
  letterNumber(unit) > 0 || turnedLetters.has(unit) ? 1 : 0,
);

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

function gainOf(length: number, knowledge: number): number {
  if (length < 3) return (knowledge & isPlain) === 0 ? 0 : -0.4;
  const weight = length < 5 ? 1 : 1.5;
  if (knowledge === isDisguised) return weight;
  return knowledge === isPlain ? -weight : 0;
}

const turnedWords = /[A-Za-zɐɔǝɟƃɥᴉıɾʞɯɹʇʌʍʎ]+/g;
