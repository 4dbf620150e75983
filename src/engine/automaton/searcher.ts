import { outputWords } from '../outputs.js';
import type { Program } from '../program.js';
import { passesFlank } from '../regex/flank.js';
import { loadKernel, pageBytes } from './kernel.js';
import { searchPlainly, walk } from './search.js';
import { startOf } from './start-of.js';

/** One thread's way through an automaton. Not for use by two threads. */
export interface Searcher {
  readonly kind: 'wasm' | 'js';
  /** Finds every occurrence of every needle as far as flanks allow, and every run of digits. Linear in the text. */
  search(text: string, sink: OutputSink): void;
}

/**
 * Called for every output of every needle that ends at `end` (exclusive, UTF-16 units), in ascending order of it, and then
 * for every output of digit runs with the end of the first digit, as far as flanks say "maybe".
 */
export type OutputSink = (output: number, end: number) => void;

/** `auto`: WebAssembly where the platform has it; `js`: the plain walk. */
export const engines = ['auto', 'js'] as const;
export type Engine = (typeof engines)[number];

/** Below this the copy into shared memory costs more than the kernel saves. */
const kernelUnitsMin = 24;
/** Texts go through the kernel in pieces of this many units. */
const pieceUnitsMax = 1 << 15;
/** Pieces are halved down to this when their hits do not fit. */
const pieceUnitsMin = 1 << 8;
const argsBytes = 128;
const laneHits = 1 << 11;
const laneBytes = laneHits * 8;
const scratchBytes = argsBytes + pieceUnitsMax * 2 + 4 * laneBytes;

/**
 * The fastest searcher that the platform allows: the WebAssembly kernel, or the plain walk, which `engine: 'js'` asks
 * for.
 */
export function createSearcher(program: Program, engine: Engine = 'auto'): Searcher {
  const plain: Searcher = {
    kind: 'js',
    search: (text, sink) => {
      searchPlainly(program.automaton, text, outputsOf(program, text, sink));
      digitRunsPlainly(program, text, 0, text.length, sink);
    },
  };
  const { automaton, outputs } = program;
  if (engine === 'js' || outputs.records.length === 0) return plain;
  const kernel = loadKernel(program.memory);
  const scratch = kernel && takeScratch(program.memory);
  if (!kernel || scratch === undefined) return plain;

  const args = new Int32Array(program.memory.buffer, scratch, argsBytes / 4);
  const textAt = scratch + argsBytes;
  const hitsAt = textAt + pieceUnitsMax * 2;
  const text16 = Buffer.from(program.memory.buffer, textAt, pieceUnitsMax * 2);
  const hits = new Int32Array(program.memory.buffer, hitsAt, 4 * laneHits * 2);
  args[0] = automaton.root;
  args[1] = automaton.classes.byteOffset;
  args[2] = automaton.classCount * 4;
  args[3] = textAt;
  args[5] = hitsAt;
  args[6] = laneBytes;
  args[8] = automaton.spaceClass;
  args[9] = automaton.lengths.byteOffset;
  args[11] = outputs.starts.byteOffset;
  args[12] = outputs.records.byteOffset;
  args[18] = outputs.anyDigits;
  args[19] = outputs.starts[automaton.needleCount];
  args[20] = outputs.records.length / outputWords;
  let pieceUnits = pieceUnitsMax;

  /** Searches `[from, to)`; gives where it stopped, which is before `to` when there were too many hits. */
  const searchPiece = (text: string, from: number, to: number, sink: OutputSink): number => {
    text16.write(from === 0 && to === text.length ? text : text.slice(from, to), 0, 'utf16le');
    args[4] = to - from;
    args[13] = (from === 0 ? 1 : 0) | (to === text.length ? 2 : 0);
    const count = kernel.search(scratch);
    if (count < 0) {
      if (to - from > pieceUnitsMin) {
        pieceUnits = Math.max(pieceUnitsMin, (to - from) >> 1);
        return from;
      }
      args[7] = walk(automaton, args[7], text, from, to, outputsOf(program, text, sink));
    } else {
      if (count < laneHits) pieceUnits = Math.min(pieceUnitsMax, pieceUnits * 2);
      handOut(count, from, sink);
    }
    if (outputs.anyDigits !== 0) {
      const runs = kernel.digitRuns(scratch);
      if (runs < 0) digitRunsPlainly(program, text, from, to, sink);
      else handOut(runs, from, sink);
    }
    return to;
  };
  const handOut = (count: number, from: number, sink: OutputSink): void => {
    for (let i = 0; i < 2 * count; i += 2) sink(hits[i + 1], from + hits[i] + 1);
  };
  return {
    kind: 'wasm',
    search: (text, sink) => {
      if (text.length < kernelUnitsMin) {
        plain.search(text, sink);
        return;
      }
      args[7] = automaton.root;
      pieceUnits = pieceUnitsMax;
      for (let from = 0; from < text.length; ) {
        from = searchPiece(text, from, Math.min(text.length, from + pieceUnits), sink);
      }
    },
  };
}

/** The plain twin of what the kernel does at each needle. */
function outputsOf(
  { outputs, needles, bytes }: Program,
  text: string,
  sink: OutputSink,
): (needle: number, end: number) => void {
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

/** The plain twin of the kernel's `digitRuns` over `[from, to)`. */
function digitRunsPlainly(
  { outputs, automaton, bytes }: Program,
  text: string,
  from: number,
  to: number,
  sink: OutputSink,
): void {
  const { starts, records, anyDigits } = outputs;
  if (anyDigits === 0) return;
  let wasDigit = false;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    const isDigit = unit >= 48 && unit <= 57;
    if (isDigit && !wasDigit && passesFlank(bytes, anyDigits, text, at, 1)) {
      for (let output = starts[automaton.needleCount]; output < records.length / outputWords; output++) {
        const before = records[output * outputWords + 2];
        const after = records[output * outputWords + 3];
        if (after !== 0 && !passesFlank(bytes, after, text, at, 1)) continue;
        if (before === 0 || passesFlank(bytes, before, text, at - 1, -1)) sink(output, at + 1);
      }
    }
    wasDigit = isDigit;
  }
}

/** A piece of the memory that no other thread uses: growing is atomic. Undefined when the memory is at its maximum. */
function takeScratch(memory: WebAssembly.Memory): number | undefined {
  try {
    return memory.grow(Math.ceil(scratchBytes / pageBytes)) * pageBytes;
  } catch {
    return undefined;
  }
}
