import type { Program } from '../program.js';
import type { NeedleSink } from './automaton.js';
import { loadKernel, pageBytes } from './kernel.js';
import { searchPlainly, walk } from './search.js';

/** One thread's way through an automaton. Not for use by two threads. */
export interface Searcher {
  readonly kind: 'wasm' | 'js';
  /** Finds every occurrence of every needle, in ascending order of its end. Cost linear in the text. */
  search(text: string, sink: NeedleSink): void;
}

/** `auto`: WebAssembly where the platform has it; `js`: the plain walk. */
export const engines = ['auto', 'js'] as const;
export type Engine = (typeof engines)[number];

/** Below this the copy into shared memory costs more than the kernel saves. */
const kernelUnitsMin = 24;
/** Texts go through the kernel in pieces of this many units: a hit keeps its end in 15 bits. */
const pieceUnits = 1 << 15;
const hitsMax = 1 << 14;
const argsBytes = 64;
const scratchBytes = argsBytes + pieceUnits * 2 + hitsMax * 4;
const needleBits = 17;
const needleMask = (1 << needleBits) - 1;

/**
 * The fastest searcher that the platform allows: the WebAssembly kernel, or the plain walk, which `engine: 'js'` asks
 * for.
 */
export function createSearcher(program: Program, engine: Engine = 'auto'): Searcher {
  const plain: Searcher = { kind: 'js', search: (text, sink) => searchPlainly(program.automaton, text, sink) };
  const { automaton } = program;
  if (engine === 'js' || automaton.needleCount === 0) return plain;
  const kernel = loadKernel(program.memory);
  const scratch = kernel && takeScratch(program.memory);
  if (!kernel || scratch === undefined) return plain;

  const args = new Int32Array(program.memory.buffer, scratch, argsBytes / 4);
  const textAt = scratch + argsBytes;
  const hitsAt = textAt + pieceUnits * 2;
  const text16 = Buffer.from(program.memory.buffer, textAt, pieceUnits * 2);
  const hits = new Uint32Array(program.memory.buffer, hitsAt, hitsMax);
  args[0] = automaton.root;
  args[1] = automaton.classes.byteOffset;
  args[2] = automaton.classCount * 4;
  args[3] = textAt;
  args[5] = hitsAt;
  args[6] = hitsAt + hitsMax * 4;
  args[8] = automaton.spaceClass;
  args[9] = automaton.lengths.byteOffset;

  const searchPiece = (text: string, from: number, to: number, sink: NeedleSink): void => {
    text16.write(from === 0 && to === text.length ? text : text.slice(from, to), 0, 'utf16le');
    args[4] = to - from;
    const state = args[7];
    const count = kernel(scratch);
    if (count < 0) {
      // More hits than fit: the plain walk hands them out one by one, at a cost that is linear all the same.
      args[7] = walk(automaton, state, text, from, to, sink);
      return;
    }
    sortHits(hits, count);
    for (let i = 0; i < count; i++) sink(hits[i] & needleMask, from + (hits[i] >>> needleBits) + 1);
  };
  return {
    kind: 'wasm',
    search: (text, sink) => {
      if (text.length < kernelUnitsMin) {
        searchPlainly(automaton, text, sink);
        return;
      }
      args[7] = automaton.root;
      for (let from = 0; from < text.length; from += pieceUnits) {
        searchPiece(text, from, Math.min(text.length, from + pieceUnits), sink);
      }
    },
  };
}

/** A piece of the memory that no other thread uses: growing is atomic. Undefined when the memory is at its maximum. */
function takeScratch(memory: WebAssembly.Memory): number | undefined {
  try {
    return memory.grow(Math.ceil(scratchBytes / pageBytes)) * pageBytes;
  } catch {
    return undefined;
  }
}

/** Few hits are the rule, and then sorting in place beats the typed array's sort, which copies shared memory. */
function sortHits(hits: Uint32Array, count: number): void {
  if (count > 32) {
    hits.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const hit = hits[i];
    let at = i;
    for (; at > 0 && hits[at - 1] > hit; at--) hits[at] = hits[at - 1];
    hits[at] = hit;
  }
}
