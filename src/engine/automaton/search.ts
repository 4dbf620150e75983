import { type Automaton, headWord, type NeedleSink, needleWord, needleWords, pageClasses } from './automaton.js';

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
  const { classes, words, needleRecords, reportsFrom } = automaton;
  let state = begin;
  for (let i = from; i < to; i++) {
    state = nextState(automaton, state, classes[text.charCodeAt(i)]);
    if (state < reportsFrom) continue;
    let needle = words[(state >> 2) + headWord.needle];
    for (; needle >= 0; needle = needleRecords[needle * needleWords + needleWord.suffix]) sink(needle, i + 1);
  }
  return state;
}

function nextState({ words, isPaged }: Automaton, state: number, unitClass: number): number {
  const head = state >> 2;
  if ((words[head + headWord.edge] & 0xffff) === unitClass) return words[head + headWord.child];
  const row = words[head + headWord.row] >> 2;
  if (!isPaged) return words[row + unitClass];
  const page = words[row + Math.floor(unitClass / pageClasses)] >> 2;
  return words[page + (unitClass % pageClasses)];
}
