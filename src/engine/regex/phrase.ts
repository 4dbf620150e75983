import { limits } from '../../domain/limits.js';
import { isWordUnit, unspacedPattern, unspacedScripts, wordCharacters } from '../text/word.js';
import { PatternError } from './read-regex.js';
import type { Shape } from './shape.js';

/** A phrase as its author wrote it, parsed. See `rules/README.md` for the notation. */
export interface Phrase {
  readonly words: PhrasePart;
  /** False where the phrase is in a script written without spaces: white space between its parts is optional. */
  readonly spaced: boolean;
}

export type PhrasePart =
  | { readonly kind: 'word'; readonly text: string; readonly open: boolean }
  | { readonly kind: 'gap'; readonly wordsMax: number }
  | { readonly kind: 'words'; readonly parts: readonly PhrasePart[] }
  | { readonly kind: 'choice'; readonly options: readonly PhrasePart[]; readonly optional: boolean };

const gapWordsMax = 8;
/** Characters that `instruct*` may add to the word. */
export const openUnitsMax = 12;
/**
 * Longest word, in UTF-16 units, that a gap passes over; a longer run of non-space ends the phrase. Of code points beyond the BMP it
 * may have any number up to half as many in all, else none: so its units, which windows are made of, are as few as its letters.
 */
export const gapWordUnitsMax = 32;
export const gapWordPointsMax: number = gapWordUnitsMax / 2;
/** Punctuation that may follow the word before a gap, so that a gap passes over the end of a sentence. */
export const gapPunctuationMax = 3;
/** Code points that one word of a gap stands for in a script without spaces. */
const unspacedWordPointsMax = 4;
/** What no gap passes over in such scripts, whose sentences end without white space, but the end of what is quoted. */
const unspacedSentenceEnds = '。！？；!?;';

/** Parses a phrase. Throws `PatternError` with the offset of the first problem. */
export function parsePhrase(source: string): Phrase {
  const reader = new PhraseReader(source);
  const phrase = reader.words();
  const rest = source[reader.index];
  if (rest === '|') throw new PatternError('alternatives stand in brackets: (a|b)', reader.index);
  if (rest !== undefined)
    throw new PatternError(`${rest} closes nothing; the character itself is \\${rest}`, reader.index);
  const spaced = !unspacedPattern.test(source);
  if (spaced && (edges(phrase, 'first').size > 1 || edges(phrase, 'last').size > 1)) {
    throw new PatternError('at its edge a phrase has either letters or punctuation in all spellings: write two', 0);
  }
  return { words: phrase, spaced };
}

/** What the phrase can match, for prefilters. */
export function phraseShape(phrase: Phrase): Shape {
  const parts: Shape[] = [];
  if (phrase.spaced) parts.push({ kind: 'border' });
  pushShape(phrase.words, 'none', phrase.spaced, parts);
  if (phrase.spaced) parts.push({ kind: 'border' });
  return { kind: 'sequence', parts };
}

/**
 * The same phrase as an RE2 source (Unicode mode, ignore case), the words in a group named `hit`. Word borders are
 * spelled out, because RE2's `\b` knows ASCII only; they take in the neighbouring character, so a further search
 * goes on from the end of `hit`.
 */
export function phraseRegex(phrase: Phrase): string {
  const before = phrase.spaced && edges(phrase.words, 'first').has('word') ? `(?:^|${borderRegex})` : '';
  const after = phrase.spaced && edges(phrase.words, 'last').has('word') ? `(?:$|${borderRegex})` : '';
  return `${before}(?<hit>${regexOf(phrase.words, 'none', phrase.spaced)})${after}`;
}

/**
 * A pattern's RE2 source. Phrases keep none: theirs are nine tenths of all sources, and nobody asks for them but the twin of
 * the phrase matcher.
 */
export function regexSourceOf({
  source,
  phrase,
}: {
  readonly source: string;
  readonly phrase?: string | undefined;
}): string {
  return phrase === undefined ? source : phraseRegex(parsePhrase(phrase));
}

const borderRegex = `[^${wordCharacters}]|[${unspacedScripts}]`;

/** Where the white space goes that separates a part from its neighbour: an optional part carries its own. */
export type Separator = 'none' | 'before' | 'after';

const spaceClass = '\\s\\v\\u0085\\p{Z}';
const gapWordRegex = `(?:[^${spaceClass}\\u{10000}-\\u{10ffff}]{1,${gapWordUnitsMax}}|[^${spaceClass}]{1,${gapWordPointsMax}})`;

/**
 * One separator stands between neighbours that are both present. The first part that is certain to be present
 * is the pivot: parts before it carry their separator behind them, parts after it in front of them.
 */
export function separators(parts: readonly PhrasePart[]): readonly Separator[] {
  const pivot = parts.findIndex((part) => !isOptional(part));
  return parts.map((_, index) => (index === pivot ? 'none' : index < pivot ? 'after' : 'before'));
}

function regexOf(part: PhrasePart, separator: Separator, spaced: boolean): string {
  const space = `[${spaceClass}]${spaced ? '+' : '*'}`;
  const before = separator === 'before' ? space : '';
  const after = separator === 'after' ? space : '';
  switch (part.kind) {
    case 'word':
      return `${before}${escapeRegex(part.text)}${part.open ? `[\\p{L}\\p{M}\\p{N}]{0,${openUnitsMax}}` : ''}${after}`;
    case 'gap':
      return spaced
        ? `\\p{P}{0,${gapPunctuationMax}}(?:${before}${gapWordRegex}${after}){0,${part.wordsMax}}`
        : `(?:[^${spaceClass}${unspacedSentenceEnds}]|。」){0,${part.wordsMax * unspacedWordPointsMax}}`;
    case 'words': {
      const sides = separators(part.parts);
      return `${before}${part.parts.map((each, index) => regexOf(each, sides[index], spaced)).join('')}${after}`;
    }
    case 'choice': {
      const options = part.options.map((option) => regexOf(option, separator, spaced)).join('|');
      return `(?:${options})${part.optional ? '?' : ''}`;
    }
  }
}

function pushShape(part: PhrasePart, separator: Separator, spaced: boolean, into: Shape[]): void {
  if (part.kind === 'choice') {
    const options = part.options.map((option): Shape => {
      const parts: Shape[] = [];
      pushShape(option, separator, spaced, parts);
      return { kind: 'sequence', parts };
    });
    if (part.optional) options.push({ kind: 'text', text: '' });
    into.push({ kind: 'choice', options });
    return;
  }
  if (part.kind === 'gap') {
    const wordUnits = spaced ? gapWordUnitsMax + 1 : unspacedWordPointsMax * 2;
    into.push({ kind: 'unknown', unitsMax: part.wordsMax * wordUnits + gapPunctuationMax * 2 });
    return;
  }
  const space: Shape = { kind: 'space', optional: !spaced };
  if (separator === 'before') into.push(space);
  if (part.kind === 'word') {
    into.push({ kind: 'text', text: part.text });
    if (part.open) into.push({ kind: 'unknown', unitsMax: openUnitsMax * 2 });
  } else {
    const sides = separators(part.parts);
    part.parts.forEach((each, index) => {
      pushShape(each, sides[index], spaced, into);
    });
  }
  if (separator === 'after') into.push(space);
}

/** True if the part can be absent. A gap can: it passes over none to `wordsMax` words. */
function isOptional(part: PhrasePart): boolean {
  return part.kind === 'gap' || (part.kind === 'choice' && part.optional);
}

/** What the phrase's first or last character can be, over all spellings. */
export function edges(part: PhrasePart, side: 'first' | 'last'): ReadonlySet<'word' | 'other'> {
  switch (part.kind) {
    case 'gap':
      return new Set();
    case 'word': {
      const unit = part.text.charCodeAt(side === 'first' ? 0 : part.text.length - 1);
      return new Set([isWordUnit(unit) || (part.open && side === 'last') ? 'word' : 'other']);
    }
    case 'choice':
      return new Set(part.options.flatMap((option) => [...edges(option, side)]));
    case 'words': {
      const found = new Set<'word' | 'other'>();
      for (const each of side === 'first' ? part.parts : part.parts.toReversed()) {
        for (const edge of edges(each, side)) found.add(edge);
        if (!isOptional(each)) break;
      }
      return found;
    }
  }
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * A word with an apostrophe is also written with that of telephones and word processors; one whose parts a zero-width non-joiner keeps
 * apart, as in Persian, also with a space there, or with nothing.
 */
function inAllSpellings(text: string, open: boolean): PhrasePart {
  const word = (spelling: string, isOpen = open): PhrasePart => ({ kind: 'word', text: spelling, open: isOpen });
  const apostrophes = /['’]/.test(text) ? ["'", '’'] : [''];
  const options = apostrophes.flatMap((apostrophe): readonly PhrasePart[] => {
    const spelling = text.replaceAll(/['’]/g, apostrophe);
    const parts = spelling.split(joiner).filter(Boolean);
    if (parts.length < 2) return [word(spelling)];
    const apart = parts.map((part, index) => word(part, open && index === parts.length - 1));
    return [word(spelling), word(parts.join('')), { kind: 'words', parts: apart }];
  });
  return options.length === 1 ? options[0] : { kind: 'choice', options, optional: false };
}

const joiner = '\u200c';

class PhraseReader {
  readonly source: string;
  index = 0;
  private depth = 0;

  constructor(source: string) {
    if (source.length > limits.patternSourceMax) {
      throw new PatternError(`longer than ${limits.patternSourceMax} characters`, limits.patternSourceMax);
    }
    this.source = source;
  }

  /** Words, gaps and groups up to the end or to a `|` or closing bracket, which is left for the caller. */
  words(): PhrasePart {
    const parts: PhrasePart[] = [];
    for (;;) {
      this.skipSpace();
      const next = this.source[this.index];
      if (next === undefined || next === '|' || next === ')' || next === ']') break;
      parts.push(this.part(next));
    }
    if (parts.length === 0) throw new PatternError('a word is missing here', this.index);
    if (parts.every(isOptional)) throw new PatternError('at least one word here must not be optional', this.index);
    const isCertain = (part: PhrasePart): boolean => !isOptional(part);
    const [first, last] = [parts.findIndex(isCertain), parts.findLastIndex(isCertain)];
    if (parts.some(({ kind }, index) => kind === 'gap' && (index < first || index > last))) {
      throw new PatternError('a gap stands between two words that are not optional', this.index);
    }
    return parts.length === 1 ? parts[0] : { kind: 'words', parts };
  }

  private part(next: string): PhrasePart {
    if (next === '(') return this.group(')', false);
    if (next === '[') return this.group(']', true);
    if (next === '<') return this.gap();
    return this.word();
  }

  private group(close: string, optional: boolean): PhrasePart {
    const open = this.index;
    if (++this.depth > 8) throw new PatternError('groups nest deeper than 8', open);
    const options: { readonly part: PhrasePart; readonly length: number }[] = [];
    do {
      const from = ++this.index;
      options.push({ part: this.words(), length: this.index - from });
    } while (this.source[this.index] === '|');
    // So that of "last" and "last one" the longer one is taken, as it is where every spelling is a needle.
    options.sort((a, b) => b.length - a.length);
    if (this.source[this.index] !== close) throw new PatternError(`${this.source[open]} is not closed`, open);
    this.index++;
    this.depth--;
    this.expectBreak();
    return { kind: 'choice', options: options.map(({ part }) => part), optional };
  }

  private gap(): PhrasePart {
    const open = this.index;
    const written = /^<(\d)>/.exec(this.source.slice(open, open + 3));
    const wordsMax = written ? Number(written[1]) : 0;
    if (wordsMax < 1 || wordsMax > gapWordsMax) throw new PatternError('a gap is written <1> to <8>', open);
    this.index += 3;
    this.expectBreak();
    return { kind: 'gap', wordsMax };
  }

  private word(): PhrasePart {
    const start = this.index;
    let text = '';
    let open = false;
    for (let next = this.source[start]; next !== undefined && !/[\s()[\]<>|]/.test(next); ) {
      if (next === '*') {
        open = true;
        this.index++;
        this.expectBreak();
        break;
      }
      if (next === '\\') next = this.source[++this.index];
      if (next === undefined) throw new PatternError('nothing follows the backslash', this.index - 1);
      text += next;
      next = this.source[++this.index];
    }
    if (text === '') throw new PatternError(`a word is missing before ${this.source[start]}`, start);
    return inAllSpellings(text, open);
  }

  /** After a group, a gap or `*` the next part must be set off by white space, else two words would run together. */
  private expectBreak(): void {
    const next = this.source[this.index];
    if (next !== undefined && !/[\s)\]|]/.test(next)) throw new PatternError('white space is missing here', this.index);
  }

  private skipSpace(): void {
    while (/\s/.test(this.source[this.index] ?? '')) this.index++;
  }
}
