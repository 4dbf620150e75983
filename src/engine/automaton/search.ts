import type { Automaton, NeedleSink } from './automaton.js';

/**
 * Finds every occurrence of every needle in `text`, in ascending order of its end. Linear in the text; allocates
 * nothing. The plain reference: what any faster search must equal.
 */
export function search(automaton: Automaton, text: string, sink: NeedleSink): void {
  if (automaton.needleCount === 0) return;
  if (automaton.kind === 'dense') searchDense(automaton, text, sink);
  else searchCompact(automaton, text, sink);
}

function searchDense(automaton: Automaton, text: string, sink: NeedleSink): void {
  const { classes, table, classCount } = automaton;
  let row = 0;
  for (let i = 0; i < text.length; i++) {
    row = table[row + classes[text.charCodeAt(i)]];
    if (row < 0) {
      row &= 0x7fffffff;
      report(automaton, row / classCount, i + 1, sink);
    }
  }
}

function searchCompact(automaton: Automaton, text: string, sink: NeedleSink): void {
  const { classes, spaceClass, rootRow, needleOf, suffixHit } = automaton;
  let state = 0;
  let lastClass = -1;
  for (let i = 0; i < text.length; i++) {
    const unitClass = classes[text.charCodeAt(i)];
    const repeatsSpace = unitClass === spaceClass && lastClass === spaceClass && spaceClass > 0;
    lastClass = unitClass;
    if (repeatsSpace) continue;
    state = unitClass === 0 ? 0 : step(automaton, state, unitClass, rootRow);
    if (needleOf[state] >= 0 || suffixHit[state] > 0) report(automaton, state, i + 1, sink);
  }
}

function step(automaton: Automaton, from: number, unitClass: number, rootRow: Int32Array): number {
  const { edges, fail, table } = automaton;
  for (let state = from; state !== 0; state = fail[state]) {
    let low = edges[state] >> 1;
    let high = (edges[state + 1] >> 1) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = table[middle * 2];
      if (found === unitClass) return table[middle * 2 + 1];
      if (found < unitClass) low = middle + 1;
      else high = middle - 1;
    }
  }
  return rootRow[unitClass];
}

function report(automaton: Automaton, from: number, end: number, sink: NeedleSink): void {
  const { needleOf, suffixHit } = automaton;
  if (needleOf[from] >= 0) sink(needleOf[from], end);
  for (let state = suffixHit[from]; state > 0; state = suffixHit[state]) sink(needleOf[state], end);
}
