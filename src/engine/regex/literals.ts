import { limits } from '../../domain/limits.js';
import { foldText } from '../text/fold.js';
import { emptyShape, type Shape } from './shape.js';

/**
 * Texts of which every match of a pattern contains at least one. Texts are folded (`foldText`), not empty, and
 * neither begin nor end with white space.
 */
export type RequiredLiterals = ReadonlySet<string>;

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
 * The required literals that gate the pattern best, or undefined where it requires none that is worth having. Every
 * match of the pattern, folded and with white space collapsed, contains one of them: a differential test over all
 * rules holds this. Of sets that are rare enough the one with the fewest units wins, because each unit is a state.
 */
export function requiredLiterals(shape: Shape): RequiredLiterals | undefined {
  let best: RequiredLiterals | undefined;
  let bestRarity = 0;
  let bestUnits = 0;
  for (const candidate of candidates(shape)) {
    const rarity = Math.min(rarityOf(candidate), rarityEnough);
    if (rarity < rarityMin || rarity < bestRarity) continue;
    const units = [...candidate].reduce((sum, literal) => sum + literal.length, 0);
    if (rarity === bestRarity && units >= bestUnits) continue;
    best = candidate;
    bestRarity = rarity;
    bestUnits = units;
  }
  return best;
}

/** Weakest gate worth having, in bits: one expected candidate in a thousand characters. */
const rarityMin = 10;
/** Rarer gates open no less. High, because letters of real words are not independent: "private" is no accident. */
const rarityEnough = 40;

/** Every set of literals that the shape offers, each required on its own. */
function* candidates(shape: Shape): Generator<RequiredLiterals> {
  switch (shape.kind) {
    case 'text':
    case 'space': {
      const whole = toRequired(exactTexts(shape));
      if (whole) yield whole;
      return;
    }
    case 'unknown':
    case 'anchor':
      return;
    case 'sequence':
      yield* sequenceCandidates(flatten(shape.parts));
      return;
    case 'choice': {
      const exact = toRequired(exactTexts(shape));
      if (exact) yield exact;
      const union = new Set<string>();
      for (const option of shape.options) {
        const literals = requiredLiterals(option);
        if (!literals) return;
        for (const literal of literals) union.add(literal);
      }
      if (union.size <= limits.needlesPerPatternMax) yield union;
      return;
    }
    case 'repeat':
      if (shape.min > 0) {
        yield* candidates(shape.part);
        const exact = toRequired(exactTexts({ ...shape, max: shape.min }));
        if (exact) yield exact;
      }
  }
}

/** Joins neighbouring exact parts as far as the limit on needles allows, from every start. */
function* sequenceCandidates(parts: readonly Shape[]): Generator<RequiredLiterals> {
  for (let first = 0; first < parts.length; first++) {
    yield* candidates(parts[first]);
    let texts: ReadonlySet<string> | undefined = new Set(['']);
    for (let next = first; next < parts.length; next++) {
      texts = join(texts, exactTexts(parts[next]), limits.needlesPerPatternMax);
      if (!texts) break;
      const literals = toRequired(texts);
      if (literals) yield literals;
    }
  }
}

/** Nested sequences become one, so that literals join across groups; a repeat's certain first rounds stand alone. */
function flatten(parts: readonly Shape[]): readonly Shape[] {
  return parts.flatMap((part) => (part.kind === 'sequence' ? flatten(part.parts) : [part]));
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

/** Trims and cuts to what the automaton takes; undefined when a text would be empty. Both keep the set required. */
function toRequired(texts: ReadonlySet<string> | undefined): RequiredLiterals | undefined {
  if (!texts || texts.size === 0) return undefined;
  const literals = new Set<string>();
  for (const text of texts) {
    const literal = text.trim().slice(0, limits.gateUnitsMax).trim();
    if (literal === '') return undefined;
    literals.add(literal);
  }
  return literals;
}

/**
 * −log2 of how often a set is expected at one position of ordinary text, letters taken as independent. Only the
 * order matters: it decides which of a pattern's literals gate it.
 */
function rarityOf(literals: RequiredLiterals): number {
  let expected = 0;
  for (const literal of literals) {
    let bits = 0;
    for (const character of literal) bits += bitsOf(character);
    expected += 2 ** -bits;
  }
  return -Math.log2(expected);
}

/** Rounded −log2 frequencies of lowercase English text with some code in it (letters: Lewand 2000, table 1.1). */
const letterBits: Readonly<Record<string, number>> = {
  ' ': 2.5,
  e: 3.3,
  t: 3.8,
  a: 3.9,
  o: 4,
  i: 4.1,
  n: 4.2,
  s: 4.2,
  h: 4.3,
  r: 4.3,
  d: 4.8,
  l: 4.9,
  c: 5.4,
  u: 5.4,
  m: 5.6,
  w: 5.7,
  f: 5.8,
  g: 6,
  y: 6,
  p: 6,
  b: 6.4,
  v: 6.9,
  k: 7.3,
  j: 9.5,
  x: 9.5,
  q: 10.2,
  z: 10.2,
}; // prettier-ignore

function bitsOf(character: string): number {
  const known = letterBits[character];
  if (known !== undefined) return known;
  if (character === '@') return 11;
  if (character >= '0' && character <= '9') return 7;
  return character < '\u0080' ? 7 : 8;
}
