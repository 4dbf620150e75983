/** Half-open, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of a text that the same spans cover from its first unit to its last. */
export interface Segment extends Range {
  /** Positions in the list of spans; empty where nothing covers it. */
  readonly spans: readonly number[];
}

/** Most spans that are told apart in one text; a person reads no more. */
export const spansMarkedMax = 500;

/**
 * Cuts `within` at every border of a span, so that spans that overlap can be marked without one element inside of
 * another. Spans are clamped to the text; empty ones are left out. Costs spans × segments at worst, both bounded.
 */
export function segmentText(within: Range, spans: readonly Range[]): Segment[] {
  const inside = spans
    .slice(0, spansMarkedMax)
    .map(({ start, end }, index) => ({
      start: Math.max(start, within.start),
      end: Math.min(end, within.end),
      index,
    }))
    .filter(({ start, end }) => start < end);
  const borders = [...new Set([within.start, within.end, ...inside.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return borders.slice(1).map((end, at) => {
    const start = borders[at] ?? within.start;
    return { start, end, spans: inside.filter((span) => span.start <= start && end <= span.end).map((s) => s.index) };
  });
}

/** Units of one text that are put on the page, with and without spans; more would make the browser slow. */
export const shownUnitsMax = 20_000;
/** Units shown on either side of a span in a text that is cut. */
const aroundUnits = 240;
/** Most of one span that is shown in a text that is cut. */
const spanUnitsMax = 2_000;
const headUnits = 1_200;

/**
 * The parts of a text that are shown: all of it, or for a long one its beginning and what stands around its spans, up
 * to `shownUnitsMax`. In order, apart from one another, and never through a surrogate pair.
 */
export function shownRanges(text: string, spans: readonly Range[]): Range[] {
  if (text.length <= shownUnitsMax) return text === '' ? [] : [{ start: 0, end: text.length }];
  const wanted = [
    { start: 0, end: headUnits },
    ...spans
      .slice(0, spansMarkedMax)
      .map(({ start, end }) => ({
        start: Math.max(0, start - aroundUnits),
        end: Math.min(text.length, Math.min(end, start + spanUnitsMax) + aroundUnits),
      }))
      .filter(({ start, end }) => start < end)
      .sort((a, b) => a.start - b.start),
  ];
  const ranges: { start: number; end: number }[] = [];
  let left = shownUnitsMax;
  for (const { start, end } of wanted) {
    const last = ranges.at(-1);
    const from = Math.max(start, last?.end ?? 0);
    const to = Math.min(end, from + left);
    if (from >= to) continue;
    if (last !== undefined && from === last.end) last.end = to;
    else ranges.push({ start: from, end: to });
    left -= to - from;
  }
  // What the bound cuts down to half of a character is nothing.
  return ranges
    .map(({ start, end }) => ({ start: wholeCharacter(text, start), end: wholeCharacter(text, end) }))
    .filter(({ start, end }) => start < end);
}

/** The beginning of a text that has no more units than these, and ends with a whole character. */
export function cutText(text: string, unitsMax: number): string {
  return text.length > unitsMax ? text.slice(0, wholeCharacter(text, unitsMax)) : text;
}

/** The nearest border of a character at or before this place. */
function wholeCharacter(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000 ? at - 1 : at;
}
