import { beginsAtBorder, endsAtBorder, isWordEdge } from './borders.js';
import type { Context, Side } from './context.js';
import { acceptNode, FlankNfa } from './flank-nfa.js';
import { endSymbol, symbolCount, symbolOf, wordSymbols } from './symbol.js';

/**
 * A *flank* is a small deterministic automaton that reads what stands beside a needle, away from it, and says "no" or
 * "maybe": no match of the pattern can have its needle here, or one may. It is derived from the parsed pattern and
 * loses nothing: counts are loosened, borders inside are dropped, and where it would grow too large or see too far it
 * says "maybe". A look costs a few units, a run of the regex a thousand times that.
 *
 *     0    class of each symbol
 *     145  number of classes
 *     146  rows from `firstState` on: next state for each class
 */
export type Flank = Uint8Array;

const deadState = 0;
const maybeState = 1;
const firstState = 2;
const classCountAt = symbolCount;
const rowsAt = classCountAt + 1;
/** Units that a flank reads; then it says "maybe". */
export const flankUnitsMax = 32;
/** States of one flank; what lies beyond is "maybe". */
const statesMax = 32;

/**
 * The flank of a needle on one side, or undefined where it could only say "maybe".
 * @param edge the needle's unit on that side, folded
 * @param ignoreCase of the pattern
 * @param states at the most, up to 253
 * @param usual texts for which there are states even where not all find room
 */
export function compileFlank(
  contexts: readonly Context[],
  side: Side,
  edge: number,
  ignoreCase: boolean,
  states: number = statesMax,
  usual: readonly string[] = [],
): Flank | undefined {
  const nfa = new FlankNfa(side, ignoreCase);
  const start = nfa.startOf(contexts.map((context) => context[side]));
  const isBordered = contexts.every((context) =>
    side === 'before' ? endsAtBorder(context.before) : beginsAtBorder(context.after),
  );
  const isEdged = isBordered && isWordEdge(edge, ignoreCase);
  if (accepts(start) && !isEdged) return undefined;
  const isRefused = (symbol: number) => isEdged && wordSymbols[symbol] === 1;
  return new Determiniser(nfa, isRefused, states).run(start, usual);
}

/** True if the flank says "no" at once where a digit stands. */
export function refusesDigits(flank: Flank): boolean {
  for (let digit = 48; digit <= 57; digit++) if (!refusesAtOnce(flank, 0, digit)) return false;
  return true;
}

/** True if the flank at an address says "no" as soon as it has read a symbol. */
export function refusesAtOnce(flanks: Uint8Array, address: number, symbol: number): boolean {
  return flanks[address + rowsAt + flanks[address + symbol]] === deadState;
}

/** A flank that always says "maybe". */
export const maybeFlank: Flank = Uint8Array.from({ length: rowsAt + 1 }, (_, at) => (at < classCountAt ? 0 : 1));

/** What a flank says of a text from a place on. `step` is 1 after a needle, −1 before it. */
export function passesFlank(flanks: Uint8Array, address: number, text: string, from: number, step: 1 | -1): boolean {
  const classCount = flanks[address + classCountAt];
  const rows = address + rowsAt;
  let state = firstState;
  let at = from;
  for (let left = flankUnitsMax; left > 0; left--) {
    const symbol = at < 0 || at >= text.length ? endSymbol : symbolOf(text.charCodeAt(at));
    state = flanks[rows + (state - firstState) * classCount + flanks[address + symbol]];
    if (state <= maybeState) return state === maybeState;
    at += step;
  }
  return true;
}

/** Makes states of sets of nodes, breadth first, as many as there is room for. */
class Determiniser {
  private readonly nfa: FlankNfa;
  private readonly isRefused: (symbol: number) => boolean;
  private readonly stateOf = new Map<string, number>();
  private readonly sets: (readonly number[])[] = [];
  private readonly statesMost: number;

  constructor(nfa: FlankNfa, isRefused: (symbol: number) => boolean, statesMost: number) {
    this.nfa = nfa;
    this.isRefused = isRefused;
    this.statesMost = statesMost;
  }

  run(start: readonly number[], usual: readonly string[]): Flank {
    const groups = this.nfa.symbolGroups(this.isRefused);
    // The first state is its own, because a border is asked of the first symbol alone.
    this.sets.push(start);
    for (const text of usual) this.makeStatesOf(text);
    const rows: number[][] = [];
    for (let state = 0; state < this.sets.length; state++) {
      rows.push(this.rowOf(state, groups.representatives));
    }
    return encode(rows, groups.groupOf);
  }

  /** States after each of some symbols. */
  private rowOf(state: number, symbols: readonly number[]): number[] {
    const set = this.sets[state];
    const marks = this.nfa.marksOf(set, symbols);
    const after = new Map<number, number>();
    return symbols.map((symbol, at) => {
      if (state === 0 && this.isRefused(symbol)) return deadState;
      const next = after.get(marks[at]) ?? this.stateAfter(set, symbol);
      after.set(marks[at], next);
      return next;
    });
  }

  private makeStatesOf(text: string): void {
    let state = firstState;
    for (let at = 0; at < text.length && state >= firstState; at++) {
      state = this.stateAfter(this.sets[state - firstState], symbolOf(text.charCodeAt(at)));
    }
  }

  private stateAfter(set: readonly number[], symbol: number): number {
    if (accepts(set)) return maybeState;
    const next = this.nfa.step(set, symbol);
    if (next.length === 0) return deadState;
    if (accepts(next)) return maybeState;
    const key = String.fromCharCode(...next);
    const known = this.stateOf.get(key);
    if (known !== undefined) return known;
    if (this.sets.length >= this.statesMost) return maybeState;
    const state = firstState + this.sets.push(next) - 1;
    this.stateOf.set(key, state);
    return state;
  }
}

/** Nodes ascend. */
function accepts(set: readonly number[]): boolean {
  return set[0] === acceptNode;
}

/** Groups of symbols that go the same way from every state become one class. */
function encode(rows: readonly (readonly number[])[], groupOf: Uint8Array): Flank {
  const classOf = new Map<string, number>();
  const columns: number[] = [];
  const classOfGroup = rows[0].map((_, group) => {
    let key = '';
    for (const row of rows) key += String.fromCharCode(row[group]);
    const known = classOf.get(key) ?? classOf.size;
    if (known === classOf.size) columns.push(group);
    classOf.set(key, known);
    return known;
  });
  const flank = new Uint8Array(rowsAt + rows.length * columns.length);
  groupOf.forEach((group, symbol) => {
    flank[symbol] = classOfGroup[group];
  });
  flank[classCountAt] = columns.length;
  let at = rowsAt;
  for (const row of rows) for (const group of columns) flank[at++] = row[group];
  return flank;
}
