import RE2 from 're2';

/**
 * The one importer of RE2: rule text never reaches a backtracking regex engine. All expressions run in Unicode
 * mode, report offsets in UTF-16 units and take time linear in the text.
 */
export interface Regex {
  /**
   * Calls `found` for every match from left to right in the part `[from, to)` of a text, which is all that it need see.
   * Stops when `found` returns false.
   */
  each(text: string, from: number, to: number, found: MatchSink): void;
  /** True if it matches the empty text, and so would match everywhere. */
  matchesEmpty(): boolean;
}

/**
 * Takes the bounds of a match's group `hit` where there is one, of the whole match else, and then those of the whole
 * match; false when it wants no more.
 */
type MatchSink = (start: number, end: number, wholeStart: number, wholeEnd: number) => boolean;

/** Throws `Error` with RE2's own words when it refuses the source. */
export function compileRegex(source: string, ignoreCase: boolean, restartAtHit = false): Regex {
  const hasHit = source.includes('(?<hit>');
  const regex = new RE2(source, `g${ignoreCase ? 'i' : ''}u${hasHit ? 'd' : ''}`);
  return {
    matchesEmpty: () => {
      regex.lastIndex = 0;
      return regex.test('');
    },
    each: (text, from, to, found) => {
      const part = from === 0 && to === text.length ? text : text.slice(from, to);
      regex.lastIndex = 0;
      // Most runs find nothing, and to say so costs RE2 much less than to say where.
      if (!regex.test(part)) return;
      regex.lastIndex = 0;
      for (let match = regex.exec(part); match; match = regex.exec(part)) {
        const wholeEnd = match.index + match[0].length;
        const [start, end] = hasHit ? hitBounds(match) : [match.index, wholeEnd];
        if (end > start && !found(from + start, from + end, from + match.index, from + wholeEnd)) return;
        if (restartAtHit) regex.lastIndex = end;
        else if (match[0].length === 0) regex.lastIndex++;
      }
    },
  };
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
