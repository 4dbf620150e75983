import { type Automaton, addressMask, type NeedleSink, reportsFlag, sparseFlag } from './automaton.js';

/**
 * Finds every occurrence of every needle in `[from, to)` of a text, beginning in a state; gives the state that it ends in.
 * Linear in the text; allocates nothing. The plain reference: what any faster search must equal.
 */
export function walk(
  automaton: Automaton,
  begin: number,
  text: string,
  from: number,
  to: number,
  sink: NeedleSink,
): number {
  const { classes, words } = automaton;
  let state = begin;
  for (let i = from; i < to; i++) {
    const unitClass = classes[text.charCodeAt(i)];
    const rowed = (state & sparseFlag) === 0;
    state = rowed ? words[((state & addressMask) + unitClass) >> 2] : stepSparse(words, state, unitClass);
    if ((state & reportsFlag) !== 0) report(automaton, state, i + 1, sink);
  }
  return state;
}

/** Follows suffixes until one has an edge for the class; a row has one for every class. */
function stepSparse(words: Int32Array, from: number, unitClass: number): number {
  let state = from;
  while ((state & sparseFlag) !== 0) {
    const record = (state & addressMask) >> 2;
    const first = record + ((state & reportsFlag) === 0 ? 2 : 4);
    const end = first + 2 * (words[record] >>> 16);
    for (let edge = first; edge < end; edge += 2) {
      if (words[edge] === unitClass) return words[edge + 1];
    }
    state = words[record + 1];
  }
  return words[((state & addressMask) + unitClass) >> 2];
}

function report({ words }: Automaton, reporting: number, end: number, sink: NeedleSink): void {
  for (let state = reporting; state !== 0; ) {
    const needleAt = ((state & addressMask) >> 2) + ((state & sparseFlag) === 0 ? -2 : 2);
    if (words[needleAt] >= 0) sink(words[needleAt], end);
    state = words[needleAt + 1];
  }
}
