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
import { neighbourAt } from '../regex/neighbours.js';
import { repeatedSpace } from '../text/fold.js';
import { type Automaton, lengthMask, needleWord, needleWords, neighbourShift } from './automaton.js';
import { walk } from './search.js';
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
  const digitHits: number[] = [];
  findDigitRuns(program, text, from, to, (output, end) => digitHits.push(end, output));
  const found: Found[] = [];
  program.automata.forEach((automaton, index) => {
    if ((automaton.roles & role) === 0) return;
    states[index] = walk(automaton, states[index], text, from, to, (needle, end) => {
      if (!mayStand(automaton, needle, text, end)) return;
      const { starts } = program.outputs;
      for (let output = starts[needle]; output < starts[needle + 1]; output++) found.push({ output, end });
    });
  });
  const startHits = findTextStart(program, text, from, to, found);
  for (const output of startHits) sink(output, 1);
  if (program.automata.length > 1) found.sort((a, b) => a.end - b.end);
  const near = new NearGates(program.outputs, text, from, to);
  const settled = near.settle(startHits, found, (hit) => passesBoth(program, text, hit));
  for (const { output, end } of settled) sink(output, end);
  for (let i = 0; i < digitHits.length; i += 2) sink(digitHits[i + 1], digitHits[i]);
}

interface Found {
  readonly output: number;
  readonly end: number;
}

/** False where what stands beside a needle leaves it without use. Where it began in the text is not looked for where it has white space. */
function mayStand({ needleRecords }: Automaton, needle: number, text: string, end: number): boolean {
  const form = needleRecords[needle * needleWords + needleWord.form];
  if (((form >>> neighbourShift.after) & neighbourAt(text, end)) === 0) return false;
  const length = form & lengthMask;
  return (length & 1) === 1 || ((form >>> neighbourShift.before) & neighbourAt(text, end - (length >> 1) - 1)) !== 0;
}

/** Which outputs of a piece of a text have the other gates of their patterns near enough for a match. */
class NearGates {
  private readonly outputs: Outputs;
  private readonly from: number;
  private readonly to: number;
  private readonly isEnd: boolean;
  private readonly slack: number;

  constructor(outputs: Outputs, text: string, from: number, to: number) {
    this.outputs = outputs;
    this.from = from;
    this.to = to;
    this.isEnd = to === text.length;
    this.slack = repeatedSpace(text.slice(from, to));
  }

  /**
   * Outputs of one gate stay. Of all others first those go that do not follow on the gate before theirs, then those that are not
   * followed by the next one. What lies beyond the piece may hold any.
   */
  settle(startHits: readonly number[], found: readonly Found[], passes: (found: Found) => boolean): readonly Found[] {
    const before = new Map<string, number>();
    for (const output of startHits) before.set(this.nameOf(output, 0), this.from + 1);
    const linked = found.filter(({ output, end }) => {
      const gate = gateOf(this.outputs, output);
      const edge = this.from === 0 ? Infinity : end - this.from;
      const distance = end - (before.get(this.nameOf(output, -1)) ?? -Infinity);
      if (gate > 0 && !this.isNear(output, Math.min(edge, distance))) return false;
      before.set(this.nameOf(output, 0), end);
      return true;
    });
    const behind = new Map<string, number>();
    const settled = linked.reverse().filter((hit) => {
      const { output, end } = hit;
      const isLast = gatesOf(this.outputs, output) >> (gateOf(this.outputs, output) + 1) === 0;
      const edge = this.isEnd ? Infinity : this.to - end + 1;
      const distance = (behind.get(this.nameOf(output, 1)) ?? Infinity) - end;
      if (!isLast && !this.isNear(output, Math.min(edge, distance))) return false;
      if (!passes(hit)) return false;
      behind.set(this.nameOf(output, 0), end);
      return true;
    });
    return settled.reverse();
  }

  /** Of the gate of an output's pattern that is so many behind the output's. */
  private nameOf(output: number, further: number): string {
    return `${patternOf(this.outputs, output)} ${gateOf(this.outputs, output) + further}`;
  }

  private isNear(output: number, distance: number): boolean {
    const window = windowUnitsOf(this.outputs, output);
    return distance !== Infinity && (window === 0 || distance <= window + this.slack);
  }
}

function passesBoth({ outputs, bytes }: Program, text: string, { output, end }: Found): boolean {
  const { records } = outputs;
  const before = records[output * outputWords + 2];
  const after = records[output * outputWords + 3];
  if (after !== 0 && !passesFlank(bytes, after, text, end, 1)) return false;
  return before === 0 || passesFlank(bytes, before, text, startOf(text, end, lengthOf(outputs, output)) - 1, -1);
}

/**
 * Outputs of patterns that are anchored at the start of the text and may match there; of a whole text, those whose other gates were
 * found somewhere.
 */
function findTextStart(
  { outputs, bytes }: Program,
  text: string,
  from: number,
  to: number,
  found: readonly Found[],
): readonly number[] {
  const { records, textStart } = outputs;
  const passes = (flank: number) => flank === 0 || passesFlank(bytes, flank, text, 0, 1);
  const started: number[] = [];
  if (from > 0 || !passes(textStart.after)) return started;
  const seen = new Map<number, number>();
  for (const { output } of found) {
    const pattern = patternOf(outputs, output);
    seen.set(pattern, (seen.get(pattern) ?? 0) | (1 << gateOf(outputs, output)));
  }
  for (let output = textStart.from; output < textStart.to; output++) {
    const others = gatesOf(outputs, output) & ~(1 << gateOf(outputs, output));
    const lacks = others & ~(seen.get(patternOf(outputs, output)) ?? 0);
    if (to === text.length && lacks !== 0) continue;
    if (passes(records[output * outputWords + 3])) started.push(output);
  }
  return started;
}

function findDigitRuns({ outputs, bytes }: Program, text: string, from: number, to: number, sink: OutputSink): void {
  const { records, digits } = outputs;
  const passes = (before: number, after: number, at: number): boolean =>
    (before === 0 || passesFlank(bytes, before, text, at - 1, -1)) &&
    (after === 0 || passesFlank(bytes, after, text, at, 1));
  let wasDigit = from > 0 && isDigitAt(text, from - 1);
  for (let at = from; at < to; at++) {
    const isDigit = isDigitAt(text, at);
    for (const group of isDigit && !wasDigit ? digits : []) {
      if (!passes(group.before, group.after, at)) continue;
      for (let output = group.from; output < group.to; output++) {
        if (passes(records[output * outputWords + 2], records[output * outputWords + 3], at)) sink(output, at + 1);
      }
    }
    wasDigit = isDigit;
  }
}

function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 48 && unit <= 57;
}
