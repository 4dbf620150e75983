import { limits } from '../../domain/limits.js';
import { foldText } from '../text/fold.js';
import { beginsAtBorder, endsAtBorder, leftBorder, rightBorder } from './borders.js';
import { emptyShape, type Shape } from './shape.js';

/**
 * Texts of which every match of a pattern contains at least one, each with the borders (`leftBorder`,
 * `rightBorder`) that it is known to stand at. Texts are folded (`foldText`), not empty, and neither begin nor end
 * with white space.
 */
export type RequiredLiterals = ReadonlyMap<string, number>;

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
 * Up to three sets of required literals, best first, none where the pattern requires no literal worth having. Every
 * match of the pattern, folded and with white space collapsed, contains one text of each set: a differential test
 * over all rules holds this. Of sets that are rare enough the one with the fewest units wins, because each unit is
 * a state of the automaton. The sets come from different parts of the pattern.
 */
export function gatesOf(shape: Shape): readonly RequiredLiterals[] {
  const all = [...candidates(shape)];
  const best = bestOf(all, rarityMin);
  if (!best) return [];
  const gates = [best];
  while (gates.length < gatesMax) {
    const others = all.filter((each) => gates.every((gate) => each.to <= gate.from || each.from >= gate.to));
    const next = bestOf(others, secondRarityMin);
    if (!next) break;
    gates.push(next);
  }
  return gates.map(({ literals }) => literals);
}

/** Weakest first gate worth having, in bits: one expected candidate in two thousand characters. */
const rarityMin = 11;
/** A further gate saves runs of the regex but costs a look at each of its own candidates. */
const secondRarityMin = 13;
/** Rarer gates open no less. High, because letters of real words are not independent: "private" is no accident. */
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
    const rarity = Math.min(rarityOf(candidate.literals, borderBits), rarityEnough);
    // Borders make a candidate rarer, not the needle's occurrences, each of which must be looked at.
    if (rarity < bestRarity || rarityOf(candidate.literals, 0) < least) continue;
    const units = [...candidate.literals.keys()].reduce((sum, literal) => sum + literal.length, 0);
    if (rarity === bestRarity && units >= bestUnits) continue;
    best = candidate;
    bestRarity = rarity;
    bestUnits = units;
  }
  return best;
}

/** Every set of literals that the shape offers, each required on its own. */
function* candidates(shape: Shape): Generator<Candidate> {
  switch (shape.kind) {
    case 'text':
    case 'space':
      yield* whole(exactTexts(shape));
      return;
    case 'border':
    case 'unknown':
    case 'anchor':
      return;
    case 'sequence':
      yield* sequenceCandidates(flatten(shape.parts));
      return;
    case 'choice':
      yield* whole(exactTexts(shape));
      yield* eitherOf(shape.options);
      return;
    case 'repeat':
      if (shape.min > 0) {
        for (const { literals } of candidates(shape.part)) yield { literals, from: 0, to: 1 };
        yield* whole(exactTexts({ ...shape, max: shape.min }));
      }
  }
}

/** One set for a choice: the best of each option. None where an option offers none. */
function* eitherOf(options: readonly Shape[]): Generator<Candidate> {
  const union = new Map<string, number>();
  for (const option of options) {
    const best = bestOf([...candidates(option)], rarityMin);
    if (!best) return;
    for (const [literal, borders] of best.literals) union.set(literal, borders & (union.get(literal) ?? borders));
  }
  if (union.size <= limits.needlesPerPatternMax) yield { literals: union, from: 0, to: 1 };
}

/** Joins neighbouring exact parts as far as the limit on needles allows, from every start. */
function* sequenceCandidates(parts: readonly Shape[]): Generator<Candidate> {
  for (let from = 0; from < parts.length; from++) {
    for (const { literals } of candidates(parts[from])) yield { literals, from, to: from + 1 };
    let texts: ReadonlySet<string> | undefined = new Set(['']);
    for (let to = from + 1; to <= parts.length; to++) {
      texts = join(texts, exactTexts(parts[to - 1]), limits.needlesPerPatternMax);
      if (!texts) break;
      const literals = toRequired(texts, endsAtBorder(parts.slice(0, from)), beginsAtBorder(parts.slice(to)));
      if (literals) yield { literals, from, to };
    }
  }
}

function* whole(texts: ReadonlySet<string> | undefined): Generator<Candidate> {
  const literals = toRequired(texts, false, false);
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
 * remains of a text is still in every match, and trimmed white space is itself a border.
 */
function toRequired(
  texts: ReadonlySet<string> | undefined,
  left: boolean,
  right: boolean,
): RequiredLiterals | undefined {
  if (!texts || texts.size === 0) return undefined;
  const literals = new Map<string, number>();
  for (const text of texts) {
    const trimmed = text.trim();
    const literal = trimmed.slice(0, limits.gateUnitsMax).trim();
    if (literal === '') return undefined;
    const isLeft = left || text.startsWith(' ');
    const isRight = (right || text.endsWith(' ')) && literal === trimmed;
    const borders = (isLeft ? leftBorder : 0) | (isRight ? rightBorder : 0);
    literals.set(literal, borders & (literals.get(literal) ?? borders));
  }
  return literals;
}

/**
 * −log2 of how often a set is expected at one position of ordinary text, letters taken as independent but for the
 * commonest words. Only the order matters: it decides which of a pattern's literals gate it.
 */
function rarityOf(literals: RequiredLiterals, perBorder: number): number {
  let expected = 0;
  for (const [literal, borders] of literals) {
    let bits = perBorder * ((borders & leftBorder ? 1 : 0) + (borders & rightBorder ? 1 : 0));
    for (const character of literal) bits += bitsOf(character);
    expected += 2 ** -(commonWords.has(literal) ? Math.min(bits, commonWordBits) : bits);
  }
  return -Math.log2(expected);
}

/** Words of which English text holds at least one in a few hundred characters. */
const commonWords: ReadonlySet<string> = new Set(
  (
    'a about after all also an and any are as at be because but by can could do each first for from get give go ' +
    'had has have he her his how i if in into is it its just like make me more must my new no not of on one only ' +
    'or other our out over say see she should so some such take than that the their them then there these they ' +
    'this time to two up us use used user very want was way we were what when where which who will with work ' +
    'would year you your'
  ).split(' '),
);
const commonWordBits = 6;

/** Rounded −log2 frequencies of lowercase English text with some code in it (letters: Lewand 2000, table 1.1). */
const characterBits: Readonly<Record<string, number>> = {
  ...{ ' ': 2.5, e: 3.3, t: 3.8, a: 3.9, o: 4, i: 4.1, n: 4.2, s: 4.2, h: 4.3, r: 4.3, d: 4.8, l: 4.9, c: 5.4 },
  ...{ u: 5.4, m: 5.6, w: 5.7, f: 5.8, g: 6, y: 6, p: 6, b: 6.4, v: 6.9, k: 7.3, j: 9.5, x: 9.5, q: 10.2, z: 10.2 },
  ...{ '.': 5.5, ',': 5.5, "'": 6.5, '-': 6.5, '"': 7, '/': 7, ':': 7, '(': 7.5, ')': 7.5, '@': 11 },
};
const digitBits = 5.5;
const otherBits = 8;

function bitsOf(character: string): number {
  return characterBits[character] ?? (character >= '0' && character <= '9' ? digitBits : otherBits);
}
