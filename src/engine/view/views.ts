import { limits } from '../../domain/limits.js';
import { composedView } from './composed-view.js';
import { reversedViews, rot13View, substitutedView, turnedViews } from './disguise-view.js';
import { emphasisView } from './emphasis-view.js';
import { escapesView } from './escapes-view.js';
import { foldViews } from './fold-view.js';
import type { Gate } from './gate.js';
import { joinedView } from './joined-view.js';
import { viewBit, viewBits } from './kinds.js';
import { leetView } from './leet-view.js';
import { morseView } from './morse-view.js';
import { runReasons, runsViews } from './runs-view.js';
import { spacedReasons, spacedView } from './spaced-view.js';
import type { Speller } from './speller.js';
import { spellingView } from './spelling-view.js';
import { reason, type Survey } from './survey.js';
import { tableView } from './table-view.js';
import { tagsView } from './tags-view.js';
import { typographyView } from './typography-view.js';
import type { View, ViewBudget } from './view.js';
import type { Vocabulary } from './words.js';

export interface Viewer {
  readonly gate: Gate;
  readonly vocabulary: Vocabulary;
  readonly speller: Speller;
}

/** Kinds that undo themselves or find nothing where they have been. */
const once = {
  leet: viewBit('leet'),
  spaced: viewBit('spaced'),
  joined: viewBit('joined'),
  spelling: viewBit('spelling'),
  disguise: viewBit('rot13') | viewBit('reversed'),
};

/** Kinds of which each decodes all that is encoded, so that what is encoded still was within it. */
const encodings = viewBits(['base64', 'base32', 'hex']);

/** What is asked again of each of the plainer views. */
const plainReasons = reason.fold | reason.typography | reason.emphasis | reason.tags;

/** What is to be done with a view; gives the offsets of its strange words, as `LearnedRules` does. */
export type Visit = (view: View) => readonly number[];

/**
 * Calls `visit` with every other reading of a text (`rootView`, or what is left of one) that its survey and its strange words ask for, and with readings of
 * those, at most `limits.viewDepthMax` decodings deep. All of them together hold at most `limits.viewUnitsFactorMax` times
 * the text; false where either left something unread. Cost: linear in the text.
 */
export function eachView(
  viewer: Viewer,
  root: View,
  survey: Survey,
  strange: readonly number[],
  visit: Visit,
): boolean {
  const budget: ViewBudget = {
    unitsLeft: Math.max(limits.viewUnitsMin, limits.viewUnitsFactorMax * root.text.length),
    spent: false,
  };
  expand(viewer, root, survey, strange, 0, budget, visit);
  return !budget.spent;
}

/** `taken` are reasons for views that are made of another reading of the same. */
function expand(
  viewer: Viewer,
  parent: View,
  survey: Survey,
  strange: readonly number[],
  taken: number,
  budget: ViewBudget,
  visit: Visit,
): void {
  const reasons = survey.reasons & ~taken;
  const { vocabulary } = viewer;
  const enter = (view: View | undefined, takenThere = 0): void => {
    if (view === undefined) return;
    const strangeWords = visit(view);
    expand(viewer, view, viewer.gate(view.text), strangeWords, takenThere, budget, visit);
  };
  // The first of them that there is: the others are made of it in turn, and of what is decoded here.
  enter(plainerView(parent, budget, survey, reasons), taken | (reasons & ~plainReasons));
  if ((reasons & reason.fold) !== 0) {
    for (const view of foldViews(parent, budget, vocabulary, survey)) enter(view, taken | plainReasons);
  }
  if (parent.depth >= limits.viewDepthMax) {
    // In another reading of a view what is encoded may be what is read in the view itself.
    const isNested = (reasons & reason.run) !== 0 && (parent.kinds & ~encodings) === 0;
    if (isNested && runsViews(parent, budget, vocabulary, survey).length > 0) budget.spent = true;
    return;
  }
  const has = (bits: number) => (parent.kinds & bits) !== 0;
  if ((reasons & reason.escape) !== 0) enter(escapesView(parent, budget, survey));
  if ((reasons & runReasons) !== 0) for (const view of runsViews(parent, budget, vocabulary, survey)) enter(view);
  if ((reasons & spacedReasons) !== 0 && !has(once.spaced)) enter(spacedView(parent, budget, vocabulary, survey));
  if ((reasons & reason.joined) !== 0 && !has(once.joined)) enter(joinedView(parent, budget, vocabulary));
  if (strange.length > 0 && !has(once.spelling))
    enter(spellingView(parent, budget, vocabulary, viewer.speller, strange));
  if ((reasons & reason.leet) !== 0 && !has(once.leet)) enter(leetView(parent, budget, vocabulary, survey));
  if ((reasons & reason.unnatural) !== 0 && !has(once.disguise)) {
    enter(rot13View(parent, budget, vocabulary, survey));
    enter(substitutedView(parent, budget, vocabulary, survey));
    for (const view of reversedViews(parent, budget, vocabulary, survey)) enter(view);
  }
  if ((reasons & reason.turned) !== 0) for (const view of turnedViews(parent, budget, vocabulary)) enter(view);
  if ((reasons & reason.morse) !== 0) enter(morseView(parent, budget));
  const table = (reasons & reason.table) !== 0 ? tableView(parent, budget) : undefined;
  // What else its cells may say is read where they stand.
  if (table !== undefined) visit(table);
}

/** What a keyboard would have typed: letters put together, plain quotes and spaces, no emphasis, no tags. */
function plainerView(parent: View, budget: ViewBudget, survey: Survey, reasons: number): View | undefined {
  const has = (bit: number) => (reasons & bit) !== 0;
  return (
    (has(reason.fold) ? composedView(parent, budget, survey) : undefined) ??
    (has(reason.typography) ? typographyView(parent, budget, survey) : undefined) ??
    (has(reason.emphasis) ? emphasisView(parent, budget, survey) : undefined) ??
    (has(reason.tags) ? tagsView(parent, budget) : undefined)
  );
}
