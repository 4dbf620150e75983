import { characterClass, unitClasses } from './characters.js';
import { viewBit } from './kinds.js';
import { foreignPlace, partsOf, type Survey } from './survey.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';

/** Marks of one letter at most; more are decoration, and taken off by the folded view. */
const marksMax = 8;

/**
 * The text with letters put together that are written in pieces, a letter and its marks or the parts of a Korean syllable (NFD
 * of Unicode, UAX 15), as names of files and texts out of PDFs are: rules are written with whole letters. Undefined where
 * there are none. Linear.
 */
export function composedView(parent: View, budget: ViewBudget, survey: Survey): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  const parts = partsOf(survey, foreignPlace, 0, text.length);
  let i = 0;
  let done = 0;
  for (let part = 0; part < parts.length; part += 2) {
    for (i = Math.max(i, parts[part]); i < parts[part + 1]; i++) {
      if (!joins(text.charCodeAt(i)) || i === 0) continue;
      const start = baseOf(text, i);
      if (start < done) continue;
      let end = i + 1;
      while (end - i < marksMax && isPiece(text.charCodeAt(end))) end++;
      const pieces = text.slice(start, end);
      const whole = pieces.normalize('NFC');
      if (whole.length < pieces.length) {
        builder.replace(start, end);
        builder.putText(whole, start, end);
        builder.kinds = viewBit('compatible');
      }
      done = end;
      i = end - 1;
    }
  }
  return builder.finish();
}

/** Where the letter begins that a piece belongs to. */
function baseOf(text: string, at: number): number {
  let base = at - 1;
  while (base > 0 && at - base < marksMax && isMark(text.charCodeAt(base))) base--;
  return base;
}

/** True if the unit becomes one with what stands before it: accents, Arabic signs, sound marks of kana, vowels and finals of Hangul. */
function joins(unit: number): boolean {
  if (unit < 0x300) return false;
  return (
    unit <= 0x345 ||
    (unit >= 0x653 && unit <= 0x655) ||
    (unit >= 0x1161 && unit <= 0x1175) ||
    (unit >= 0x11a8 && unit <= 0x11c2) ||
    unit === 0x3099 ||
    unit === 0x309a
  );
}

function isMark(unit: number): boolean {
  return unitClasses[unit] === characterClass.mark;
}

function isPiece(unit: number): boolean {
  return joins(unit) || isMark(unit);
}
