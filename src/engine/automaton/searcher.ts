import { takeScratch } from '../kernel-loader.js';
import type { OutputSink } from '../outputs.js';
import type { Program } from '../program.js';
import type { Automaton } from './automaton.js';
import { type Kernel, loadKernel } from './kernel.js';
import { searchPiecePlainly } from './plain-search.js';
import { createStateFinder } from './states-at.js';

/** One thread's way through a program's automata. Not for use by two threads. */
export interface Searcher {
  readonly kind: 'wasm' | 'js';
  /** Finds every occurrence of every needle and every run of digits, as far as flanks allow. Linear in the text. */
  search(text: string, sink: OutputSink): void;
  /**
   * What `search` finds in cell number `cell` of a text, a cell being `cellUnits` of it: all cells in order give the very
   * calls that `search` makes. What a sharded scan shares out.
   */
  searchCell(text: string, cell: number, sink: OutputSink): void;
}

/** Units of a cell. Nothing about a search goes over the border of two, but the automata's states. */
export const cellUnits: number = 1 << 15;

/** `auto`: WebAssembly where the platform has it; `js`: the plain walk. */
export const engines = ['auto', 'js'] as const;
export type Engine = (typeof engines)[number];

/** Below this the copy into shared memory costs more than the kernel saves. */
const kernelUnitsMin = 24;
/** Cells go through the kernel in one piece; pieces are halved down to this when their hits do not fit. */
const pieceUnitsMin = 1 << 8;
const argsBytes = 192;
/** Place and output. */
const hitBytes = 8;
/** The survey's parameters and those of each automaton. */
const argsMax = 3;
const lanes = 8;
const laneBytes = 1_024 * hitBytes;
const hitsBytes = 16_384 * hitBytes;
/** States that eight lanes go through in a chunk of 32 units. */
const statesBytes = lanes * 32 * 4;
/** Epochs are multiples of this; below it is room for the gates of a pattern. */
const epochStep = 16;
const epochMax = 2 ** 31 - epochStep;

/**
 * The fastest searcher that the platform allows: the WebAssembly kernel, or the plain walk, which `engine: 'js'` asks
 * for.
 */
export function createSearcher(program: Program, engine: Engine = 'auto'): Searcher {
  const statesAt = createStateFinder(program);
  const plain = searcherOver(program, 'js', statesAt, (states, text, from, to, sink) =>
    searchPiecePlainly(program, states, text, from, to, sink),
  );
  if (engine === 'js' || program.outputs.records.length === 0) return plain;
  const kernel = loadKernel(program.memory);
  const scratchBytes =
    argsMax * argsBytes + cellUnits * 2 + hitsBytes + lanes * laneBytes + statesBytes + program.patterns.length * 4;
  const scratch = kernel && takeScratch(program.memory, scratchBytes);
  if (!kernel || scratch === undefined) return plain;
  const pieces = new PieceSearch(program, kernel, scratch);
  const fast = searcherOver(program, 'wasm', statesAt, (states, text, from, to, sink) =>
    pieces.search(states, text, from, to, sink),
  );
  return {
    ...fast,
    search: (text, sink) => (text.length < kernelUnitsMin ? plain : fast).search(text, sink),
  };
}

/** Searches a stretch of a text; moves the states on. */
type SearchStretch = (states: number[], text: string, from: number, to: number, sink: OutputSink) => void;

function searcherOver(
  { automata }: Program,
  kind: Searcher['kind'],
  statesAt: (text: string, at: number) => number[],
  searchStretch: SearchStretch,
): Searcher {
  const states = automata.map(({ root }) => root);
  return {
    kind,
    search: (text, sink) => {
      for (let i = 0; i < states.length; i++) states[i] = automata[i].root;
      for (let from = 0; from < text.length; from += cellUnits) {
        searchStretch(states, text, from, Math.min(text.length, from + cellUnits), sink);
      }
    },
    searchCell: (text, cell, sink) => {
      const from = cell * cellUnits;
      searchStretch(statesAt(text, from), text, from, Math.min(text.length, from + cellUnits), sink);
    },
  };
}

/** An automaton and its parameters for the kernel: words of shared memory. */
interface Walker {
  readonly automaton: Automaton;
  readonly args: Int32Array;
}

/** What one automaton found in a piece, still to be settled. */
interface Found {
  readonly args: Int32Array;
  readonly count: number;
  /** The hits, where the next automaton's have taken their place. */
  readonly held: Int32Array;
}

/** Words of the parameters; see `wasm/kernel.ts`. */
const word = { length: 4, state: 7, edges: 13, isBeyond: 21, epoch: 27, startHits: 39 } as const;
const noHits: Int32Array = new Int32Array(0);

/** Takes a text through the kernel piece by piece. */
class PieceSearch {
  private readonly program: Program;
  private readonly kernel: Kernel;
  private readonly survey: Int32Array;
  private readonly walkers: readonly Walker[];
  private readonly text16: Buffer;
  private readonly hits: Int32Array;
  /** Gates that the kernel has seen, of each pattern, and since when. */
  private readonly seen: Int32Array;
  private epoch = 0;

  constructor(program: Program, kernel: Kernel, scratch: number) {
    this.program = program;
    this.kernel = kernel;
    const { buffer } = program.memory;
    const textAt = scratch + argsMax * argsBytes;
    const hitsAt = textAt + cellUnits * 2;
    this.text16 = Buffer.from(buffer, textAt, cellUnits * 2);
    this.hits = new Int32Array(buffer, hitsAt, hitsBytes / 4);
    const roomsAt = hitsAt + hitsBytes;
    const statesAt = roomsAt + lanes * laneBytes;
    this.seen = new Int32Array(buffer, statesAt + statesBytes, program.patterns.length);
    const argsOf = (place: number, values: Readonly<Record<number, number>>): Int32Array => {
      const args = new Int32Array(buffer, scratch + place * argsBytes, argsBytes / 4);
      const outputsAt = program.outputs.records.byteOffset;
      const rooms = { 5: hitsAt, 6: laneBytes, 14: roomsAt, 15: roomsAt };
      const shared = { ...rooms, 3: textAt, 12: outputsAt, 26: this.seen.byteOffset };
      for (const [index, value] of Object.entries({ ...shared, ...values })) args[Number(index)] = value;
      return args;
    };
    const { digits, textStart } = program.outputs;
    const { after, before } = digits;
    this.survey = argsOf(0, {
      ...{ 18: after.flank, 19: after.from, 20: after.to },
      ...{ 23: before.flank, 24: before.from, 25: before.to },
      ...{ 36: textStart.flank, 37: textStart.from, 38: textStart.to },
    });
    this.walkers = program.automata.map((automaton, index) => ({
      automaton,
      args: argsOf(index + 1, {
        ...{ 0: automaton.root, 1: automaton.classes.byteOffset },
        ...{ 8: automaton.spaceClass, 9: automaton.needleRecords.byteOffset },
        ...{ 40: automaton.reportsFrom, 41: automaton.isPaged ? 1 : 0, 42: statesAt },
      }),
    }));
  }

  search(states: number[], text: string, begin: number, end: number, sink: OutputSink): void {
    const { walkers } = this;
    for (let i = 0; i < walkers.length; i++) walkers[i].args[word.state] = states[i];
    let pieceUnits = cellUnits;
    for (let from = begin; from < end; ) {
      const to = Math.min(end, from + pieceUnits);
      if (this.searchPiece(text, from, to, sink)) pieceUnits = Math.min(cellUnits, pieceUnits * 2);
      else if (to - from > pieceUnitsMin) {
        pieceUnits = Math.max(pieceUnitsMin, (to - from) >> 1);
        continue;
      } else this.searchPiecePlainly(text, from, to, sink);
      from = to;
    }
    for (let i = 0; i < walkers.length; i++) states[i] = walkers[i].args[word.state];
  }

  /** False where there were too many hits; then nothing has happened. */
  private searchPiece(text: string, from: number, to: number, sink: OutputSink): boolean {
    const { kernel, survey, walkers, hits } = this;
    this.text16.write(from === 0 && to === text.length ? text : text.slice(from, to), 0, 'utf16le');
    const edges = (from === 0 ? 1 : 0) | (to === text.length ? 2 : 0);
    const epoch = this.nextEpoch();
    const begin = (args: Int32Array): void => {
      args[word.length] = to - from;
      args[word.edges] = edges;
      args[word.epoch] = epoch;
    };
    begin(survey);
    const surveyed = kernel.survey(survey.byteOffset);
    if (surveyed < 0) return false;
    const surveyHits = this.copyHits(surveyed);
    const startWords = 2 * survey[word.startHits];
    let first: Found | undefined;
    let last: Found | undefined;
    const before = [walkers[0]?.args[word.state], walkers[1]?.args[word.state]];
    for (const { automaton, args } of walkers) {
      // Not even in the middle of a needle that began in the piece before.
      const isIdle = survey[word.isBeyond] === 0 && args[word.state] === automaton.root;
      if (automaton.alphabet === 'beyond' && isIdle) continue;
      if (last) first = { ...last, held: this.copyHits(last.count) };
      begin(args);
      const count = kernel.search(args.byteOffset);
      if (count < 0) {
        walkers.forEach((walker, index) => {
          walker.args[word.state] = before[index];
        });
        return false;
      }
      last = { args, count, held: noHits };
    }
    let count = last ? kernel.settle(last.args.byteOffset, last.count) : 0;
    let later = noHits;
    if (first) {
      later = this.copyHits(count);
      hits.set(first.held);
      count = kernel.settle(first.args.byteOffset, first.count);
    }
    for (let i = 0; i < startWords; i += 2) sink(surveyHits[i + 1], 1);
    let next = 0;
    for (let i = 0; i < 2 * count; i += 2) {
      for (; next < later.length && later[next] < hits[i]; next += 2) sink(later[next + 1], from + later[next] + 1);
      sink(hits[i + 1], from + hits[i] + 1);
    }
    for (; next < later.length; next += 2) sink(later[next + 1], from + later[next] + 1);
    for (let i = startWords; i < surveyHits.length; i += 2) sink(surveyHits[i + 1], from + surveyHits[i] + 1);
    return true;
  }

  /** What was seen before is void from here on. */
  private nextEpoch(): number {
    if (this.epoch >= epochMax) {
      this.seen.fill(0);
      this.epoch = 0;
    }
    this.epoch += epochStep;
    return this.epoch;
  }

  /** The kernel's hits, out of the way of its next ones. */
  private copyHits(count: number): Int32Array {
    return count === 0 ? noHits : this.hits.slice(0, 2 * count);
  }

  private searchPiecePlainly(text: string, from: number, to: number, sink: OutputSink): void {
    const states = this.walkers.map(({ args }) => args[word.state]);
    searchPiecePlainly(this.program, states, text, from, to, sink);
    this.walkers.forEach(({ args }, index) => {
      args[word.state] = states[index];
    });
  }
}
