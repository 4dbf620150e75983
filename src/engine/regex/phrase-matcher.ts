import { foldTable, isSpaceUnit } from '../text/fold.js';
import { isWordAt, isWordBefore } from '../text/word.js';
import { beginningKey, beginningKeys, chunkUnits, WordBeginnings } from '../text/word-beginnings.js';
import {
  edges,
  gapPunctuationMax,
  gapWordPointsMax,
  gapWordUnitsMax,
  openUnitsMax,
  type Phrase,
  type PhrasePart,
  type Separator,
  separators,
} from './phrase.js';
import type { Regex } from './re2.js';

/**
 * What remains of a phrase from some point on. Everything but `choice` is certain: it consumes what stands there or
 * fails, because what follows a word can never stand inside it.
 */
type Node =
  /** The units from `from` up to `to` of the phrase's `units`. */
  | { readonly kind: 'literal'; readonly from: number; readonly to: number; readonly next: Node }
  /** One run of white space. */
  | { readonly kind: 'space'; readonly next: Node }
  /** A word that a gap passes over: a run of anything but white space, of limited length. */
  | { readonly kind: 'word'; readonly next: Node }
  /** Punctuation that may end the word before a gap. */
  | { readonly kind: 'punctuation'; readonly next: Node }
  /** The rest of an open word (`instruct*`). */
  | { readonly kind: 'open'; readonly next: Node }
  /** The options that can match, by the first unit of what stands there, in order. */
  | { readonly kind: 'choice'; readonly number: number; readonly byUnit: ReadonlyMap<number, readonly Option[]> }
  /** The first if it matches, else the second. */
  | { readonly kind: 'either'; readonly number: number; readonly options: readonly [Node, Node] }
  | { readonly kind: 'end' };

/** What may follow, and its second and third unit, by which most options are passed over; -1 where any will do. */
interface Option {
  readonly node: Node;
  readonly second: number;
  readonly third: number;
}

/** Steps of one attempt after which choices that failed are remembered, so that an attempt stays linear. */
const stepsUntilMemory = 64;

/**
 * A matcher for phrases of spaced scripts: the same matches as RE2 gives for `phraseRegex`, which is its twin in
 * tests, in a tenth of the time, because it looks only where a first word can begin. Cost: for each word of the text a
 * look at its key, and for each place where a first word stands the number of the phrase's choices times the length of a
 * match.
 */
export function compilePhraseMatcher(phrase: Phrase): Regex {
  const compiler = new Compiler();
  const start = compiler.compile(phrase.words, 'none', { kind: 'end' });
  const units = Uint16Array.from(compiler.units);
  const attempt = new Attempt(units, edges(phrase.words, 'last').has('word'));
  if (!edges(phrase.words, 'first').has('word')) return atUnits(firstUnitsOf(start, units), start, attempt);
  return atWords(beginningsOf(start, units), start, attempt);
}

/** For what begins with a word: looks at the words whose first units may be its. */
function atWords(wanted: Uint32Array, start: Node, attempt: Attempt): Regex {
  return {
    matchesEmpty: () => false,
    prepare: nothing,
    each: (text, from, to, found) => {
      const { places, keys } = beginnings;
      let next = from;
      for (let chunk = Math.floor(from / chunkUnits); chunk * chunkUnits < to; chunk++) {
        beginnings.read(text, chunk);
        for (let i = beginnings.firstFrom(next); i < beginnings.last && places[i] < to; i++) {
          const key = keys[i];
          if (((wanted[key >> 5] >>> (key & 31)) & 1) === 0) continue;
          const at = places[i];
          if (at < next || isWordBefore(text, at)) continue;
          const end = attempt.run(text, start, at);
          if (end < 0) continue;
          if (!found(at, end, at, end)) return;
          next = end;
        }
      }
    },
  };
}

/** A phrase is compiled as a whole. */
function nothing(): void {}

/** Of the thread: phrases are run one after the other over one text. */
const beginnings = new WordBeginnings();

/** For what begins with a sign, which may stand anywhere. */
function atUnits(first: ReadonlySet<number>, start: Node, attempt: Attempt): Regex {
  return {
    matchesEmpty: () => false,
    prepare: nothing,
    each: (text, from, to, found) => {
      for (let at = from; at < to; ) {
        const end = first.has(foldTable[text.charCodeAt(at)]) ? attempt.run(text, start, at) : -1;
        if (end < 0) {
          at++;
          continue;
        }
        if (!found(at, end, at, end)) return;
        at = end;
      }
    },
  };
}

class Compiler {
  /**
   * Folded units of all words, one word behind the other: an array for each of some thirty words took three quarters of
   * the memory of a phrase.
   */
  readonly units: number[] = [];
  private choices = 0;

  compile(part: PhrasePart, separator: Separator, next: Node): Node {
    const after: Node = separator === 'after' ? { kind: 'space', next } : next;
    switch (part.kind) {
      case 'word': {
        const from = this.units.length;
        for (let i = 0; i < part.text.length; i++) this.units.push(foldTable[part.text.charCodeAt(i)]);
        const to = this.units.length;
        const literal: Node = { kind: 'literal', from, to, next: part.open ? { kind: 'open', next: after } : after };
        return separator === 'before' ? { kind: 'space', next: literal } : literal;
      }
      case 'words': {
        const sides = separators(part.parts);
        const first = part.parts.reduceRight((rest, each, index) => this.compile(each, sides[index], rest), after);
        return separator === 'before' ? { kind: 'space', next: first } : first;
      }
      case 'choice': {
        const options = this.choice(part.options.map((option) => this.compile(option, 'none', after)));
        const node: Node = separator === 'before' ? { kind: 'space', next: options } : options;
        return part.optional ? this.either(node, next) : node;
      }
      case 'gap': {
        let rest = next;
        for (let words = 0; words < part.wordsMax; words++) {
          const word: Node =
            separator === 'before'
              ? { kind: 'space', next: { kind: 'word', next: rest } }
              : { kind: 'word', next: { kind: 'space', next: rest } };
          rest = this.either(word, next);
        }
        return { kind: 'punctuation', next: rest };
      }
    }
  }

  /** Options begin with words, so the first unit tells which of them can match. */
  private choice(options: readonly Node[]): Node {
    const byUnit = new Map<number, Option[]>();
    for (const node of options) {
      const [, second = -1, third = -1] = node.kind === 'literal' ? this.units.slice(node.from, node.to) : [];
      for (const unit of firstUnitsOf(node, this.units)) {
        byUnit.set(unit, [...(byUnit.get(unit) ?? []), { node, second, third }]);
      }
    }
    return { kind: 'choice', number: this.choices++, byUnit };
  }

  private either(first: Node, second: Node): Node {
    return { kind: 'either', number: this.choices++, options: [first, second] };
  }
}

/** Tries to match from one place. Options are tried in order, so that the first success is RE2's choice. */
class Attempt {
  private readonly units: Uint16Array;
  private readonly bordersLast: boolean;
  private text = '';
  private steps = 0;
  private failed: Set<number> | undefined;

  constructor(units: Uint16Array, bordersLast: boolean) {
    this.units = units;
    this.bordersLast = bordersLast;
  }

  /** End of the match of `from` at `start`, or -1. */
  run(text: string, from: Node, start: number): number {
    this.text = text;
    this.steps = 0;
    this.failed = undefined;
    return this.match(from, start);
  }

  private match(from: Node, start: number): number {
    const { text, units } = this;
    let node = from;
    let at = start;
    for (;;) {
      switch (node.kind) {
        case 'literal': {
          for (let i = node.from; i < node.to; i++) if (foldTable[text.charCodeAt(at++)] !== units[i]) return -1;
          break;
        }
        case 'space': {
          if (!isSpaceUnit(text.charCodeAt(at))) return -1;
          while (isSpaceUnit(text.charCodeAt(at))) at++;
          break;
        }
        case 'word': {
          const end = skipWord(text, at);
          if (end === at) return -1;
          at = end;
          break;
        }
        case 'punctuation':
          at = skip(text, at, gapPunctuationMax, punctuation);
          break;
        case 'open':
          at = skip(text, at, openUnitsMax, wordCharacter);
          break;
        case 'choice':
          return this.choose(node.number, node.byUnit.get(foldTable[text.charCodeAt(at)]), at);
        case 'either':
          return this.either(node.number, node.options, at);
        case 'end':
          return this.bordersLast && isWordAt(text, at) ? -1 : at;
      }
      node = node.next;
    }
  }

  private choose(number: number, options: readonly Option[] | undefined, at: number): number {
    if (options === undefined || this.hasFailed(number, at)) return -1;
    const second = foldTable[this.text.charCodeAt(at + 1)];
    const third = foldTable[this.text.charCodeAt(at + 2)];
    for (const option of options) {
      if (option.second >= 0 && option.second !== second) continue;
      if (option.third >= 0 && option.third !== third) continue;
      const end = this.match(option.node, at);
      if (end >= 0) return end;
    }
    return this.fail(number, at);
  }

  private either(number: number, [first, second]: readonly [Node, Node], at: number): number {
    if (this.hasFailed(number, at)) return -1;
    const end = this.match(first, at);
    if (end >= 0) return end;
    const other = this.match(second, at);
    return other >= 0 ? other : this.fail(number, at);
  }

  private hasFailed(number: number, at: number): boolean {
    return this.failed?.has(this.keyOf(number, at)) === true;
  }

  private fail(number: number, at: number): number {
    if (++this.steps > stepsUntilMemory) {
      this.failed ??= new Set();
      this.failed.add(this.keyOf(number, at));
    }
    return -1;
  }

  private keyOf(number: number, at: number): number {
    return number * (this.text.length + 1) + at;
  }
}

/** A kind of code points: those of ASCII in a table, because nearly all are. */
interface CharacterKind {
  readonly ascii: Uint8Array;
  readonly pattern: RegExp;
}

const punctuation = characterKind(/^\p{P}$/u);
const wordCharacter = characterKind(/^[\p{L}\p{M}\p{N}]$/u);

function characterKind(pattern: RegExp): CharacterKind {
  return {
    pattern,
    ascii: Uint8Array.from({ length: 128 }, (_, unit) => (pattern.test(String.fromCharCode(unit)) ? 1 : 0)),
  };
}

/** Passes over up to `most` code points of a kind. */
function skip(text: string, from: number, most: number, { ascii, pattern }: CharacterKind): number {
  let at = from;
  for (let count = 0; count < most && at < text.length; count++) {
    const unit = text.charCodeAt(at);
    if (unit < 128) {
      if (ascii[unit] === 0) break;
      at++;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (!pattern.test(character)) break;
    at += character.length;
  }
  return at;
}

/** End of the run without white space at `from`; `from` itself where the run is too long for one word. */
function skipWord(text: string, from: number): number {
  let at = from;
  let pairs = 0;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isSpaceUnit(unit)) break;
    if (at - from === gapWordUnitsMax) return from;
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) pairs++;
  }
  const points = at - from - pairs;
  return pairs === 0 || points <= gapWordPointsMax ? at : from;
}

/** Keys of the words that a phrase may begin with, as a set of bits. Of a word of fewer units the rest may be anything. */
function beginningsOf(start: Node, units: Uint16Array): Uint32Array {
  const keys = new Uint32Array(beginningKeys / 32);
  const any = Array.from({ length: 32 }, (_, bits) => 0x60 + bits);
  const visit = (node: Node): void => {
    if (node.kind === 'literal') {
      const [first, second, third] = units.subarray(node.from, node.to);
      for (const next of second === undefined ? any : [second]) {
        for (const last of third === undefined ? any : [third]) {
          const key = beginningKey(first, next, last);
          keys[key >> 5] |= 1 << (key & 31);
        }
      }
    } else if (node.kind === 'choice')
      for (const options of node.byUnit.values()) for (const { node: option } of options) visit(option);
    else if (node.kind === 'either') node.options.forEach(visit);
  };
  visit(start);
  return keys;
}

function firstUnitsOf(node: Node, units: ArrayLike<number>): ReadonlySet<number> {
  switch (node.kind) {
    case 'literal':
      return new Set([units[node.from]]);
    case 'choice':
      return new Set(node.byUnit.keys());
    case 'either':
      return new Set(node.options.flatMap((option) => [...firstUnitsOf(option, units)]));
    case 'space':
    case 'word':
    case 'punctuation':
    case 'open':
    case 'end':
      throw new Error('a phrase begins with a word');
  }
}
