import { alphabetRuns, backwardRuns } from './alphabet-runs.js';
import { bareAscii85, markedAscii85 } from './ascii85-runs.js';
import { base64Rows } from './base64-rows.js';
import { eachUnit } from './bytes.js';
import { codePointRuns } from './code-point-runs.js';
import { composition, compositionOf, partsComposedOf } from './composition.js';
import { type DecodedRun, withoutOverlap } from './decoded-run.js';
import { letterNumbers } from './letter-numbers.js';
import { unitsOf } from './long-runs.js';
import { numberRuns } from './number-runs.js';
import { quotedLetters } from './quoted-letters.js';
import { rot47Runs } from './rot47-runs.js';
import { reason, type Survey } from './survey.js';
import { utf7Runs } from './utf7-runs.js';
import { uuencodedRuns } from './uuencoded-runs.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';
import type { Vocabulary } from './words.js';

/** Any of these is a reason to look for runs. */
export const runReasons: number = reason.run | reason.unnatural;

/** Units around a place that looks encoded in which a run may begin. */
const suspectMargin = 128;

/**
 * The text with runs of base64 (either alphabet), base32 and bytes written as numbers (hex, binary, octal, decimal)
 * replaced by what they say, where that is text. Undefined where there are none. Linear.
 */
export function runsView(parent: View, budget: ViewBudget, vocabulary: Vocabulary, survey: Survey): View | undefined {
  const { text } = parent;
  const runs: DecodedRun[] = [];
  if ((survey.reasons & reason.run) !== 0) {
    const units = unitsOf(text);
    runs.push(...alphabetRuns(text, units), ...backwardRuns(text, units), ...numberRuns(text, units));
    runs.push(...letterNumbers(text, vocabulary));
  }
  if ((survey.reasons & reason.unnatural) !== 0) addSuspectRuns(runs, text, vocabulary, survey);
  if (runs.length === 0) return undefined;
  const builder = new ViewBuilder(parent, budget);
  for (const run of withoutOverlap(runs)) {
    builder.kinds |= run.kind;
    builder.replace(run.start, run.end);
    eachUnit(run.bytes, (unit, start, end) => builder.put(unit, start, end));
  }
  return builder.finish(parent.depth + 1);
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
function addSuspectRuns(runs: DecodedRun[], text: string, vocabulary: Vocabulary, survey: Survey): void {
  if (listed.test(text)) runs.push(...quotedLetters(text));
  if ((survey.reasons & suspectReasons) === 0) return;
  const found = compositionOf(text, survey, reason.unnatural);
  const { kinds } = found;
  if (kinds === 0) return;
  const around = (kind: number) => partsComposedOf(found, kind, suspectMargin, text.length);
  if ((kinds & composition.base64) !== 0) runs.push(...base64Rows(text, around(composition.base64)));
  if ((kinds & composition.marks) !== 0) {
    runs.push(...markedAscii85(text), ...bareAscii85(text, around(composition.marks)), ...uuencodedRuns(text));
  }
  if ((kinds & composition.rot47) !== 0) runs.push(...rot47Runs(text, around(composition.rot47), vocabulary));
  if ((kinds & composition.pluses) !== 0) runs.push(...codePointRuns(text), ...utf7Runs(text));
}
