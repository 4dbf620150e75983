import { limits } from '../../domain/limits.js';
import { wordUnits } from '../text/word.js';
import { viewBit } from './kinds.js';
import { partsOf, reason, type Survey } from './survey.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';
import { splitWords, type Vocabulary } from './words.js';

/** Fewest letters of a run: where the gate has seen them alternate, and where it only suspects something. */
const lettersMin = { seen: 4, suspected: 12 } as const;
/** Most units between two of them. */
const separatorMax = 8;
/** So many letters without a gap are taken for several words. */
const crowdedMin = 12;
/** Shortest word that betrays a disguise. */
const tellingLength = 4;

/** Words with letters beyond ASCII of which so many are taken for a disguise: lists of single letters have no words. */
const foreignMin = 3;
const holdsForeign = (word: string): boolean => /[^\0-\x7f]/.test(word);

/** Where letters may stand apart: two signs between them the gate takes for letters that do not follow each other so. */
export const spacedReasons: number = reason.spaced | reason.unnatural;

/**
 * The text with words whose letters stand apart (`i g n o r e`, `i.g.n.o.r.e`) closed up. What stands between most
 * letters of a run is dropped; what else stands there ends a word; where nothing does, known words are cut out.
 * Undefined where no known word appears, nor several beyond ASCII, of which none are known.
 */
export function spacedView(parent: View, budget: ViewBudget, vocabulary: Vocabulary, survey: Survey): View | undefined {
  const builder = new ViewBuilder(parent, budget);
  const least = (survey.reasons & reason.spaced) === 0 ? lettersMin.suspected : lettersMin.seen;
  for (const run of findRuns(parent.text, partsOf(survey, spacedReasons, 0, parent.text.length), least))
    closeUp(parent.text, run, builder, vocabulary);
  return builder.finish(parent.depth + 1);
}

/** Offsets of the letters of each run that goes into one of the parts, ascending. */
function findRuns(text: string, parts: readonly number[], least: number): readonly (readonly number[])[] {
  const runs: number[][] = [];
  // Here, a constant of a module is looked up each time that it is read.
  const letters = letterUnits;
  let end = 0;
  for (let part = 0; part < parts.length; part += 2) {
    let run: number[] = [];
    const close = (): void => {
      if (run.length >= least) runs.push(run);
      run = [];
    };
    let i = startOfRun(text, parts[part], end);
    for (; i < text.length && (run.length > 0 || i < parts[part + 1]); i++) {
      if (run.length > 0 && i - run[run.length - 1] > separatorMax) close();
      if (letters[text.charCodeAt(i)] !== 1) continue;
      if (letters[text.charCodeAt(i + 1)] === 1) {
        close();
        while (letters[text.charCodeAt(i + 1)] === 1) i++;
        continue;
      }
      run.push(i);
    }
    close();
    end = i;
  }
  return runs;
}

/** Back to where no run goes on: behind two units of a word in a row, or more units in a row than a run has between two. */
function startOfRun(text: string, from: number, least: number): number {
  let start = Math.max(from, least);
  for (let others = 0; start > least && others <= separatorMax; start--) {
    const isWord = letterUnits[text.charCodeAt(start - 1)] === 1;
    if (isWord && letterUnits[text.charCodeAt(start)] === 1) break;
    others = isWord ? 0 : others + 1;
  }
  return start;
}

/** By unit: 1 for what words are made of, but for the underscore, which may stand between letters. */
const letterUnits: Uint8Array = wordUnits.slice();
letterUnits['_'.charCodeAt(0)] = 0;

function closeUp(text: string, run: readonly number[], builder: ViewBuilder, vocabulary: Vocabulary): void {
  const separators = run.slice(1).map((at, place) => text.slice(run[place] + 1, at));
  const usual = mostFrequent(separators);
  const between: string[] = separators.map((separator) => readSeparator(separator, usual));
  const words = wordsOf(text, run, between, vocabulary);
  const telling = words.filter((word) => word.length >= tellingLength);
  const isForeign = telling.filter(holdsForeign).length >= foreignMin;
  if (!isForeign && !telling.some((word) => vocabulary.has(word))) return;
  builder.kinds = viewBit('spaced');
  for (let i = 1; i < run.length; i++) {
    builder.replace(run[i - 1] + 1, run[i]);
    builder.putText(between[i - 1], run[i - 1] + 1, run[i]);
  }
}

/** The words of a run; where many letters stand without a gap the known words among them are set apart, in `between`, too. */
function wordsOf(text: string, run: readonly number[], between: string[], vocabulary: Vocabulary): readonly string[] {
  const letters = run.map((at) => text[at]).join('');
  let left = limits.splitLettersMax;
  for (let start = 0, end = 1; end <= run.length; end++) {
    if (end < run.length && between[end - 1] === '') continue;
    if (end - start >= crowdedMin) {
      const crowd = letters.slice(start, Math.min(end, start + left));
      left -= crowd.length;
      for (const border of splitWords(crowd, vocabulary))
        if (border > 0 && start + border < end) between[start + border - 1] = ' ';
    }
    start = end;
  }
  let closed = letters[0];
  for (let i = 1; i < run.length; i++) closed += between[i - 1] + letters[i];
  return closed.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

/** What a separator says besides keeping two letters apart. */
function readSeparator(separator: string, usual: string): string {
  if (separator === usual) return '';
  const rest = betweenUsual(separator, usual) ?? withoutEnds(separator, usual);
  return rest.trim() === '' ? ' ' : rest.replace(/\s+/g, ' ');
}

/** The signs of a separator that are kept apart like letters; undefined where they are not. */
function betweenUsual(separator: string, usual: string): string | undefined {
  if (separator.length % 2 === 0) return undefined;
  let signs = '';
  for (let i = 0; i < separator.length; i++) {
    if (i % 2 === 1) signs += separator[i];
    else if (separator[i] !== usual) return undefined;
  }
  return signs;
}

function withoutEnds(separator: string, usual: string): string {
  const rest = separator.startsWith(usual) ? separator.slice(usual.length) : separator;
  return rest.endsWith(usual) ? rest.slice(0, rest.length - usual.length) : rest;
}

/** Of several that are equally frequent the shortest. */
function mostFrequent(separators: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const separator of separators) counts.set(separator, (counts.get(separator) ?? 0) + 1);
  return [...counts].sort(([a, times], [b, otherTimes]) => otherTimes - times || a.length - b.length)[0][0];
}
