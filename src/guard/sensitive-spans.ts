import type { Span } from '../domain/span.js';
import type { Overlay } from '../engine/overlay.js';
import { allRoles } from '../engine/program.js';
import type { Scanner } from '../engine/scanner.js';
import { type FoundMatches, matchViews } from '../engine/view/match-views.js';

/**
 * Finds everything that the rules of LLM02 (sensitive information) match in a text and its views: all of them, whatever profile,
 * role and score.
 */
export function createSensitiveMatcher(scanner: Scanner): (text: string) => FoundMatches {
  const sensitive = Uint8Array.from(scanner.program.rules, ({ policy }) => (policy === 'LLM02' ? 1 : 0));
  return (text) => matchViews(scanner, text, allRoles, sensitive);
}

/**
 * What of a text is not to be shown: ascending, disjoint spans of what such a matcher `found` in it, of what the overlay's
 * own rules of LLM02 find, and of what is known besides. Where a limit cut matches off it is all of it, for nobody knows
 * where the others are.
 */
export function sensitiveSpans(
  text: string,
  found: { readonly list: readonly Span[]; readonly truncated: boolean },
  overlay: Overlay | undefined,
  known: readonly Span[] = [],
): readonly Span[] {
  const own = overlay?.matchPolicy(text, 'LLM02');
  if (found.truncated || own?.truncated) return [{ start: 0, end: text.length }];
  const all = [...known, ...found.list, ...(own?.list ?? [])].sort((a, b) => a.start - b.start);
  const spans: Span[] = [];
  for (const { start, end } of all) {
    const last = spans.at(-1);
    if (last && start < last.end) spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else spans.push({ start, end });
  }
  return spans;
}
