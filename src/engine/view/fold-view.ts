import { once } from '../../domain/once.js';
import { isSpaceUnit } from '../text/fold.js';
import { isWordUnit } from '../text/word.js';
import { readCell, spellsBraille } from './braille.js';
import { astralClass, characterClass, readingOf, unitClasses } from './characters.js';
import { readSyllable } from './hangul.js';
import { hiddenRunAt } from './hidden.js';
import { viewBit } from './kinds.js';
import { letterNumber } from './natural.js';
import { foreignPlace, partsOf, type Survey } from './survey.js';
import { dottedCapital, readCapitalWord } from './turkish-capitals.js';
import { type View, type ViewBudget, ViewBuilder, withUnguessed } from './view.js';
import type { Vocabulary } from './words.js';

const {
  accented,
  braille,
  compatible,
  hangulLetter,
  ignorable,
  lookalike,
  mark,
  normalized,
  plain,
  separator,
  surrogate,
} = characterClass;

const bits = {
  compatible: viewBit('compatible'),
  confusable: viewBit('confusable'),
  invisible: viewBit('invisible'),
  marks: viewBit('marks'),
  hidden: viewBit('hidden'),
};

/** Part of the Latin letters that must carry a diacritic before diacritics count as a disguise. */
const accentedShare = 0.2;

/** What a letter that only looks Latin says for Latin: four of five letters of Cyrillic text do. */
const lookalikeWeight = 0.2;

/**
 * The text as a reader would spell it in plain letters: compatibility forms folded, letters that only look Latin
 * replaced by those they look like (in words with a Latin letter, and in words that are made of them altogether where
 * the text is not mostly of another script), Braille spelt out, what is not seen removed or, where it encodes text,
 * decoded, and marks taken from Latin text; before it, where some of that is guessed and some is not, the text with what is not alone. None
 * where nothing would change that a rule could notice. Linear.
 */
export function foldViews(parent: View, budget: ViewBudget, vocabulary: Vocabulary, survey: Survey): readonly View[] {
  return withUnguessed((without) => foldView(parent, budget, vocabulary, survey, without));
}

/** What is of the kinds `without` stays as it is. */
function foldView(
  parent: View,
  budget: ViewBudget,
  vocabulary: Vocabulary,
  survey: Survey,
  without: number,
): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  const parts = partsOf(survey, foreignPlace, 0, text.length);
  const script = once(() => surveyScript(text, parts));
  const isDisguisedByMarks = once(
    () => script().hasManyMarks && (!script().isVietnamese || hasTellingWord(text, parts, isAccented, vocabulary)),
  );
  const isDisguisedByDotless = once(() => !script().isTurkish || hasTellingWord(text, parts, isDotless, vocabulary));
  let spelt: boolean | undefined;
  let word: Word = { end: 0, folds: false, isSymbol: false };
  let capitalsEnd = 0;
  let changed = 0;
  let i = 0;
  for (let part = 0; part < parts.length; part += 2)
    for (i = Math.max(i, parts[part]); i < parts[part + 1]; ) {
      const unit = text.charCodeAt(i);
      const unitClass = unitClasses[unit];
      if (unitClass === plain) {
        i++;
        continue;
      }
      const point = unitClass === surrogate ? (text.codePointAt(i) as number) : unit;
      const pointClass = unitClass === surrogate ? astralClass(point) : unitClass;
      const end = i + (point > 0xffff ? 2 : 1);
      if ((guessOf(pointClass) & without) !== 0) {
        i = end;
        continue;
      }
      switch (pointClass) {
        case compatible: {
          const reading = readingOf(point) ?? '';
          builder.replace(i, end);
          builder.putText(reading, i, end);
          // Punctuation alone, as in every Chinese text, is no reason to look twice.
          if (isWordUnit(reading.charCodeAt(0))) changed |= bits.compatible;
          break;
        }
        case separator:
          if (isDigit(text.charCodeAt(i - 1)) && isDigit(text.charCodeAt(end))) {
            builder.replace(i, end);
            builder.putText(readingOf(point) ?? '', i, end);
            changed |= bits.compatible;
          }
          break;
        case lookalike:
          if (unit === dotless && !isDisguisedByDotless()) break;
          if (i >= word.end) word = readWord(text, i, script());
          if (word.folds) {
            builder.replace(i, end);
            builder.putText(readingOf(point) ?? '', i, end);
            if (!word.isSymbol) changed |= bits.confusable;
          }
          break;
        case braille: {
          spelt ??= spellsBraille(text, parts);
          const reading = spelt ? readCell(text, i) : undefined;
          if (reading !== undefined) {
            builder.replace(i, end);
            builder.putText(reading, i, end);
            changed |= bits.compatible;
          }
          break;
        }
        case accented:
          if (isDisguisedByMarks()) {
            builder.replace(i, end);
            builder.putText(readingOf(point) ?? '', i, end);
            changed |= bits.marks;
          } else if (unit === dottedCapital && i >= capitalsEnd) {
            const { end: wordEnd, small } = readCapitalWord(text, i, capitalsEnd);
            capitalsEnd = wordEnd;
            for (const [place, letter] of small) {
              builder.replace(place, place + 1);
              builder.putText(letter, place, place + 1);
              changed |= bits.marks;
            }
          }
          break;
        case mark:
          if (i > 0 && standsOnLatin(text, i)) {
            builder.replace(i, end);
            changed |= bits.marks;
          }
          break;
        case hangulLetter: {
          const syllable = readSyllable(text, i);
          if (syllable === undefined) break;
          builder.replace(i, syllable.end);
          builder.put(syllable.unit, i, syllable.end);
          changed |= bits.compatible;
          i = syllable.end;
          continue;
        }
        case normalized: {
          const stop = clusterEnd(text, end);
          const cluster = text.slice(i, stop);
          const reading = cluster.normalize('NFKC');
          if (reading !== cluster) {
            builder.replace(i, stop);
            builder.putText(reading, i, stop);
            changed |= bits.compatible;
          }
          i = stop;
          continue;
        }
        case ignorable: {
          const run = hiddenRunAt(text, i);
          if (run.text === undefined) {
            // Beside emoji they have a use; between punctuation they are no reason to look twice.
            const nearWord = isNearWord(text, i, run.end);
            if (nearWord || isBetweenAscii(text, i, run.end)) builder.replace(i, run.end);
            if (nearWord) changed |= bits.invisible;
          } else {
            builder.replace(i, run.end);
            builder.put(0x0a, i, run.end);
            for (const { unit: hidden, start, end: stop } of run.text) builder.put(hidden, start, stop);
            builder.put(0x0a, i, run.end);
            changed |= bits.hidden;
          }
          i = run.end;
          continue;
        }
      }
      i = end;
    }
  builder.kinds = changed;
  return builder.finish();
}

/** The kind that letters of a class are read by, where that is a guess. */
function guessOf(letterClass: number): number {
  if (letterClass === lookalike) return bits.confusable;
  return letterClass === accented || letterClass === mark ? bits.marks : 0;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

interface Script {
  /** True where letters that cannot be read as Latin are few, so that a word of lookalikes is one of Latin letters. */
  readonly mostlyLatin: boolean;
  /** True where more letters have a diacritic than in nearly all languages. */
  readonly hasManyMarks: boolean;
  /** True where letters are of one of the languages in which many marks, or a dotless i, are no disguise by themselves. */
  readonly isVietnamese: boolean;
  readonly isTurkish: boolean;
}

/** Part of the letters with a diacritic that Vietnamese alone has. */
const vietnameseShare = 0.25;

/** Everything beyond ASCII stands in the parts; of ASCII letters no more are counted than can make a difference. */
function surveyScript(text: string, parts: readonly number[]): Script {
  let latin = 0;
  let foreign = 0;
  let similar = 0;
  let accents = 0;
  let vietnamese = 0;
  let isTurkish = false;
  for (let part = 0; part < parts.length; part += 2) {
    for (let i = parts[part]; i < parts[part + 1]; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) continue;
      const unitClass = unitClasses[unit];
      if (unitClass === lookalike) similar++;
      else if (unitClass === accented) {
        accents++;
        if (isOfVietnamese(unit)) vietnamese++;
        else if (unit === 0x11f || unit === 0x15f) isTurkish = true;
      } else if (unitClass === compatible || unitClass === surrogate) latin++;
      else if (unitClass === plain && isWordUnit(unit)) foreign++;
    }
  }
  const enough = Math.max(foreign * 4, Math.ceil(accents / accentedShare));
  for (let i = 0; i < text.length && latin < enough; i++) if (letterNumber(text.charCodeAt(i)) > 0) latin++;
  return {
    mostlyLatin: foreign * 4 <= latin + accents + similar * lookalikeWeight,
    hasManyMarks: accents > accentedShare * (latin + accents),
    isVietnamese: vietnamese > vietnameseShare * accents,
    isTurkish,
  };
}

/** `ơ`, `ư`, and letters with two marks or a mark that no neighbouring language has. */
function isOfVietnamese(unit: number): boolean {
  return unit === 0x1a1 || unit === 0x1b0 || (unit >= 0x1ea0 && unit <= 0x1ef9);
}

/** Letters of the shortest word that betrays a disguise: shorter ones are words of other languages by chance. */
const tellingLength = 5;

/** `ı`, which looks like `i`; Turkish has it beside `ğ` and `ş`. */
const dotless = 0x131;

function isDotless(unit: number): boolean {
  return unit === dotless;
}

function isAccented(unit: number): boolean {
  return unitClasses[unit] === accented;
}

/** True if one of the words that have such a letter is known in plain letters, and not as it stands. */
function hasTellingWord(
  text: string,
  parts: readonly number[],
  isMeant: (unit: number) => boolean,
  vocabulary: Vocabulary,
): boolean {
  let end = 0;
  for (let part = 0; part < parts.length; part += 2) {
    for (let i = Math.max(end, parts[part]); i < parts[part + 1]; i = Math.max(i + 1, end)) {
      if (!isMeant(text.charCodeAt(i))) continue;
      let start = i;
      while (start > end && i - start < wordMax && isWordPart(text.charCodeAt(start - 1))) start--;
      end = i;
      while (end - i < wordMax && isWordPart(text.charCodeAt(end))) end++;
      if (end - start < tellingLength) continue;
      const word = text.slice(start, end);
      if (vocabulary.has(inPlainLetters(word)) && !vocabulary.has(word.toLowerCase())) return true;
    }
  }
  return false;
}

function inPlainLetters(word: string): string {
  let plainWord = '';
  for (const letter of word) plainWord += letter < '\x80' ? letter : (readingOf(letter.codePointAt(0) ?? 0) ?? letter);
  return plainWord.toLowerCase();
}

interface Word {
  readonly end: number;
  readonly folds: boolean;
  /** True for a letter that stands alone, as in formulas: no reason to look twice. */
  readonly isSymbol: boolean;
}

/** The word around a lookalike: whether its lookalikes are to be folded. */
function readWord(text: string, at: number, script: Script): Word {
  let start = at;
  while (start > 0 && at - start < wordMax && isWordPart(text.charCodeAt(start - 1))) start--;
  let end = at;
  let hasLatin = false;
  let hasForeign = false;
  for (let i = start; i < text.length && i - at < wordMax; i++) {
    const unit = text.charCodeAt(i);
    if (!isWordPart(unit)) break;
    end = i + 1;
    const unitClass = unitClasses[unit];
    if (unit < 0x80) hasLatin ||= unit > 0x39;
    else if (unitClass === accented || unitClass === compatible) hasLatin = true;
    else if (unitClass === plain && isWordUnit(unit)) hasForeign = true;
  }
  return {
    end: Math.max(end, at + 1),
    folds: hasLatin || (!hasForeign && script.mostlyLatin),
    isSymbol: end - start === 1,
  };
}

/** Longer words are judged piece by piece. */
const wordMax = 64;

function isWordPart(unit: number): boolean {
  return isWordUnit(unit) || unitClasses[unit] === ignorable || (unit >= 0xd800 && unit <= 0xdfff);
}

/** Whether a mark's character is Latin, or a sign or space between Latin words: what strikes a text out, strikes all of it out. */
function standsOnLatin(text: string, at: number): boolean {
  let i = at - 1;
  while (i > 0 && at - i < wordMax && unitClasses[text.charCodeAt(i)] === mark) i--;
  const unit = text.charCodeAt(i);
  // Alef, which looks like l, has marks of its own.
  return unit < 0x80 || isSpaceUnit(unit) || (ofLatin.includes(unitClasses[unit]) && !isSemitic(unit));
}

/** True for letters of Hebrew and Arabic. */
function isSemitic(unit: number): boolean {
  return unit >= 0x590 && unit < 0x780;
}

const ofLatin: readonly number[] = [compatible, lookalike, accented, mark];

/** End of the marks, sound marks included, that belong to the character before `at`. */
function clusterEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < 4) {
    const unit = text.charCodeAt(end);
    if (unitClasses[unit] !== mark && unit !== 0xff9e && unit !== 0xff9f) break;
    end++;
  }
  return end;
}

function isNearWord(text: string, start: number, end: number): boolean {
  return (start > 0 && isWordUnit(text.charCodeAt(start - 1))) || isWordUnit(text.charCodeAt(end));
}

function isBetweenAscii(text: string, start: number, end: number): boolean {
  return start > 0 && text.charCodeAt(start - 1) < 0x80 && text.charCodeAt(end) < 0x80;
}
