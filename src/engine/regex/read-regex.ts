import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';
import { isSpaceUnit } from '../text/fold.js';
import { compileRegex, type Regex } from './re2.js';
import { emptyShape, type Shape } from './shape.js';
import { beyondAscii, symbolCount } from './symbol.js';

/** A problem in a pattern's source: what is wrong, and at which offset of the source. */
export class PatternError extends Error {
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.name = 'PatternError';
    this.index = index;
  }
}

/** Character classes of more members than this are taken as unknown. */
const classMembersMax = 12;

const parser = new RegExpParser({ ecmaVersion: 2025 });

/**
 * Reads a regex into its shape. The source must be valid both here (ECMAScript, Unicode mode) and in RE2; what
 * only one of them knows is refused, so that both are certain to mean the same. Throws `PatternError`.
 */
export function readRegex(source: string, ignoreCase: boolean): Shape {
  try {
    return alternatives(parser.parsePattern(source, 0, source.length, { unicode: true }).alternatives, ignoreCase);
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw new PatternError(error.message.replace(/^Invalid regular expression: .*\/u?: /s, ''), error.index);
  }
}

function alternatives(list: readonly AST.Alternative[], ignoreCase: boolean): Shape {
  const options = list.map((alternative): Shape => {
    const parts = alternative.elements.map((element) => readElement(element, ignoreCase));
    return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
  });
  return options.length === 1 ? options[0] : { kind: 'choice', options };
}

function readElement(element: AST.Element, ignoreCase: boolean): Shape {
  switch (element.type) {
    case 'Character':
      return character(element.value, ignoreCase);
    case 'CharacterClass':
      return characterClass(element, ignoreCase);
    case 'CharacterSet':
      return element.kind === 'space' && !element.negate ? anySpace : setOf(element, ignoreCase);
    case 'CapturingGroup':
      return alternatives(element.alternatives, ignoreCase);
    case 'Group':
      if (element.modifiers) throw new PatternError('inline flags are not supported; use ignore_case', element.start);
      return alternatives(element.alternatives, ignoreCase);
    case 'Quantifier':
      return quantifier(element, ignoreCase);
    case 'Assertion':
      if (element.kind === 'word') return element.negate ? emptyShape : { kind: 'border' };
      if (element.kind === 'start' || element.kind === 'end') return { kind: 'anchor', at: element.kind };
      throw new PatternError(`RE2 has no ${element.kind}`, element.start);
    case 'Backreference':
      throw new PatternError('RE2 has no back-references', element.start);
    case 'ExpressionCharacterClass':
      throw new PatternError('class set operations are not supported', element.start);
  }
}

const anySpace: Shape = { kind: 'space', optional: false };

function character(point: number, ignoreCase: boolean): Shape {
  const text = String.fromCodePoint(point);
  const isCasedAstral = point > 0xffff && (text.toLowerCase() !== text || text.toUpperCase() !== text);
  return ignoreCase && isCasedAstral ? { kind: 'set', symbols: beyondAscii, astral: true } : { kind: 'text', text };
}

/** Small classes are spelt out, because literals can be made of them. */
function characterClass(element: AST.CharacterClass, ignoreCase: boolean): Shape {
  const members: Shape[] = [];
  for (const part of element.negate ? [] : element.elements) {
    if (part.type === 'CharacterSet' && part.kind === 'space' && !part.negate) {
      members.push(anySpace);
    } else if (part.type === 'Character') {
      members.push(character(part.value, ignoreCase));
    } else if (part.type === 'CharacterClassRange' && part.max.value - part.min.value < classMembersMax) {
      for (let point = part.min.value; point <= part.max.value; point++) members.push(character(point, ignoreCase));
    } else {
      return setOf(element, ignoreCase);
    }
  }
  if (members.length === 1) return members[0];
  const isSmall = members.length > 1 && members.length <= classMembersMax;
  return isSmall ? { kind: 'choice', options: members } : setOf(element, ignoreCase);
}

const ascii = String.fromCharCode(...Array.from({ length: 128 }, (_, unit) => unit));
const setsBySource = new Map<string, Shape>();

/** A class as a set: which ASCII characters it holds RE2 itself tells. */
function setOf(element: AST.CharacterClass | AST.CharacterSet, ignoreCase: boolean): Shape {
  const key = (ignoreCase ? 'i' : '-') + element.raw;
  const known = setsBySource.get(key);
  if (known) return known;
  const symbols = new Uint8Array(symbolCount);
  classOf(element, ignoreCase).each(ascii, 0, ascii.length, (start) => {
    symbols[start] = 1;
    return true;
  });
  // Beyond ASCII `K` folds to k and `ſ` to s.
  const foldsBeyond = ignoreCase && /[ks]/i.test([...ascii].filter((_, unit) => symbols[unit] === 1).join(''));
  const isBeyond = foldsBeyond || mayBeBeyondAscii(element);
  if (isBeyond) symbols.set(beyondAscii.subarray(128), 128);
  const shape: Shape = { kind: 'set', symbols, astral: isBeyond };
  if (setsBySource.size < setsKeptMax) setsBySource.set(key, shape);
  return shape;
}

function classOf(element: AST.CharacterClass | AST.CharacterSet, ignoreCase: boolean): Regex {
  try {
    return compileRegex(element.raw, ignoreCase);
  } catch (error) {
    throw new PatternError(error instanceof Error ? `RE2: ${error.message}` : 'RE2 refuses it', element.start);
  }
}

/** Classes that are remembered, because rules repeat them. */
const setsKeptMax = 1_000;

function mayBeBeyondAscii(element: AST.CharacterClass | AST.CharacterSet): boolean {
  if (element.type === 'CharacterSet') {
    return element.kind === 'any' || element.kind === 'property' || element.kind === 'space' || element.negate;
  }
  return (
    element.negate ||
    element.elements.some((part) => {
      if (part.type === 'Character') return part.value > 127;
      if (part.type === 'CharacterClassRange') return part.max.value > 127;
      return part.type !== 'CharacterSet' || mayBeBeyondAscii(part);
    })
  );
}

function quantifier(element: AST.Quantifier, ignoreCase: boolean): Shape {
  const part = readElement(element.element as AST.Element, ignoreCase);
  if (isWhiteSpaceOnly(part)) return element.max === 0 ? emptyShape : { kind: 'space', optional: element.min === 0 };
  return { kind: 'repeat', part, min: element.min, max: element.max };
}

/** True where every repetition of the shape is one run of white space. */
function isWhiteSpaceOnly(shape: Shape): boolean {
  if (shape.kind === 'space') return true;
  if (shape.kind === 'choice') return shape.options.every(isWhiteSpaceOnly);
  return shape.kind === 'text' && [...shape.text].every((each) => each.length === 1 && isSpaceUnit(each.charCodeAt(0)));
}
