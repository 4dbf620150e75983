import type { Span } from '../../domain/span.js';
import { isSpaceUnit } from '../text/fold.js';
import { isWordUnit } from '../text/word.js';
import { viewBit } from './kinds.js';
import { partsOf, reason, type Survey } from './survey.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';

const underscore = 0x5f;
const backslash = 0x5c;
/** Underscores on one side: for emphasis, for importance, for both. */
const signsMax = 3;
/** Names in Python (`__init__`): nobody sets off a word of small letters alone by two on each side. */
const special = /^__[a-z]+(?:_[a-z]+)*__$/;
/** Longer stretches are not read to their end. */
const stretchMax = 512;

const [bell, esc] = [0x07, 0x1b].map((unit) => String.fromCharCode(unit));
/** The escape before a colour or a link, as programs and JSON write it. */
const written = String.raw`\\(?:u001b|x1b|033|e)`;
/** What a terminal was sent behind it: a colour or the like (ECMA-48, CSI), or where a link leads (OSC 8), with its end. */
const colour = String.raw`\[[\d;:?]{0,24}[A-Za-z]`;
const link = String.raw`\]8;[^\s\\${bell}${esc}]{0,512}(?:${bell}|${esc}\\|\\(?:u0007|x07|007|a)|${written}\\{1,2})`;
const sequence = new RegExp(`(?:${esc}|${written})(?:${colour}|${link})`, 'iy');

/**
 * The text without colours of terminals, and without the underscores that set words off (`_so_`, `__so__`), as Markdown has them. To rules an underscore is a part
 * of the word beside it, which it is in names, and so is the letter that a colour ends with; so nothing begins or ends there. Undefined where there are none. Linear.
 */
export function emphasisView(parent: View, budget: ViewBudget, survey: Survey): View | undefined {
  const { text } = parent;
  const builder = new ViewBuilder(parent, budget);
  builder.kinds = viewBit('markup');
  const parts = partsOf(survey, reason.emphasis, 0, text.length);
  const signs: Span[] = [];
  const closings = new Set<number>();
  /** By the number of signs: up to here there is no closing that was not found. */
  const searched = new Int32Array(signsMax + 1);
  let i = 0;
  for (let part = 0; part < parts.length; part += 2) {
    for (i = Math.max(i, parts[part]); i < parts[part + 1]; i++) {
      const sequenceEnd = endOfSequence(text, i);
      if (sequenceEnd > i) signs.push({ start: i, end: sequenceEnd });
      if (!opensEmphasis(text, i)) continue;
      const end = endOfSigns(text, i);
      const count = end - i;
      const stop = Math.min(text.length, end + stretchMax);
      const closing = closingOf(text, count, Math.max(end + 1, searched[count]), stop);
      searched[count] = closing?.start ?? stop;
      if (closing === undefined || closings.has(closing.start)) continue;
      closings.add(closing.start);
      if (!special.test(text.slice(i, closing.end))) signs.push({ start: i, end }, closing);
    }
  }
  signs.sort((a, b) => a.start - b.start);
  for (const { start, end } of signs) builder.replace(start, end);
  return builder.finish();
}

/** Where a sequence that begins at `at` ends; `at` where none does. */
export function endOfSequence(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit !== 0x1b && unit !== backslash) return at;
  sequence.lastIndex = at;
  return sequence.test(text) ? sequence.lastIndex : at;
}

/** Whether underscores at `at` stand before a word, and behind none. */
export function opensEmphasis(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== underscore || isWordUnit(text.charCodeAt(at - 1))) return false;
  const next = text.charCodeAt(endOfSigns(text, at));
  return !Number.isNaN(next) && !isSpaceUnit(next) && next !== underscore;
}

/** Whether the last of some underscores stands at `at`, behind a word and before none. */
export function closesEmphasis(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== underscore || isWordUnit(text.charCodeAt(at + 1))) return false;
  let start = at;
  while (text.charCodeAt(start) === underscore && at - start < signsMax) start--;
  const before = text.charCodeAt(start);
  return !Number.isNaN(before) && !isSpaceUnit(before) && before !== underscore;
}

function endOfSigns(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === underscore && end - at < signsMax) end++;
  return end;
}

/** The first place in `[from, stop)` where so many underscores stand behind a word, and no more. */
function closingOf(text: string, count: number, from: number, stop: number): Span | undefined {
  for (let at = text.indexOf('_', from); at >= 0 && at < stop; at = text.indexOf('_', at + 1)) {
    const start = at + 1 - count;
    if (start < from || text.charCodeAt(start - 1) === underscore || !closesEmphasis(text, at)) continue;
    return { start, end: at + 1 };
  }
  return undefined;
}
