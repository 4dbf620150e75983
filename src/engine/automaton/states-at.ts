import type { Program } from '../program.js';
import { isSpaceUnit, spaceUnit } from '../text/fold.js';
import { type Automaton, lengthMask, needleWord, needleWords } from './automaton.js';
import { walk } from './search.js';

/** Runs of white space from this length on are remembered, so that no text is walked back over again and again. */
const longRunUnits = 64;

/** The states of a program's automata after all of a text before a place. */
export type StateFinder = (text: string, at: number) => number[];

/**
 * Gives the states that a program's automata stand in after all of a text before a place. A state knows no more than
 * the longest needle's length of collapsed text, so that much before the place is read. For ascending places of one text
 * the cost is linear in it however much white space it has.
 */
export function createStateFinder(program: Program): StateFinder {
  let unitsMax: number | undefined;
  let run = { text: '', from: 0, to: 0 };

  const runStart = (text: string, last: number): number => {
    let at = last;
    while (at > 0 && isSpaceUnit(text.charCodeAt(at - 1))) {
      at = run.text === text && at > run.from && at < run.to ? run.from : at - 1;
    }
    if (last - at >= longRunUnits) run = { text, from: at, to: last + 1 };
    return at;
  };

  return (text, place) => {
    // Which takes milliseconds, and only long texts ask.
    unitsMax ??= longestNeedle(program.automata);
    const units: number[] = [];
    for (let at = place; units.length < unitsMax && at > 0; ) {
      const unit = text.charCodeAt(--at);
      const isSpace = isSpaceUnit(unit);
      units.push(isSpace ? spaceUnit : unit);
      if (isSpace) at = runStart(text, at);
    }
    const before = String.fromCharCode(...units.reverse());
    return program.automata.map((automaton) => walk(automaton, automaton.root, before, 0, before.length, ignore));
  };
}

/** In units. Not by the needles' texts, which would be made for that alone. */
function longestNeedle([first]: readonly Automaton[]): number {
  // All automata have one table of needles.
  const { needleRecords } = first ?? { needleRecords: [] };
  let length = 0;
  for (let at = 0; at < needleRecords.length; at += needleWords) {
    length = Math.max(length, needleRecords[at + needleWord.form] & lengthMask);
  }
  return length >> 1;
}

function ignore(): void {}
