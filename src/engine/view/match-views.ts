import { limits } from '../../domain/limits.js';
import { once } from '../../domain/once.js';
import { placeBehind, type Span } from '../../domain/span.js';
import { byMask } from '../by-mask.js';
import type { Match, Matches } from '../collector.js';
import { findRepetition } from '../detect/repetition.js';
import { findTokenSalad } from '../detect/token-salad.js';
import { createLearnedRules, type LearnedRules, notAsked } from '../learned/learned-rules.js';
import { noneStrange } from '../learned/plain-scorer.js';
import { allRoles, type Detection, isAsked } from '../program.js';
import type { Scanner } from '../scanner.js';
import { isInOpaque, opaqueParts } from '../text/opaque.js';
import { createGate } from './gate.js';
import { findHidden } from './hidden.js';
import { viewBit } from './kinds.js';
import { createSpeller } from './speller.js';
import { foreignPlace, partsOf, reason, type Survey } from './survey.js';
import { originalSpan, rootView, type View, withoutParts } from './view.js';
import { eachView, type Viewer } from './views.js';

/** A match in a text or in a view of it. The span is one of the text either way. */
export interface FoundMatch extends Match {
  /** Bit set of `viewKinds` through which it was found; absent where it stands in the text as it is. */
  readonly via?: number;
  /** What a model gives it, instead of the score of its rule; see `LearnedMatch`. */
  readonly score?: number;
}

export interface FoundMatches {
  /** Ordered by rule index, then start; matches of one rule do not overlap. */
  readonly list: readonly FoundMatch[];
  /** True if a limit on matches or on views cut something off. */
  readonly truncated: boolean;
}

/**
 * What `Scanner.match` and models find in a text, and what they find in the text's views by rules that allow them. Of matches of
 * one rule that overlap the one in the text itself stays, then the one in the earlier view. Ordinary text pays the
 * gate: one or two nanoseconds a unit.
 */
export function matchViews(scanner: Scanner, text: string, role: number, rules: Uint8Array): FoundMatches {
  return joinViews(scanner.match(text, role, rules), matchViewsApart(scanner, text, role, rules));
}

/** Makes what a text would have to wait for: the gate's tables, the vocabulary, the speller, the models' kernel. Some 15 ms. */
export function warmViews(scanner: Scanner): void {
  matchViews(scanner, 'Good morning.', allRoles, new Uint8Array(scanner.program.rules.length).fill(1));
  viewerOf(scanner).warm();
}

/** What the views of a text add to `Scanner.match`; see `joinViews`. */
export interface ViewMatches {
  /** In the order in which they were found. */
  readonly list: readonly FoundMatch[];
  readonly truncated: boolean;
}

const nothing: ViewMatches = { list: [], truncated: false };

/** Who reads a text, in which role it was said, and the rules that are asked about it. */
interface Reading {
  readonly scanner: Scanner;
  readonly viewer: Kept;
  readonly role: number;
  readonly rules: Uint8Array;
}

/** The part of `matchViews` that is about models and views. */
export function matchViewsApart(scanner: Scanner, text: string, role: number, rules: Uint8Array): ViewMatches {
  const viewer = viewerOf(scanner);
  const reading = { scanner, viewer, role, rules };
  // In this order, because a model changes the text where the search has left it.
  const survey = viewer.gate(text);
  const opaque = opaqueParts(text);
  if (opaque.length > 0) return matchAroundOpaque(reading, text, survey, opaque);
  return matchReadings(reading, rootView(text), survey);
}

/** What models and code find in a text, or in what is left of one, and all that stands in its views. */
function matchReadings(reading: Reading, root: View, survey: Survey): ViewMatches {
  const { list: found, strange } = matchByCode(reading, root.text);
  const list = found.length === 0 ? found : found.flatMap((match) => placed(root, match));
  if (survey.reasons !== 0 || strange.length > 0) return matchInViews(reading, root, survey, strange, list);
  return list.length === 0 ? nothing : { list, truncated: false };
}

/** A match in a view as one in the text; none where it holds a break. */
function placed<Found extends Span>(view: View, match: Found): readonly Found[] {
  const span = originalSpan(view, match.start, match.end);
  return span ? [{ ...match, ...span }] : [];
}

/**
 * The same of a text with opaque parts: models and views read what is left without them, but for what they may say themselves, which is
 * decoded where they stand.
 */
function matchAroundOpaque(reading: Reading, text: string, survey: Survey, opaque: readonly number[]): ViewMatches {
  const left = withoutParts(text, opaque);
  const ofLeft = reading.viewer.gate(left.text);
  const inLeft = matchReadings(reading, left, { ...ofLeft, reasons: ofLeft.reasons & ~reason.run });
  const ofRuns = { ...survey, reasons: survey.reasons & reason.run };
  const inRuns = matchInViews(reading, rootView(text), ofRuns, noneStrange, []);
  const said = inRuns.list.filter(({ start, end }) => end - start >= saidUnitsMin || !isInOpaque(text, start, end));
  return { list: [...inLeft.list, ...said], truncated: inLeft.truncated || inRuns.truncated };
}

/** Units of an opaque part that say something if they are decoded: of fewer some do by chance. */
const saidUnitsMin = 64;

interface FoundByCode {
  readonly list: FoundMatch[];
  /** Of `Learned`. */
  readonly strange: readonly number[];
}

/** What models find in a text, and what code does that no pattern can. */
function matchByCode(reading: Reading, text: string): FoundByCode {
  const { viewer, role, rules } = reading;
  const { matches, strange } = viewer.learned?.match(text, role, rules) ?? notAsked;
  const list: FoundMatch[] = [...matches];
  for (const { detecting, find } of viewer.textDetections) {
    const asked = askedOf(reading, detecting);
    if (asked.length > 0) addSpans(list, asked, find(text));
  }
  return { list, strange };
}

/** Adds to the list what stands in the views of a text that has reasons for some. */
function matchInViews(
  reading: Reading,
  root: View,
  survey: Survey,
  strange: readonly number[],
  list: FoundMatch[],
): ViewMatches {
  const { scanner, viewer, role } = reading;
  const { text } = root;
  let truncated = false;
  if ((survey.reasons & reason.fold) !== 0) {
    const hiddenRules = askedOf(reading, viewer.hiddenTextRules);
    if (hiddenRules.length > 0) {
      const spans = findHidden(text, partsOf(survey, foreignPlace, 0, text.length));
      addSpans(
        list,
        hiddenRules,
        spans.flatMap((span) => placed(root, span)),
      );
    }
  }
  const isWhole = eachView(viewer, root, survey, strange, (view) => {
    const rules = viewer.rulesFor(reading.rules, view.kinds);
    const take = (match: FoundMatch): void => {
      for (const each of placed(view, match)) list.push({ ...each, via: view.kinds });
    };
    const found = scanner.match(view.text, role, rules);
    if (found.truncated) truncated = true;
    found.list.forEach(take);
    // A table reads as the text does, but for names before its values.
    if (view.own === viewBit('table')) return noneStrange;
    const byCode = matchByCode({ ...reading, rules }, view.text);
    byCode.list.forEach(take);
    return byCode.strange;
  });
  // Nobody knows what stands in them.
  if (!isWhole) {
    const unreadRules = askedOf(reading, viewer.unreadViewsRules);
    const end = root.ends?.reduce((most, each) => Math.max(most, each), 0) ?? text.length;
    addSpans(list, unreadRules, [{ start: 0, end }]);
  }
  return { list, truncated: truncated || !isWhole };
}

function askedOf({ scanner, role, rules }: Reading, detecting: readonly number[]): readonly number[] {
  return detecting.filter((rule) => isAsked(scanner.program, rule, role, rules));
}

function addSpans(list: FoundMatch[], rules: readonly number[], spans: readonly Span[]): void {
  for (const { start, end } of spans) for (const rule of rules) list.push({ rule, start, end });
}

/** All other readings of a text that its gate asks for, as they are matched; not those that only a model asks for. */
export function viewTexts(scanner: Scanner, text: string): readonly string[] {
  const viewer = viewerOf(scanner);
  const texts: string[] = [];
  eachView(viewer, rootView(text), viewer.gate(text), noneStrange, (view) => {
    texts.push(view.text);
    return noneStrange;
  });
  return texts;
}

/** `matchViews` of what its two parts found. */
export function joinViews(raw: Matches, inViews: ViewMatches): FoundMatches {
  const truncated = raw.truncated || inViews.truncated;
  if (inViews.list.length === 0) return truncated === raw.truncated ? raw : { list: raw.list, truncated };
  const found = new Findings(raw.list);
  for (const match of inViews.list) found.add(match);
  return { list: found.list(), truncated: truncated || found.truncated };
}

type FindSpans = (text: string) => readonly Span[];

interface Kept extends Viewer {
  /** Rules with a pattern that detects hidden text. */
  readonly hiddenTextRules: readonly number[];
  /** Rules with a pattern that detects that views were left out. */
  readonly unreadViewsRules: readonly number[];
  /** What code finds in a text, and the rules that ask for it. */
  readonly textDetections: readonly { readonly detecting: readonly number[]; readonly find: FindSpans }[];
  readonly learned: LearnedRules | undefined;
  /** Makes the vocabulary and the speller, which texts with nothing strange in them do without. */
  warm(): void;
  /** A mask without the rules that do not allow every one of the kinds of a view. */
  readonly rulesFor: (rules: Uint8Array, kinds: number) => Uint8Array;
}

const viewers = new WeakMap<Scanner, Kept>();

/** What a scanner's views need; made at its first use and kept as long as the scanner. */
function viewerOf(scanner: Scanner): Kept {
  const kept = viewers.get(scanner);
  if (kept) return kept;
  const { patterns, rules } = scanner.program;
  const { searcher } = scanner.machinery;
  const detecting = patterns.filter(({ detect }) => detect !== undefined);
  const rulesThat = (kind: Detection) => detecting.flatMap(({ detect, rule }) => (detect === kind ? [rule] : []));
  const wordsOf = once(() => scanner.program.words);
  const vocabularyOf = once(() => new Set(wordsOf().vocabulary));
  const spellerOf = once(() => createSpeller(wordsOf()));
  const viewer: Kept = {
    gate: createGate(searcher.room),
    get vocabulary() {
      return vocabularyOf();
    },
    get speller() {
      return spellerOf();
    },
    warm: () => {
      vocabularyOf();
      spellerOf();
    },
    hiddenTextRules: rulesThat('hidden-text'),
    unreadViewsRules: rulesThat('unread-views'),
    textDetections: [
      { detecting: rulesThat('repetition'), find: findRepetition },
      { detecting: rulesThat('token-salad'), find: findTokenSalad },
    ],
    learned: createLearnedRules(scanner.program, searcher),
    rulesFor: byMask((asked, kinds) => asked.map((on, rule) => ((rules[rule].views & kinds) === kinds ? on : 0))),
  };
  viewers.set(scanner, viewer);
  return viewer;
}

/** Matches of one message, rule by rule; those of a rule ascend and do not overlap. */
class Findings {
  truncated = false;
  private readonly byRule = new Map<number, FoundMatch[]>();

  constructor(raw: readonly Match[]) {
    for (const match of raw) this.listOf(match.rule).push(match);
  }

  add(match: FoundMatch): void {
    const list = this.listOf(match.rule);
    const place = placeBehind(list, match.start);
    if (list.length >= limits.matchesPerRuleMax) this.truncated = true;
    else if (place === list.length || match.end <= list[place].start) list.splice(place, 0, match);
    else if (match.score !== undefined) this.preferHigher(list, match);
  }

  /** Of a model's matches that overlap the one with the highest score stays. */
  private preferHigher(list: FoundMatch[], match: FoundMatch): void {
    const { score = 0 } = match;
    const rivals = list.filter(({ start, end }) => match.start < end && start < match.end);
    if (rivals.some((rival) => (rival.score ?? 0) >= score)) return;
    const kept = list.filter((each) => !rivals.includes(each));
    kept.splice(placeBehind(kept, match.start), 0, match);
    list.splice(0, list.length, ...kept);
  }

  list(): readonly FoundMatch[] {
    const rules = [...this.byRule].sort(([a], [b]) => a - b);
    return rules.flatMap(([, list]) => list);
  }

  private listOf(rule: number): FoundMatch[] {
    const known = this.byRule.get(rule);
    if (known) return known;
    const list: FoundMatch[] = [];
    this.byRule.set(rule, list);
    return list;
  }
}
