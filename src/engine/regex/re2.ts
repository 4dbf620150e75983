import RE2 from 're2';
import { relaxedSource } from './relaxed.js';

/**
 * The one importer of RE2: rule text never reaches a backtracking regex engine. All expressions run in Unicode
 * mode, report offsets in UTF-16 units and take time linear in the text.
 */
export interface Regex {
  /**
   * Calls `found` for every match from left to right in the part `[from, to)` of a text, which is all that it need see.
   * Stops when `found` returns false. What a match has no more than a border of behind its group `hit` is not used up: the
   * next match may begin with it, so that neighbours in a list are found where one character stands between them.
   */
  each(text: string, from: number, to: number, found: MatchSink): void;
  /** True if it matches the empty text, and so would match everywhere. */
  matchesEmpty(): boolean;
  /** Compiles what else would be compiled when something is first found. */
  prepare(): void;
}

/**
 * Takes the bounds of a match's group `hit` where there is one, of the whole match else, and then those of the whole
 * match; false when it wants no more.
 */
type MatchSink = (start: number, end: number, wholeStart: number, wholeEnd: number) => boolean;

/**
 * Most runs find nothing, and to say so costs RE2 much less than to say where; of a pattern with long repetitions its relaxed
 * source says so, and the pattern itself is compiled when that finds something. Throws `Error` with RE2's own words when RE2
 * refuses the source, which of a pattern with long repetitions it may do as late as then.
 */
export function compileRegex(source: string, ignoreCase: boolean): Regex {
  const hasHit = source.includes('(?<hit>');
  const flags = `g${ignoreCase ? 'i' : ''}u`;
  const relaxed = relaxedSource(source);
  const compile = (): RE2 => new RE2(source, hasHit ? `${flags}d` : flags);
  const first = relaxed === undefined ? compile() : new RE2(relaxed, flags);
  let exact = relaxed === undefined ? first : undefined;
  const exactly = (): RE2 => {
    exact ??= compile();
    exact.lastIndex = 0;
    return exact;
  };
  return {
    matchesEmpty: () => exactly().test(''),
    prepare: exactly,
    each: (text, from, to, found) => {
      const part = from === 0 && to === text.length ? text : text.slice(from, to);
      first.lastIndex = 0;
      if (!first.test(part.length > bytesUnitsMax ? part : utf8Of(part))) return;
      const regex = exactly();
      for (let match = regex.exec(part); match; match = regex.exec(part)) {
        const wholeEnd = match.index + match[0].length;
        const [start, end] = hasHit ? hitBounds(match) : [match.index, wholeEnd];
        if (end > start && !found(from + start, from + end, from + match.index, from + wholeEnd)) return;
        if (end > start && wholeEnd - end <= borderUnitsMax) regex.lastIndex = end;
        else if (match[0].length === 0) regex.lastIndex++;
      }
    },
  };
}

/**
 * What stands behind a hit in a match and is longer is no border but part of what was found, such as the name behind a value.
 * The bound keeps the time linear, too: of each match so much is read twice.
 */
const borderUnitsMax = 4;

/** Longer parts are given as text: there the search itself is what takes time. */
const bytesUnitsMax = 16 * 1_024;
const bytes = Buffer.alloc(3 * bytesUnitsMax);

/**
 * A part as bytes, which hold until the next call. For a text the binding makes a buffer and two weak handles at each call, which
 * takes longer than most searches; of bytes it takes nothing but their address. They tell whether something matches, not where.
 */
function utf8Of(part: string): Buffer {
  return bytes.subarray(0, bytes.write(part, 'utf8'));
}

/** Tells which of many expressions occur in a text, in one pass. */
export interface RegexSet {
  /** Places in the list of sources, ascending. */
  matching(text: string): readonly number[];
}

export function compileRegexSet(sources: readonly { source: string; ignoreCase: boolean }[]): RegexSet {
  if (sources.length === 0) return { matching: () => [] };
  const set = new RE2.Set(
    sources.map(({ source, ignoreCase }) => (ignoreCase ? `(?i:${source})` : source)),
    'u',
  );
  return { matching: (text) => set.match(text).sort((a, b) => a - b) };
}

function hitBounds(match: RegExpExecArray): readonly [number, number] {
  const bounds = match.indices?.groups?.hit;
  return bounds ?? [match.index, match.index + match[0].length];
}
