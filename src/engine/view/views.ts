import { limits } from '../../domain/limits.js';
import { reversedViews, rot13View, substitutedView, turnedViews } from './disguise-view.js';
import { escapesView } from './escapes-view.js';
import { foldView } from './fold-view.js';
import type { Gate } from './gate.js';
import { joinedView } from './joined-view.js';
import { viewBit } from './kinds.js';
import { leetView } from './leet-view.js';
import { morseView } from './morse-view.js';
import { runsView } from './runs-view.js';
import { spacedReasons, spacedView } from './spaced-view.js';
import { reason, type Survey } from './survey.js';
import { rootView, type View, type ViewBudget } from './view.js';
import type { Vocabulary } from './words.js';

export interface Viewer {
  readonly gate: Gate;
  readonly vocabulary: Vocabulary;
}

/** Kinds that undo themselves or find nothing where they have been. */
const once = {
  leet: viewBit('leet'),
  spaced: viewBit('spaced'),
  joined: viewBit('joined'),
  disguise: viewBit('rot13') | viewBit('reversed'),
};

/**
 * Calls `visit` with every other reading of a text that its survey asks for, and with readings of those, at most
 * `limits.viewDepthMax` decodings deep. All of them together hold at most `limits.viewUnitsFactorMax` times the
 * text; false where that cut something off. Cost: linear in the text.
 */
export function eachView(viewer: Viewer, text: string, survey: Survey, visit: (view: View) => void): boolean {
  const budget: ViewBudget = {
    unitsLeft: Math.max(limits.viewUnitsMin, limits.viewUnitsFactorMax * text.length),
    spent: false,
  };
  expand(viewer, rootView(text), survey, false, budget, visit);
  return !budget.spent;
}

function expand(
  viewer: Viewer,
  parent: View,
  survey: Survey,
  folded: boolean,
  budget: ViewBudget,
  visit: (view: View) => void,
): void {
  const { reasons } = survey;
  const enter = (view: View | undefined, isFold = false): void => {
    if (view === undefined) return;
    visit(view);
    expand(viewer, view, viewer.gate(view.text), isFold, budget, visit);
  };
  if ((reasons & reason.fold) !== 0 && !folded) enter(foldView(parent, budget, survey), true);
  if (parent.depth >= limits.viewDepthMax) return;
  const { vocabulary } = viewer;
  const has = (bits: number) => (parent.kinds & bits) !== 0;
  if ((reasons & reason.escape) !== 0) enter(escapesView(parent, budget, survey));
  if ((reasons & reason.run) !== 0) enter(runsView(parent, budget));
  if ((reasons & spacedReasons) !== 0 && !has(once.spaced)) enter(spacedView(parent, budget, vocabulary, survey));
  if ((reasons & reason.joined) !== 0 && !has(once.joined)) enter(joinedView(parent, budget, vocabulary));
  if ((reasons & reason.leet) !== 0 && !has(once.leet)) enter(leetView(parent, budget, vocabulary, survey));
  if ((reasons & reason.unnatural) !== 0 && !has(once.disguise)) {
    enter(rot13View(parent, budget, vocabulary, survey));
    enter(substitutedView(parent, budget, vocabulary, survey));
    for (const view of reversedViews(parent, budget, vocabulary, survey)) enter(view);
  }
  if ((reasons & reason.turned) !== 0) for (const view of turnedViews(parent, budget, vocabulary)) enter(view);
  if ((reasons & reason.morse) !== 0) enter(morseView(parent, budget));
}
