import { isWithin, type Span } from '../../domain/span.js';

/**
 * The matches without the spared ones that lie within spans (ascending, disjoint) of their text, which are looked for only where a
 * match is spared.
 */
export function withoutSparedIn<T extends Span>(
  matches: readonly T[],
  spares: (match: T) => boolean,
  spansOf: () => readonly Span[],
): readonly T[] {
  if (!matches.some(spares)) return matches;
  const spans = spansOf();
  return spans.length === 0 ? matches : matches.filter((match) => !spares(match) || !isWithin(match, spans));
}
