import { alphabetRuns, backwardRuns } from './alphabet-runs.js';
import { bareAscii85, markedAscii85 } from './ascii85-runs.js';
import { base64Rows } from './base64-rows.js';
import { eachUnit } from './bytes.js';
import { codePointRuns } from './code-point-runs.js';
import { composition, compositionOf } from './composition.js';
import { type DecodedRun, withoutOverlap } from './decoded-run.js';
import { letterNumbers } from './letter-numbers.js';
import { unitsOf } from './long-runs.js';
import { numberRuns } from './number-runs.js';
import { quotedLetters } from './quoted-letters.js';
import { rot47Runs } from './rot47-runs.js';
import { partsOf, reason, type Survey } from './survey.js';
import { utf7Runs } from './utf7-runs.js';
import { uuencodedRuns } from './uuencoded-runs.js';
import { type View, type ViewBudget, ViewBuilder, withUnguessed } from './view.js';
import type { Vocabulary } from './words.js';

/** Any of these is a reason to look for runs. */
export const runReasons: number = reason.run | reason.unnatural;

/** Units around a place that looks encoded in which a run may begin. */
const suspectMargin = 128;

/**
 * The text with runs of base64 (either alphabet), base32 and bytes written as numbers (hex, binary, octal, decimal)
 * replaced by what they say, where that is text; before it, where some of them are guessed and others are not, the text with those others
 * alone. None where there are no runs. Linear.
 */
export function runsViews(parent: View, budget: ViewBudget, vocabulary: Vocabulary, survey: Survey): readonly View[] {
  const { text } = parent;
  // Joined as lists, not as arguments of one call: a text of some megabytes has more runs than those may be.
  const runs = withoutOverlap([
    ...((survey.reasons & reason.run) === 0 ? [] : plainRuns(text, vocabulary)),
    ...((survey.reasons & reason.unnatural) === 0 ? [] : suspectRuns(text, vocabulary, survey)),
  ]);
  return withUnguessed((without) => {
    const builder = new ViewBuilder(parent, budget);
    for (const run of runs) {
      if ((run.kind & without) !== 0) continue;
      builder.kinds |= run.kind;
      builder.replace(run.start, run.end);
      eachUnit(run.bytes, (unit, start, end) => builder.put(unit, start, end));
    }
    return builder.finish(parent.depth + 1);
  });
}

function plainRuns(text: string, vocabulary: Vocabulary): readonly DecodedRun[] {
  const units = unitsOf(text);
  return [
    ...alphabetRuns(text, units),
    ...backwardRuns(text, units),
    ...numberRuns(text, units),
    ...letterNumbers(text, vocabulary),
  ];
}

/**
 * Letters beside digits and signs, or apart: what no run of what follows lacks, and prose of other languages does. Lists of
 * characters may.
 */
const suspectReasons = reason.leet | reason.spaced;
const listed = /["'`], ?["'`]/;

/**
 * Runs of what the gate does not know but by its not being English. Each is looked for only where the signs are such:
 * ordinary text pays one look at what is suspect.
 */
function suspectRuns(text: string, vocabulary: Vocabulary, survey: Survey): readonly DecodedRun[] {
  const lists = listed.test(text) ? quotedLetters(text) : [];
  if ((survey.reasons & suspectReasons) === 0) return lists;
  const found = compositionOf(text, survey, reason.unnatural);
  const ifComposedOf = (kind: number, find: (around: readonly number[]) => readonly DecodedRun[]) =>
    (found.reasons & kind) === 0 ? [] : find(partsOf(found, kind, suspectMargin, text.length));
  return [
    ...lists,
    ...ifComposedOf(composition.base64, (around) => base64Rows(text, around)),
    ...ifComposedOf(composition.marks, (around) => [
      ...markedAscii85(text),
      ...bareAscii85(text, around),
      ...uuencodedRuns(text),
    ]),
    ...ifComposedOf(composition.rot47, (around) => rot47Runs(text, around, vocabulary)),
    ...ifComposedOf(composition.pluses, () => [...codePointRuns(text), ...utf7Runs(text)]),
  ];
}
