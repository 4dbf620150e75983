import { limits } from '../../domain/limits.js';
import { foldText } from '../text/fold.js';
import { beginsAtBorder, endsAtBorder, leftBorder, rightBorder } from './borders.js';
import { bitsOfWord } from './common-words.js';
import type { Context, RequiredLiterals, Surroundings } from './context.js';
import { areDigitRuns } from './digit-runs.js';
import { emptyShape, type Shape } from './shape.js';
import { isTellingStart, isTextStart, textStart } from './text-start.js';

/**
 * All texts that a shape can match, folded, when they are few; undefined when they are too many or unknown.
 * The empty text may be among them.
 */
export function exactTexts(shape: Shape, most: number = limits.needlesPerPatternMax): ReadonlySet<string> | undefined {
  switch (shape.kind) {
    case 'text':
      return new Set([foldText(shape.text)]);
    case 'space':
      return new Set(shape.optional ? ['', ' '] : [' ']);
    case 'border':
      return new Set(['']);
    case 'set':
    case 'unknown':
    case 'anchor':
      return undefined;
    case 'sequence': {
      let product: ReadonlySet<string> | undefined = new Set(['']);
      for (const part of shape.parts) {
        product = join(product, exactTexts(part, most), most);
        if (!product) return undefined;
      }
      return product;
    }
    case 'choice': {
      const union = new Set<string>();
      for (const option of shape.options) {
        const texts = exactTexts(option, most);
        if (!texts) return undefined;
        for (const text of texts) union.add(text);
        if (union.size > most) return undefined;
      }
      return union;
    }
    case 'repeat':
      return exactRepeats(shape, most);
  }
}

/**
 * Up to three sets of required literals, in the order in which they stand in a match, none where the pattern requires no literal at all. Every
 * match of the pattern, folded and with white space collapsed, contains one text of each set: a differential test
 * over all rules holds this. Of sets that are rare enough the one with the fewest units wins, because each unit is
 * a state of the automaton. The sets come from different parts of the pattern. A pattern without a rare literal gets
 * one common one, digits mostly: what surrounds it must then tell.
 */
export function gatesOf(shape: Shape): readonly RequiredLiterals[] {
  const all = tellingCandidates(shape);
  const best = bestOrWeak(all);
  if (!best) return [];
  const gates = [best];
  const { bordered: rarity } = rarityOf(best.literals);
  // Where numbers begin is looked for besides, as long as nothing else is: as needles, ten digits stand everywhere.
  if (rarity >= rarityEnough || areDigitRuns(best.literals)) return [best.literals];
  const furtherMin = Math.min(rarityMin, Math.max(furtherRarityMin, rarity - furtherBits));
  while (gates.length < gatesMax) {
    const others = all.filter((each) => gates.every((gate) => each.to <= gate.from || each.from >= gate.to));
    const next = bestOf(others, furtherMin);
    if (!next) break;
    gates.push(next);
  }
  return gates.toSorted((a, b) => a.from - b.from).map(({ literals }) => literals);
}

/** Weakest first gate worth having, in bits: one expected candidate in two thousand characters. */
const rarityMin = 11;
/** Where there is none: a digit. */
const weakRarityMin = 2;
/**
 * A further gate saves runs of the regex but costs a look at each of its own candidates. A run costs about a hundred
 * looks, and a further gate must stand near the first one, so it may be commoner, but by so many bits at the most.
 */
const furtherRarityMin = 10;
const furtherBits = 12;
/** Rarer gates open no less, and need no further ones beside them. */
const rarityEnough = 40;
const gatesMax = 3;
/** What a known word border adds to a literal's rarity, in bits. */
const borderBits = 2;

/** Literals that some stretch of the pattern's top-level sequence requires: parts `[from, to)` of it. */
interface Candidate {
  readonly literals: RequiredLiterals;
  readonly from: number;
  readonly to: number;
}

function bestOf(all: readonly Candidate[], least: number): Candidate | undefined {
  let best: Candidate | undefined;
  let bestRarity = 0;
  let bestUnits = 0;
  for (const candidate of all) {
    const { plain, bordered } = rarityOf(candidate.literals);
    const rarity = Math.min(bordered, rarityEnough);
    // Borders make a candidate rarer, not the needle's occurrences, each of which must be looked at.
    if (rarity < bestRarity || plain < least) continue;
    const units = [...candidate.literals.keys()].reduce((sum, literal) => sum + literal.length, 0);
    if (rarity === bestRarity && units >= bestUnits) continue;
    best = candidate;
    bestRarity = rarity;
    bestUnits = units;
  }
  return best;
}

/**
 * Without a rare literal the start of the text is best, where one look tells; then the first digits, because a search for
 * where numbers begin costs next to nothing.
 */
function bestOrWeak(all: readonly Candidate[]): Candidate | undefined {
  return (
    bestOf(
      all.filter(({ literals }) => !isTextStart(literals)),
      rarityMin,
    ) ??
    all.find(({ literals }) => isTextStart(literals)) ??
    all.find(({ literals }) => areDigitRuns(literals)) ??
    bestOf(all, weakRarityMin)
  );
}

/** Without the start of the text where most texts begin as the shape does. */
function tellingCandidates(shape: Shape): readonly Candidate[] {
  return [...candidates(shape)].filter(({ literals }) => !isTextStart(literals) || isTellingStart(literals));
}

/** Every set of literals that the shape offers, each required on its own. */
function* candidates(shape: Shape): Generator<Candidate> {
  switch (shape.kind) {
    case 'text':
    case 'space':
      yield* whole(exactTexts(shape), noContext);
      return;
    case 'border':
    case 'set':
    case 'unknown':
      return;
    case 'anchor':
      if (shape.at === 'start') yield { literals: atTextStart, from: 0, to: 1 };
      return;
    case 'sequence':
      yield* sequenceCandidates(flatten(shape.parts));
      return;
    case 'choice':
      yield* whole(exactTexts(shape), noContext);
      yield* eitherOf(shape.options);
      return;
    case 'repeat':
      if (shape.min > 0) {
        // Of repetitions the first ones.
        const further = (count: number): Context => ({ before: [], after: repeated(shape, count) });
        for (const { literals } of candidates(shape.part))
          yield { literals: within(further(1), literals), from: 0, to: 1 };
        yield* whole(exactTexts({ ...shape, max: shape.min }), further(shape.min));
      }
  }
}

const noContext: Context = { before: [], after: [] };
const atTextStart: RequiredLiterals = new Map([[textStart, { borders: 0, contexts: [noContext] }]]);

/** What is left of a repetition after `count` of it. */
function repeated(shape: Extract<Shape, { kind: 'repeat' }>, count: number): readonly Shape[] {
  return shape.max > count ? [{ ...shape, min: Math.max(0, shape.min - count), max: shape.max - count }] : [];
}

/** The same literals as part of something larger. */
function within({ before, after }: Context, literals: RequiredLiterals): RequiredLiterals {
  if (before.length === 0 && after.length === 0) return literals;
  const wider = new Map<string, Surroundings>();
  const grownOf = new Map<Context, Context>();
  const grow = (inner: Context): Context => {
    const known = grownOf.get(inner);
    if (known) return known;
    const grown = { before: [...before, ...inner.before], after: [...inner.after, ...after] };
    grownOf.set(inner, grown);
    return grown;
  };
  for (const [literal, { borders, contexts }] of literals)
    wider.set(literal, { borders, contexts: contexts.map(grow) });
  raritiesOf.set(wider, rarityOf(literals));
  return wider;
}

/**
 * Sets for a choice: the best of each option, smaller ones where the best are too many together; and the rarest, because
 * a number's digits are best only where every option offers them.
 */
function* eitherOf(options: readonly Shape[]): Generator<Candidate> {
  const offers = options.map(tellingCandidates);
  const share = Math.floor(limits.needlesPerPatternMax / options.length);
  const few = offers.map((all) => all.filter((candidate) => candidate.literals.size <= share));
  for (const best of [bestOrWeak, rarestOf]) {
    const literals = unionOf(offers.map(best)) ?? unionOf(few.map(best));
    if (literals) yield { literals, from: 0, to: 1 };
  }
}

function rarestOf(all: readonly Candidate[]): Candidate | undefined {
  return bestOf(all, weakRarityMin);
}

/** Undefined where an option offers none, and where they are too many. */
function unionOf(offers: readonly (Candidate | undefined)[]): RequiredLiterals | undefined {
  const union = new Map<string, Surroundings>();
  for (const offer of offers) {
    if (!offer) return undefined;
    for (const [literal, surroundings] of offer.literals) addLiteral(union, literal, surroundings);
  }
  return union.size <= limits.needlesPerPatternMax ? union : undefined;
}

/** Joins neighbouring exact parts as far as the limit on needles allows, from every start. */
function* sequenceCandidates(parts: readonly Shape[]): Generator<Candidate> {
  // Candidates share them: there are many that end at one place.
  const rests = Array.from({ length: parts.length + 1 }, (_, from) => parts.slice(from));
  for (let from = 0; from < parts.length; from++) {
    // A border says more as part of the context.
    if (parts[from].kind === 'border') continue;
    const before = parts.slice(0, from);
    const around: Context = { before, after: rests[from + 1] };
    for (const { literals } of candidates(parts[from])) {
      yield { literals: within(around, literals), from, to: from + 1 };
    }
    let texts: ReadonlySet<string> | undefined = new Set(['']);
    for (let to = from + 1; to <= parts.length; to++) {
      texts = join(texts, exactTexts(parts[to - 1]), limits.needlesPerPatternMax);
      if (!texts) break;
      if (parts[to - 1].kind === 'border') continue;
      for (const { literals } of whole(texts, { before, after: rests[to] })) yield { literals, from, to };
      // Cut as they are, longer ones are the same.
      if ([...texts].every((text) => text.trim().length > limits.gateUnitsMax)) break;
    }
  }
}

function* whole(texts: ReadonlySet<string> | undefined, context: Context): Generator<Candidate> {
  const literals = toRequired(texts, context);
  if (literals) yield { literals, from: 0, to: 1 };
}

/** Nested sequences become one, so that literals join across groups; neighbouring texts become one word. */
function flatten(parts: readonly Shape[]): readonly Shape[] {
  const flat: Shape[] = [];
  for (const part of parts.flatMap((each) => (each.kind === 'sequence' ? flatten(each.parts) : [each]))) {
    const last = flat[flat.length - 1];
    if (part.kind === 'text' && last?.kind === 'text') {
      flat[flat.length - 1] = { kind: 'text', text: last.text + part.text };
    } else {
      flat.push(part);
    }
  }
  return flat;
}

function exactRepeats(shape: Extract<Shape, { kind: 'repeat' }>, most: number): ReadonlySet<string> | undefined {
  if (shape.max > limits.needleUnitsMax) return undefined;
  const once = exactTexts(shape.part, most);
  if (!once) return undefined;
  const union = new Set<string>();
  let product: ReadonlySet<string> | undefined = exactTexts(emptyShape, most);
  for (let round = 0; round <= shape.max; round++) {
    if (round > 0) product = join(product, once, most);
    if (!product) return undefined;
    if (round >= shape.min) for (const text of product) union.add(text);
    if (union.size > most) return undefined;
  }
  return union;
}

function join(
  left: ReadonlySet<string> | undefined,
  right: ReadonlySet<string> | undefined,
  most: number,
): ReadonlySet<string> | undefined {
  if (!left || !right || left.size * right.size > most * 4) return undefined;
  const product = new Set<string>();
  for (const before of left) {
    for (const after of right) {
      const text = before.endsWith(' ') && after.startsWith(' ') ? before + after.slice(1) : before + after;
      if (text.length > limits.needleUnitsMax * 2) return undefined;
      product.add(text);
    }
  }
  return product.size > most ? undefined : product;
}

/**
 * Trims and cuts texts to what a gate takes; undefined when one would be empty. Both keep the set required: what
 * is taken off becomes part of the context, and trimmed white space is itself a border.
 */
function toRequired(texts: ReadonlySet<string> | undefined, context: Context): RequiredLiterals | undefined {
  if (!texts || texts.size === 0) return undefined;
  const left = endsAtBorder(context.before);
  const right = beginsAtBorder(context.after);
  const literals = new Map<string, Surroundings>();
  const known = new Map<string, Context>();
  const contextOf = (spaced: boolean, rest: string): Context => {
    if (!spaced && rest === '') return context;
    const key = `${spaced} ${rest}`;
    const made = known.get(key) ?? {
      before: spaced ? [...context.before, oneSpace] : context.before,
      after: [...foldedShape(rest), ...context.after],
    };
    known.set(key, made);
    return made;
  };
  for (const text of texts) {
    const trimmed = text.trim();
    const literal = trimmed.slice(0, limits.gateUnitsMax).trim();
    if (literal === '') return undefined;
    const rest = text.trimStart().slice(literal.length);
    const isLeft = left || text.startsWith(' ');
    const isRight = rest === '' ? right : rest.startsWith(' ');
    addLiteral(literals, literal, {
      borders: (isLeft ? leftBorder : 0) | (isRight ? rightBorder : 0),
      contexts: [contextOf(text.startsWith(' '), rest)],
    });
  }
  return literals;
}

const oneSpace: Shape = { kind: 'space', optional: false };

/** Folded text as a shape: each white space in it stands for a run. */
function foldedShape(text: string): readonly Shape[] {
  return text.split(/( )/).flatMap((part): readonly Shape[] => {
    if (part === '') return [];
    return [part === ' ' ? oneSpace : { kind: 'text', text: part, folded: true }];
  });
}

function addLiteral(into: Map<string, Surroundings>, literal: string, { borders, contexts }: Surroundings): void {
  const known = into.get(literal);
  if (!known) into.set(literal, { borders, contexts });
  else into.set(literal, { borders: borders & known.borders, contexts: [...known.contexts, ...contexts] });
}

/**
 * −log2 of how often a set is expected at one position of ordinary text, where its known borders tell nothing and where
 * they do. Only the order matters: it decides which of a pattern's literals gate it.
 */
interface Rarity {
  readonly plain: number;
  readonly bordered: number;
}

/** They stay the same where the literals become part of something larger. */
function rarityOf(literals: RequiredLiterals): Rarity {
  const known = raritiesOf.get(literals) ?? measureRarity(literals);
  raritiesOf.set(literals, known);
  return known;
}

const raritiesOf = new WeakMap<RequiredLiterals, Rarity>();

function measureRarity(literals: RequiredLiterals): Rarity {
  let plain = 0;
  let bordered = 0;
  for (const [literal, { borders }] of literals) {
    const borderCount = (borders & leftBorder ? 1 : 0) + (borders & rightBorder ? 1 : 0);
    const bits = bitsOfLiteral(literal);
    plain += 2 ** -bits;
    bordered += 2 ** -(bits + borderBits * borderCount);
  }
  return { plain: -Math.log2(plain), bordered: -Math.log2(bordered) };
}

const bitsByLiteral = new Map<string, number>();
/** Literals whose rarity is remembered. */
const literalsKeptMax = 100_000;

/** −log2 of how often a literal is expected at one place of ordinary text. Only the order matters. */
export function bitsOfLiteral(literal: string): number {
  if (literal === textStart) return textStartBits;
  const known = bitsByLiteral.get(literal);
  if (known !== undefined) return known;
  const bits = literal
    .split(/([a-z]{2,})/)
    .filter((part) => part.trim() !== '')
    .reduce((sum, part) => sum + Math.min(bitsOfLetters(part), bitsOfWords(part)) - (sum > 0 ? neighbourBits : 0), 0);
  if (bitsByLiteral.size < literalsKeptMax) bitsByLiteral.set(literal, bits);
  return bits;
}

/** As rare as a text is long, and cheaper to look at. */
const textStartBits = 12;
/** What a word tells of its neighbour: phrases are commoner than chance. */
const neighbourBits = 3;

/** Letters taken as independent. */
function bitsOfLetters(text: string): number {
  let bits = 0;
  for (const character of text)
    bits += characterBits[character] ?? (character >= '0' && character <= '9' ? digitBits : otherBits);
  return bits;
}

/** How rare the common words are that hold the text, all together; Infinity where none does. */
function bitsOfWords(text: string): number {
  const known = bitsByPart.get(text);
  if (known !== undefined) return known;
  let expected = 0;
  for (const [word, bits] of bitsOfWord) if (word.includes(text)) expected += 2 ** -bits;
  const bits = -Math.log2(expected);
  if (bitsByPart.size < literalsKeptMax) bitsByPart.set(text, bits);
  return bits;
}

const bitsByPart = new Map<string, number>();

/**
 * Rounded −log2 frequencies of lowercase English text with some code in it (letters: Lewand 2000, table 1.1; signs from `{` on: counted
 * over 12 million characters of messages and technical documentation).
 */
const characterBits: Readonly<Record<string, number>> = {
  ...{ ' ': 2.5, e: 3.3, t: 3.8, a: 3.9, o: 4, i: 4.1, n: 4.2, s: 4.2, h: 4.3, r: 4.3, d: 4.8, l: 4.9, c: 5.4 },
  ...{ u: 5.4, m: 5.6, w: 5.7, f: 5.8, g: 6, y: 6, p: 6, b: 6.4, v: 6.9, k: 7.3, j: 9.5, x: 9.5, q: 10.2, z: 10.2 },
  ...{ '.': 5.5, ',': 5.5, "'": 6.5, '-': 6.5, '"': 7, '/': 7, ':': 7, '(': 7.5, ')': 7.5, '@': 11 },
  ...{ '{': 9, '}': 9, '*': 9.5, '=': 9.5, '|': 9.5, ';': 10, '[': 10, ']': 10, '#': 10 },
  ...{ '?': 10.5, '<': 10.5, '>': 10.5, $: 11.5, '+': 11.5, '!': 12, '\\': 12, '&': 12.5, '%': 12.5 },
  ...{ '^': 15, '~': 15 },
};
const digitBits = 5.5;
const otherBits = 8;
