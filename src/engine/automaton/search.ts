import { type Automaton, addressMask, type NeedleSink } from './automaton.js';

/**
 * Finds every occurrence of every needle in `text`. Linear in the text; allocates nothing. The plain reference:
 * what any faster search must equal.
 */
export function searchPlainly(automaton: Automaton, text: string, sink: NeedleSink): void {
  if (automaton.needleCount === 0) return;
  if (automaton.kind === 'dense') walkDense(automaton, automaton.rootRow, text, 0, text.length, sink);
  else searchCompact(automaton, text, sink);
}

/** Walks `[from, to)` of a text through a dense table, beginning in `row`; gives the row that it ends in. */
export function walkDense(
  automaton: Automaton,
  row: number,
  text: string,
  from: number,
  to: number,
  sink: NeedleSink,
): number {
  const { classes, words } = automaton;
  let at = row;
  for (let i = from; i < to; i++) {
    at = words[(at + classes[text.charCodeAt(i)]) >> 2];
    if (at < 0) {
      at &= addressMask;
      reportDense(automaton, at, i + 1, sink);
    }
  }
  return at;
}

function reportDense({ words, classCount }: Automaton, reporting: number, end: number, sink: NeedleSink): void {
  for (let row = reporting; row !== 0; row = words[(row >> 2) + classCount + 2]) {
    const needle = words[(row >> 2) + classCount + 1];
    if (needle >= 0) sink(needle, end);
  }
}

function searchCompact(automaton: Automaton, text: string, sink: NeedleSink): void {
  const { classes, spaceClass, needleOf, suffixHit } = automaton;
  let state = 0;
  let lastClass = -1;
  for (let i = 0; i < text.length; i++) {
    const unitClass = classes[text.charCodeAt(i)];
    const repeatsSpace = unitClass === spaceClass && lastClass === spaceClass && spaceClass > 0;
    lastClass = unitClass;
    if (repeatsSpace) continue;
    state = unitClass === 0 ? 0 : step(automaton, state, unitClass);
    if (needleOf[state] >= 0 || suffixHit[state] > 0) reportCompact(automaton, state, i + 1, sink);
  }
}

function step(automaton: Automaton, from: number, unitClass: number): number {
  const { edges, fail, words, rootEdges } = automaton;
  for (let state = from; state !== 0; state = fail[state]) {
    let low = edges[state] >> 1;
    let high = (edges[state + 1] >> 1) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = words[middle * 2];
      if (found === unitClass) return words[middle * 2 + 1];
      if (found < unitClass) low = middle + 1;
      else high = middle - 1;
    }
  }
  return rootEdges[unitClass >> 2];
}

function reportCompact({ needleOf, suffixHit }: Automaton, from: number, end: number, sink: NeedleSink): void {
  if (needleOf[from] >= 0) sink(needleOf[from], end);
  for (let state = suffixHit[from]; state > 0; state = suffixHit[state]) sink(needleOf[state], end);
}
