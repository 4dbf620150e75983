import { limits } from '../../domain/limits.js';
import type { Match, Scanner } from '../scanner.js';
import { createGate } from './gate.js';
import { findHidden } from './hidden.js';
import { foreignPlace, partsOf, reason } from './survey.js';
import { originalSpan, type View } from './view.js';
import { eachView, type Viewer } from './views.js';
import { vocabularyOf } from './words.js';

/** A match in a text or in a view of it. The span is one of the text either way. */
export interface FoundMatch extends Match {
  /** Bit set of `viewKinds` through which it was found; absent where it stands in the text as it is. */
  readonly via?: number;
}

interface FoundMatches {
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
  const viewer = viewerOf(scanner);
  const survey = viewer.gate(text);
  if (survey.reasons === 0) return raw;
  const found = new Findings(raw.list);
  let truncated = raw.truncated;
  if ((survey.reasons & reason.fold) !== 0) {
    const detecting = viewer.hiddenTextRules.filter(
      (rule) => rules[rule] === 1 && (scanner.program.rules[rule].roles & role) !== 0,
    );
    const parts = detecting.length === 0 ? [] : partsOf(survey, foreignPlace, 0, text.length);
    for (const { start, end } of findHidden(text, parts)) for (const rule of detecting) found.add({ rule, start, end });
  }
  const isWhole = eachView(viewer, text, survey, (view) => {
    const mask = rulesFor(scanner, rules, view.kinds);
    const { list, truncated: isCut } = scanner.match(view.text, role, mask);
    if (isCut) truncated = true;
    for (const match of list) found.addFrom(view, match);
  });
  return { list: found.list(), truncated: truncated || !isWhole || found.truncated };
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

/** Matches of one message, rule by rule. */
class Findings {
  truncated = false;
  private readonly byRule = new Map<number, FoundMatch[]>();
  private grown = false;
  private readonly raw: readonly Match[];

  constructor(raw: readonly Match[]) {
    this.raw = raw;
  }

  addFrom(view: View, match: Match): void {
    const span = originalSpan(view, match.start, match.end);
    if (span) this.add({ rule: match.rule, start: span.start, end: span.end, via: view.kinds });
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
