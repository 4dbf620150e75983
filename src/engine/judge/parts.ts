import type { FoundMatch } from '../view/match-views.js';

/**
 * Of matches that are values with borders of their own (LLM02) those that are no part of another one: `646 830-2275` within
 * `+1 646 830-2275` is no second telephone number. A part stays where it is surer than what it stands in. Only for what is
 * shown: evidence is weighed with all, and what is hidden in redacted text is the larger span either way.
 * Ordered by start. Cost: n log n, and for each match the matches that reach over its start, of which each rule has one.
 */
export function withoutParts(matches: readonly FoundMatch[], scoreOf: (rule: number) => number): readonly FoundMatch[] {
  if (matches.length < 2) return matches;
  const sureness = ({ rule, score }: FoundMatch) => score ?? scoreOf(rule);
  let open: FoundMatch[] = [];
  return matches
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((match) => {
      open = open.filter(({ end }) => end > match.start);
      const isPart = open.some(
        (other) =>
          other.end >= match.end &&
          other.end - other.start > match.end - match.start &&
          sureness(other) >= sureness(match),
      );
      if (!isPart) open.push(match);
      return !isPart;
    });
}
