import { limits } from '../../domain/limits.js';
import type { Span } from '../../domain/span.js';
import { isSpaceUnit } from '../text/fold.js';
import { viewBit } from './kinds.js';
import { longRuns, runClass, shortestRun, unitsOf } from './long-runs.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';
import { splitWords, type Vocabulary } from './words.js';

/** Known words of a stretch, and of them such of some length. */
const knownMin = 4;
const tellingMin = 2;
const tellingLength = 5;
/** Capitals behind small letters in a run: names of code mostly have fewer. */
const humpsMin = 4;
/** Share of a stretch's letters that known words must hold. */
const knownShare = 0.7;
/** So many letters without a border are taken for several words, and where they are, fewer as well. */
const crowd = { first: 24, further: 9 } as const;

const hasCrowd = new RegExp(`[a-z]{${crowd.first}}|[A-Z]{${crowd.first}}`);
const pieces = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/**
 * The text with words set apart that are joined by underscores, capitals or nothing (`ignore_all_rules`, `IgnoreAllRules`,
 * `ignoreallrules`). Undefined where nothing between two white spaces consists of known words.
 */
export function joinedView(parent: View, budget: ViewBudget, vocabulary: Vocabulary): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  const runs = longRuns(unitsOf(text), runClass.alphabet, shortestRun.joined);
  const reader = new WordReader(vocabulary);
  let done = 0;
  for (let i = 0; i < runs.length; i += 2) {
    if (runs[i] < done || !mayHoldWords(text, runs[i], runs[i + 1])) continue;
    const start = startOfStretch(text, runs[i], done);
    done = endOfStretch(text, runs[i + 1]);
    const words = reader.wordsOf(text.slice(start, done), start);
    if (words === undefined) continue;
    builder.kinds = viewBit('joined');
    setApart(text, words, done, builder);
  }
  return builder.finish(parent.depth + 1);
}

/** Units on either side of a run that are looked at for its white space. */
const stretchMax = 4_096;

function startOfStretch(text: string, from: number, least: number): number {
  const stop = Math.max(least, from - stretchMax);
  let start = from;
  while (start > stop && !isSpaceUnit(text.charCodeAt(start - 1))) start--;
  return start;
}

function endOfStretch(text: string, from: number): number {
  const stop = Math.min(text.length, from + stretchMax);
  let end = from;
  while (end < stop && !isSpaceUnit(text.charCodeAt(end))) end++;
  return end;
}

/** Reads the stretches of one text. */
class WordReader {
  private readonly vocabulary: Vocabulary;
  /** Letters of crowds that may still be cut. */
  private lettersLeft = limits.splitLettersMax;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** The words of a stretch that begins at `offset`; undefined where too few are known. */
  wordsOf(stretch: string, offset: number): readonly Span[] | undefined {
    const words: Span[] = [];
    const crowdMin = hasCrowd.test(stretch) ? crowd.further : crowd.first;
    let letters = 0;
    let knownLetters = 0;
    let known = 0;
    let telling = 0;
    for (const { index, 0: piece } of stretch.matchAll(pieces)) {
      letters += piece.length;
      for (const { start, end } of this.cut(piece, crowdMin)) {
        words.push({ start: offset + index + start, end: offset + index + end });
        if (!this.vocabulary.has(piece.slice(start, end).toLowerCase())) continue;
        known++;
        knownLetters += end - start;
        if (end - start >= tellingLength) telling++;
      }
    }
    return known >= knownMin && telling >= tellingMin && knownLetters >= knownShare * letters ? words : undefined;
  }

  private cut(piece: string, crowdMin: number): readonly Span[] {
    const { length } = piece;
    const isWhole = length < crowdMin || length > this.lettersLeft || this.vocabulary.has(piece.toLowerCase());
    if (isWhole) return [{ start: 0, end: length }];
    this.lettersLeft -= length;
    const inner = splitWords(piece, this.vocabulary).filter((border) => border > 0 && border < length);
    return [...inner, length].map((end, place) => ({ start: inner[place - 1] ?? 0, end }));
  }
}

/** A space for each underscore between words, and where nothing stands between two. */
function setApart(text: string, words: readonly Span[], end: number, builder: ViewBuilder): void {
  words.forEach((word, place) => {
    const next = words[place + 1]?.start ?? end;
    if (next === word.end && next < end) {
      builder.replace(next, next);
      builder.put(0x20, next, next + 1);
    }
    for (let i = word.end; i < next; i++) {
      if (text[i] !== '_') continue;
      builder.replace(i, i + 1);
      builder.put(0x20, i, i + 1);
    }
  });
}

/**
 * Cheap test of a run: it has underscores or humps enough between letters, or many letters without either. In base64
 * a third of the letters are capitals or more, in words joined by them, a fifth.
 */
export function mayHoldWords(text: string, start: number, end: number): boolean {
  let underscores = 0;
  let humps = 0;
  let digits = 0;
  const letters = [0, 0, 0];
  let before = 0;
  let inRow = 0;
  let longest = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    const letterCase = caseOf(unit);
    letters[letterCase]++;
    if (letterCase === noCase) {
      if (unit === underscore) underscores++;
      else if (unit >= 0x30 && unit <= 0x39) digits++;
    } else if (letterCase === capital && before === small && inRow > 1) humps++;
    inRow = letterCase === before ? inRow + 1 : 1;
    before = letterCase;
    if (letterCase !== noCase && inRow > longest) longest = inRow;
  }
  const isRandom = letters[small] > 0 && letters[capital] * 2 > letters[small];
  if (isRandom || digits * 8 > end - start) return false;
  return underscores >= knownMin - 1 || humps >= humpsMin || longest >= crowd.first;
}

const underscore = 0x5f;
const noCase = 0;
const small = 1;
const capital = 2;

function caseOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return small;
  return unit >= 0x41 && unit <= 0x5a ? capital : noCase;
}
