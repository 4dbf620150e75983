import {
  gateOf,
  gatesOf,
  lengthOf,
  type OutputSink,
  type Outputs,
  outputWords,
  patternOf,
  windowUnitsOf,
} from '../outputs.js';
import type { Program } from '../program.js';
import { passesFlank } from '../regex/flank.js';
import { repeatedSpace } from '../text/fold.js';
import { walk } from './search.js';
import { sectorBitsOf } from './sectors.js';
import { startOf } from './start-of.js';

/**
 * The plain twin of all that the kernel does for messages of a role, over `[from, to)` of a text. `states` are those that
 * the automata stand in; they are moved on.
 */
export function searchPiecePlainly(
  program: Program,
  states: number[],
  text: string,
  from: number,
  to: number,
  role: number,
  sink: OutputSink,
): void {
  const gates = new SeenGates(program.outputs, text, from, to);
  const startHits = findTextStart(program, text, from, gates);
  const digitHits: number[] = [];
  findDigitRuns(program, text, from, to, (output, end) => {
    gates.see(output, end);
    digitHits.push(end, output);
  });
  const found: Found[] = [];
  program.automata.forEach((automaton, index) => {
    if ((automaton.roles & role) === 0) return;
    states[index] = walk(automaton, states[index], text, from, to, (needle, end) => {
      const { starts } = program.outputs;
      for (let output = starts[needle]; output < starts[needle + 1]; output++) {
        gates.see(output, end);
        found.push({ output, end });
      }
    });
  });
  for (const output of startHits) sink(output, 1);
  if (program.automata.length > 1) found.sort((a, b) => a.end - b.end);
  for (const each of found) {
    if (gates.mayHaveNeighbours(each) && passesBoth(program, text, each)) sink(each.output, each.end);
  }
  for (let i = 0; i < digitHits.length; i += 2) sink(digitHits[i + 1], digitHits[i]);
}

interface Found {
  readonly output: number;
  readonly end: number;
}

/** In which sectors of a piece of a text which gates of which patterns occur. */
class SeenGates {
  private readonly outputs: Outputs;
  private readonly from: number;
  private readonly to: number;
  private readonly sectorBits: number;
  private readonly slack: number;
  private readonly isEnd: boolean;
  /** For each pattern the sectors of each of its gates. */
  private readonly seen = new Map<number, ReadonlyMap<number, Set<number>>>();

  constructor(outputs: Outputs, text: string, from: number, to: number) {
    this.outputs = outputs;
    this.from = from;
    this.sectorBits = sectorBitsOf(to - from, from === 0 && to === text.length);
    this.slack = repeatedSpace(text.slice(from, to));
    this.isEnd = to === text.length;
    this.to = to;
  }

  see(output: number, end: number): void {
    const gates = gatesOf(this.outputs, output);
    if (gates === 0) return;
    const pattern = patternOf(this.outputs, output);
    const numbers = [0, 1, 2, 3].filter((gate) => ((gates >> gate) & 1) === 1);
    const seen = this.seen.get(pattern) ?? new Map(numbers.map((gate) => [gate, new Set<number>()]));
    this.seen.set(pattern, seen);
    seen.get(gateOf(this.outputs, output))?.add(this.sectorOf(end));
  }

  /** Whether every other gate may be near enough: those before this one in a match before it, the others behind it. */
  mayHaveNeighbours({ output, end }: Found): boolean {
    if (gatesOf(this.outputs, output) === 0) return true;
    const seen = this.seen.get(patternOf(this.outputs, output)) ?? new Map<number, ReadonlySet<number>>();
    if (this.sectorBits === 0) return [...seen.values()].every(({ size }) => size > 0);
    const own = gateOf(this.outputs, output);
    const sector = this.sectorOf(end);
    const window = windowUnitsOf(this.outputs, output);
    const units = window === 0 ? this.to - this.from : window + this.slack;
    const reach = (units >> this.sectorBits) + 1;
    const isOpenBefore = end - 1 - this.from < units && this.from > 0;
    const isOpenAfter = end - 1 + units >= this.to && !this.isEnd;
    for (const [gate, sectors] of seen) {
      if (gate === own || (gate < own ? isOpenBefore : isOpenAfter)) continue;
      const distances = [...sectors].map((other) => (gate < own ? sector - other : other - sector));
      if (!distances.some((distance) => distance >= 0 && distance <= reach)) return false;
    }
    return true;
  }

  private sectorOf(end: number): number {
    return this.sectorBits === 0 ? 0 : (end - 1 - this.from) >> this.sectorBits;
  }
}

function passesBoth({ outputs, bytes }: Program, text: string, { output, end }: Found): boolean {
  const { records } = outputs;
  const before = records[output * outputWords + 2];
  const after = records[output * outputWords + 3];
  if (after !== 0 && !passesFlank(bytes, after, text, end, 1)) return false;
  return before === 0 || passesFlank(bytes, before, text, startOf(text, end, lengthOf(outputs, output)) - 1, -1);
}

/** Outputs of patterns that are anchored at the start of the text and may match there. */
function findTextStart({ outputs, bytes }: Program, text: string, from: number, gates: SeenGates): readonly number[] {
  const { records, textStart } = outputs;
  const passes = (flank: number) => flank === 0 || passesFlank(bytes, flank, text, 0, 1);
  const found: number[] = [];
  if (from > 0 || !passes(textStart.flank)) return found;
  for (let output = textStart.from; output < textStart.to; output++) {
    if (!passes(records[output * outputWords + 3])) continue;
    gates.see(output, 1);
    found.push(output);
  }
  return found;
}

function findDigitRuns({ outputs, bytes }: Program, text: string, from: number, to: number, sink: OutputSink): void {
  const { records, digits } = outputs;
  const passes = (flank: number, at: number, side: 'after' | 'before'): boolean =>
    flank === 0 || passesFlank(bytes, flank, text, side === 'after' ? at : at - 1, side === 'after' ? 1 : -1);
  let wasDigit = from > 0 && isDigitAt(text, from - 1);
  for (let at = from; at < to; at++) {
    const isDigit = isDigitAt(text, at);
    for (const side of isDigit && !wasDigit ? (['after', 'before'] as const) : []) {
      const group = digits[side];
      if (group.from === group.to || !passes(group.flank, at, side)) continue;
      for (let output = group.from; output < group.to; output++) {
        if (!passes(records[output * outputWords + 2], at, 'before')) continue;
        if (passes(records[output * outputWords + 3], at, 'after')) sink(output, at + 1);
      }
    }
    wasDigit = isDigit;
  }
}

function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 48 && unit <= 57;
}
