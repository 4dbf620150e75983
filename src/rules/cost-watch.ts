import type { ScannerProbe } from '../engine/match-steps.js';
import { needlesByOutput, type OutputSink, patternOf } from '../engine/outputs.js';
import type { Program } from '../engine/program.js';
import type { Regex } from '../engine/regex/re2.js';

/** What one pattern did, views included. */
export interface PatternCost {
  /** Place among its rule's patterns, from 1. */
  readonly pattern: number;
  readonly kind: 'exact' | 'gated' | 'ungated';
  /** Needles of its gates that came by. */
  readonly sightings: number;
  /** Messages in which its regex ran. */
  readonly openings: number;
  /** Runs of the regex, one for each window. */
  readonly runs: number;
  /** Text that those runs read, in UTF-16 units. */
  readonly run_units: number;
  /** Hits of the regex before its validators. */
  readonly hits: number;
  /** Time in the regex and, by their mean, in the sightings. */
  readonly us: number;
  /** The needle that came by most often, and how often. */
  readonly top_needle?: { readonly text: string; readonly sightings: number };
  /** Needles of its gates. */
  readonly needles: number;
}

/** Counts and clocks what a scanner does, by pattern. */
export class CostWatch implements ScannerProbe {
  /** Message under way. */
  message = 0;
  private readonly program: Program;
  private readonly needleOf: Int32Array;
  private readonly byOutput: Uint32Array;
  private readonly outputsOf: readonly (readonly number[])[];
  private readonly openings: Uint32Array;
  private readonly lastMessage: Int32Array;
  private readonly runs: Uint32Array;
  private readonly units: Float64Array;
  private readonly hits: Uint32Array;
  private readonly us: Float64Array;
  private readonly clockUs = clockCost();

  constructor(program: Program) {
    const count = program.patterns.length;
    this.program = program;
    this.needleOf = needlesByOutput(program.outputs);
    this.byOutput = new Uint32Array(this.needleOf.length);
    this.outputsOf = outputsByPattern(program);
    this.openings = new Uint32Array(count);
    this.lastMessage = new Int32Array(count).fill(-1);
    this.runs = new Uint32Array(count);
    this.units = new Float64Array(count);
    this.hits = new Uint32Array(count);
    this.us = new Float64Array(count);
  }

  clear(): void {
    for (const counts of [this.byOutput, this.openings, this.runs, this.units, this.hits, this.us]) counts.fill(0);
    this.lastMessage.fill(-1);
  }

  watchSink(sink: OutputSink): OutputSink {
    return (output, end) => {
      this.byOutput[output]++;
      sink(output, end);
    };
  }

  watchRegex(pattern: number, regex: Regex): Regex {
    return {
      matchesEmpty: () => regex.matchesEmpty(),
      prepare: () => regex.prepare(),
      each: (text, from, to, found) => {
        if (this.lastMessage[pattern] !== this.message) this.openings[pattern]++;
        this.lastMessage[pattern] = this.message;
        this.runs[pattern]++;
        this.units[pattern] += to - from;
        const began = performance.now();
        regex.each(text, from, to, (start, end, wholeStart, wholeEnd) => {
          this.hits[pattern]++;
          return found(start, end, wholeStart, wholeEnd);
        });
        this.us[pattern] += Math.max(0, (performance.now() - began) * 1_000 - this.clockUs);
      },
    };
  }

  /** Microseconds in regexes since `clear`, by pattern. */
  snapshot(): readonly number[] {
    return [...this.us];
  }

  sightings(): number {
    return this.byOutput.reduce((total, count) => total + count, 0);
  }

  costOf(index: number, place: number, usOfRegex: number, usOfSighting: number): PatternCost {
    let sightings = 0;
    let top = -1;
    const needles = new Set<number>();
    // The outputs of digit runs have no needle of their own.
    const ofRuns = this.program.outputs.starts[this.program.needles.length];
    for (const output of this.outputsOf[index]) {
      if (output < ofRuns) needles.add(this.needleOf[output]);
      sightings += this.byOutput[output];
      if (this.byOutput[output] > (this.byOutput[top] ?? 0)) top = output;
    }
    const text = this.program.needles[this.needleOf[top] ?? -1] ?? '';
    return {
      pattern: place,
      kind: this.program.patterns[index].kind,
      sightings,
      openings: this.openings[index],
      runs: this.runs[index],
      run_units: this.units[index],
      hits: this.hits[index],
      us: usOfRegex + sightings * usOfSighting,
      needles: needles.size,
      ...(top < 0 ? {} : { top_needle: { text: top >= ofRuns ? 'a digit' : text, sightings: this.byOutput[top] } }),
    };
  }
}

/** Grouped once: to go through all outputs for each pattern took five seconds for the shipped rules. */
function outputsByPattern({ patterns, outputs }: Program): readonly (readonly number[])[] {
  const groups: number[][] = patterns.map(() => []);
  needlesByOutput(outputs).forEach((_, output) => {
    groups[patternOf(outputs, output)].push(output);
  });
  return groups;
}

/** Microseconds between two looks at the clock: the median of many. */
function clockCost(): number {
  const gaps = Array.from({ length: 1_001 }, () => {
    const began = performance.now();
    return (performance.now() - began) * 1_000;
  });
  return gaps.sort((a, b) => a - b)[500];
}
