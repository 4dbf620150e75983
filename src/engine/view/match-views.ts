import { limits } from '../../domain/limits.js';
import type { Match, Matches } from '../collector.js';
import type { Scanner } from '../scanner.js';
import { createGate } from './gate.js';
import { findHidden } from './hidden.js';
import { foreignPlace, partsOf, reason, type Survey } from './survey.js';
import { originalSpan } from './view.js';
import { eachView, type Viewer } from './views.js';
import { vocabularyOf } from './words.js';

/** A match in a text or in a view of it. The span is one of the text either way. */
export interface FoundMatch extends Match {
  /** Bit set of `viewKinds` through which it was found; absent where it stands in the text as it is. */
  readonly via?: number;
}

export interface FoundMatches {
  /** Ordered by rule index, then start; matches of one rule do not overlap. */
  readonly list: readonly FoundMatch[];
  /** True if a limit on matches or on views cut something off. */
  readonly truncated: boolean;
}

/**
 * What `Scanner.match` finds in a text, and what it finds in the text's views by rules that allow them. Of matches of
 * one rule that overlap the one in the text itself stays, then the one in the earlier view. Ordinary text pays the
 * gate: one or two nanoseconds a unit.
 */
export function matchViews(scanner: Scanner, text: string, role: number, rules: Uint8Array): FoundMatches {
  const raw = scanner.match(text, role, rules);
  const survey = viewerOf(scanner).gate(text);
  if (survey.reasons === 0) return raw;
  const found = new Findings(raw.list);
  const isCut = takeFromViews(scanner, text, role, rules, survey, (match) => found.add(match));
  return { list: found.list(), truncated: raw.truncated || isCut || found.truncated };
}

/** What the views of a text add to `Scanner.match`, when it is asked apart from it; see `joinViews`. */
export interface ViewMatches {
  /** In the order in which they were found. */
  readonly list: readonly FoundMatch[];
  readonly truncated: boolean;
}

/** The part of `matchViews` that is about views. */
export function matchViewsApart(scanner: Scanner, text: string, role: number, rules: Uint8Array): ViewMatches {
  const survey = viewerOf(scanner).gate(text);
  if (survey.reasons === 0) return { list: [], truncated: false };
  const list: FoundMatch[] = [];
  const truncated = takeFromViews(scanner, text, role, rules, survey, (match) => list.push(match));
  return { list, truncated };
}

/** `matchViews` of what its two parts found. */
export function joinViews(raw: Matches, inViews: ViewMatches): FoundMatches {
  const found = new Findings(raw.list);
  for (const match of inViews.list) found.add(match);
  return { list: found.list(), truncated: raw.truncated || inViews.truncated || found.truncated };
}

/** True if something was cut off. */
function takeFromViews(
  scanner: Scanner,
  text: string,
  role: number,
  rules: Uint8Array,
  survey: Survey,
  take: (match: FoundMatch) => void,
): boolean {
  const viewer = viewerOf(scanner);
  let truncated = false;
  if ((survey.reasons & reason.fold) !== 0) takeHidden(viewer, scanner, text, role, rules, survey, take);
  const isWhole = eachView(viewer, text, survey, (view) => {
    const found = scanner.match(view.text, role, rulesFor(scanner, rules, view.kinds));
    if (found.truncated) truncated = true;
    for (const { rule, start, end } of found.list) {
      const span = originalSpan(view, start, end);
      if (span) take({ rule, start: span.start, end: span.end, via: view.kinds });
    }
  });
  return truncated || !isWhole;
}

interface Kept extends Viewer {
  /** Rules with a pattern that detects hidden text. */
  readonly hiddenTextRules: readonly number[];
}

const viewers = new WeakMap<Scanner, Kept>();

/** What a scanner's views need; made at its first use and kept as long as the scanner. */
function viewerOf(scanner: Scanner): Kept {
  const kept = viewers.get(scanner);
  if (kept) return kept;
  const { patterns } = scanner.program;
  const hiddenTextRules = patterns.flatMap(({ detect, rule }) => (detect === 'hidden-text' ? [rule] : []));
  const viewer = { gate: createGate(), vocabulary: vocabularyOf(scanner.program), hiddenTextRules };
  viewers.set(scanner, viewer);
  return viewer;
}

/** The rules that are on and allow every one of the kinds. */
function rulesFor(scanner: Scanner, rules: Uint8Array, kinds: number): Uint8Array {
  return rules.map((on, rule) => (on === 1 && (scanner.program.rules[rule].views & kinds) === kinds ? 1 : 0));
}

function takeHidden(
  kept: Kept,
  scanner: Scanner,
  text: string,
  role: number,
  rules: Uint8Array,
  survey: Survey,
  take: (match: FoundMatch) => void,
): void {
  const detecting = kept.hiddenTextRules.filter(
    (rule) => rules[rule] === 1 && (scanner.program.rules[rule].roles & role) !== 0,
  );
  if (detecting.length === 0) return;
  for (const { start, end } of findHidden(text, partsOf(survey, foreignPlace, 0, text.length)))
    for (const rule of detecting) take({ rule, start, end });
}

/** Matches of one message, rule by rule. */
class Findings {
  truncated = false;
  private readonly byRule = new Map<number, FoundMatch[]>();
  private grown = false;
  private readonly raw: readonly Match[];

  constructor(raw: readonly Match[]) {
    this.raw = raw;
  }

  add(match: FoundMatch): void {
    this.grow();
    const list = this.byRule.get(match.rule);
    if (!list) this.byRule.set(match.rule, [match]);
    else if (list.length >= limits.matchesPerRuleMax) this.truncated = true;
    else if (list.every(({ start, end }) => match.end <= start || end <= match.start)) list.push(match);
  }

  list(): readonly FoundMatch[] {
    if (!this.grown) return this.raw;
    const rules = [...this.byRule.keys()].sort((a, b) => a - b);
    return rules.flatMap((rule) => (this.byRule.get(rule) ?? []).sort((a, b) => a.start - b.start));
  }

  private grow(): void {
    if (this.grown) return;
    this.grown = true;
    for (const match of this.raw) {
      const list = this.byRule.get(match.rule);
      if (list) list.push(match);
      else this.byRule.set(match.rule, [match]);
    }
  }
}
