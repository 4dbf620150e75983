import { isSpaceUnit } from '../text/fold.js';
import { viewBit } from './kinds.js';
import { foreignPlace, partsOf, type Survey } from './survey.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';

const plainSpace = 0x20;

/** Quotes and spaces that editors, chats and pages put in place of those of the keyboard, each with that. */
export const plainSigns: ReadonlyMap<number, number> = new Map([
  ...[0x201c, 0x201d, 0x201e, 0x201f].map((quote) => [quote, 0x22] as const),
  ...[0x2018, 0x2019, 0x201a, 0x201b].map((quote) => [quote, 0x27] as const),
  ...[0xa0, 0x2007, 0x2009, 0x202f].map((space) => [space, plainSpace] as const),
]);

/** A value behind such a sign has at least so many units where nothing gives it, and at most so many. */
const valueMin = 8;
const valueMax = 512;

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/**
 * The text with the quotes and spaces of a keyboard, where some may hide something: a key between typographic quotes, or a command
 * whose words no-break spaces set apart, is none to a rule that was written for code. Undefined where there are none. Linear.
 */
export function typographyView(parent: View, budget: ViewBudget, survey: Survey): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  builder.kinds = viewBit('compatible');
  const parts = partsOf(survey, foreignPlace, 0, text.length);
  for (let part = 0; part < parts.length; part += 2) {
    for (let i = parts[part]; i < parts[part + 1]; i++) {
      const plain = plainSigns.get(text.charCodeAt(i));
      if (plain === undefined) continue;
      builder.replace(i, i + 1);
      builder.put(plain, i, i + 1);
    }
  }
  return builder.finish();
}

/** Whether such a sign at `at` may hide something from a rule: a space between two words, or any before what may be a value. */
export function mayHide(text: string, at: number): boolean {
  const plain = plainSigns.get(text.charCodeAt(at));
  if (plain === undefined) return false;
  return (plain === plainSpace && partsWords(text, at)) || precedesValue(text, at, plain);
}

/**
 * Whether what is read as a space stands between two letters or signs, as in what was copied from a page. Typography puts it beside numbers, and before
 * the marks that end a part of a sentence.
 */
function partsWords(text: string, at: number): boolean {
  return /[^\s\d.]/.test(asciiAt(text, at - 1)) && /[^\s\d:;!?%]/.test(asciiAt(text, at + 1));
}

/** The character at `at`, or nothing where it is not of ASCII. */
function asciiAt(text: string, at: number): string {
  return text.charCodeAt(at) < 0x80 ? text[at] : '';
}

/**
 * Whether what may be a value stands behind a sign at `at` that is read as `plain`: one word behind `=` or `:`, or a long one with letters and digits;
 * behind a quote, between two.
 */
function precedesValue(text: string, at: number, plain: number): boolean {
  const stop = Math.min(text.length, at + 1 + valueMax);
  let end = at + 1;
  let kinds = 0;
  for (; end < stop; end++) {
    const unit = text.charCodeAt(end);
    if (isSpaceUnit(unit) || plainSigns.has(unit)) break;
    if (isDigit(unit)) kinds |= 1;
    else if ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) kinds |= 2;
  }
  const length = end - at - 1;
  // Behind a quote a word that is the first of several is prose.
  if (plain !== plainSpace && !plainSigns.has(text.charCodeAt(end))) return false;
  if (length >= valueMin && kinds === 3) return true;
  const before = text.charCodeAt(isSpaceUnit(text.charCodeAt(at - 1)) ? at - 2 : at - 1);
  return length > 0 && (before === 0x3d || before === 0x3a);
}
