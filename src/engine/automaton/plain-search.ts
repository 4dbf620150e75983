import { type OutputSink, outputWords } from '../outputs.js';
import type { Program } from '../program.js';
import { passesFlank } from '../regex/flank.js';
import type { NeedleSink } from './automaton.js';
import { walk } from './search.js';
import { startOf } from './start-of.js';

/**
 * The plain twin of all that the kernel does, over `[from, to)` of a text. `states` are those that the automata stand in;
 * they are moved on.
 */
export function searchPiecePlainly(
  program: Program,
  states: number[],
  text: string,
  from: number,
  to: number,
  sink: OutputSink,
): void {
  const hits: number[] = [];
  program.automata.forEach((automaton, index) => {
    const into = outputsOf(program, text, (output, end) => hits.push(end, output));
    states[index] = walk(automaton, states[index], text, from, to, into);
  });
  if (program.automata.length > 1) sortPairs(hits);
  for (let i = 0; i < hits.length; i += 2) sink(hits[i + 1], hits[i]);
  findDigitRuns(program, text, from, to, sink);
}

function outputsOf({ outputs, needles, bytes }: Program, text: string, sink: OutputSink): NeedleSink {
  const { starts, records } = outputs;
  return (needle, end) => {
    for (let output = starts[needle]; output < starts[needle + 1]; output++) {
      const before = records[output * outputWords + 2];
      const after = records[output * outputWords + 3];
      if (after !== 0 && !passesFlank(bytes, after, text, end, 1)) continue;
      if (before !== 0 && !passesFlank(bytes, before, text, startOf(text, end, needles[needle]) - 1, -1)) continue;
      sink(output, end);
    }
  };
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

/** Orders pairs by their first number, equal ones as they were. */
function sortPairs(pairs: number[]): void {
  const order = Array.from({ length: pairs.length / 2 }, (_, i) => i).sort((a, b) => pairs[2 * a] - pairs[2 * b]);
  const sorted = order.flatMap((i) => [pairs[2 * i], pairs[2 * i + 1]]);
  for (let i = 0; i < sorted.length; i++) pairs[i] = sorted[i];
}
