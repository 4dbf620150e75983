import { takeScratch } from '../kernel-loader.js';
import { type OutputSink, outputWords } from '../outputs.js';
import { allRoles, type Program } from '../program.js';
import { neighbourKinds } from '../regex/neighbours.js';
import { repeatedSpace } from '../text/fold.js';
import { TextRoom } from '../text/text-room.js';
import type { Automaton } from './automaton.js';
import { type Kernel, loadKernel } from './kernel.js';
import { searchPiecePlainly } from './plain-search.js';
import { createStateFinder, type StateFinder } from './states-at.js';

/** One thread's way through a program's automata. Not for use by two threads. */
export interface Searcher {
  readonly kind: 'wasm' | 'js';
  /**
   * Finds every occurrence of every needle that some rule wants of messages of a role, and every run of digits, as far as
   * flanks allow. Linear in the text.
   */
  search(text: string, role: number, sink: OutputSink): void;
  /**
   * What `search` for all roles finds in cell number `cell` of a text, a cell being `cellUnits` of it: all cells in order
   * give the very calls that `search` makes. What a sharded scan shares out.
   */
  searchCell(text: string, cell: number, sink: OutputSink): void;
  /** Units of white space in a text that follow on others. */
  repeatedSpace(text: string): number;
  /** Where the kernel finds texts; none without it. */
  readonly room: TextRoom | undefined;
}

/** Units of a cell. Nothing about a search goes over the border of two, but the automata's states. */
export const cellUnits: number = 1 << 15;

/** `auto`: WebAssembly where the platform has it; `js`: the plain walk. */
export const engines = ['auto', 'js'] as const;
export type Engine = (typeof engines)[number];

/** Cells go through the kernel in one piece; pieces are halved down to this when their hits do not fit. */
const pieceUnitsMin = 1 << 8;
const argsBytes = 256;
/** Place and output. */
const hitBytes = 8;
/** The survey and each automaton: parameters, and hits or notes. */
const argsMax = 4;
const lanes = 8;
const laneBytes = 1_024 * hitBytes;
const notesBytes = 16_384 * hitBytes;
/** Of a group of digit runs: its flanks, and its outputs. */
const groupBytes = 16;
/** States that eight lanes go through in a chunk of 32 units each. */
const chunkBytes = lanes * 32 * 4;
/** What all automata find in a piece, as far as it is kept. */
const settledBytes = 2 * notesBytes;
/** Of a pattern: where each of its gates stood last. */
const linksBytes = 16;
/** Of a needle: its number among those met, and its outputs. */
const slotBytes = 4;
const metBytes = 8;
const epochMax = 0xffff;

/**
 * The fastest searcher that the platform allows: the WebAssembly kernel, or the plain walk, which `engine: 'js'` asks
 * for.
 */
export function createSearcher(program: Program, engine: Engine = 'auto'): Searcher {
  const statesAt = createStateFinder(program);
  const mayUseKernel = engine !== 'js' && program.outputs.records.length > 0;
  const kernel = mayUseKernel ? loadKernel(program.memory) : undefined;
  const layout = layOut(program);
  const scratch = kernel && takeScratch(program.memory, layout.bytes);
  if (!kernel || scratch === undefined) {
    return searcherOver(program, 'js', statesAt, (states, text, from, to, role, sink) =>
      searchPiecePlainly(program, states, text, from, to, role, sink),
    );
  }
  const pieces = new PieceSearch(program, kernel, scratch, layout, statesAt);
  const fast = searcherOver(program, 'wasm', statesAt, (states, text, from, to, role, sink) =>
    pieces.search(states, text, from, to, role, sink),
  );
  return { ...fast, room: pieces.room, repeatedSpace: (text) => pieces.repeatedSpace(text) };
}

/** Where what stands in the scratch, from its first byte on, and its bytes in all. */
type Layout = ReturnType<typeof layOut>;

function layOut({ patterns, outputs }: Program) {
  // One more than there are needles.
  const needleCount = outputs.starts.length - 1;
  let bytes = 0;
  const take = (more: number): number => {
    bytes += more;
    return bytes - more;
  };
  const places = {
    args: take(argsMax * argsBytes),
    text: take(cellUnits * 2),
    notes: take(argsMax * notesBytes),
    rooms: take(lanes * laneBytes),
    chunk: take(chunkBytes),
    settled: take(settledBytes),
    met: take((needleCount + 1) * metBytes),
    // The words that name their piece, one behind the other.
    links: take(patterns.length * linksBytes),
    slots: take(needleCount * slotBytes),
    kept: take((outputs.records.length / outputWords + 1) * 4),
    groups: take(outputs.digits.length * groupBytes),
    // A byte for each.
    seen: take(patterns.length),
    kinds: take(neighbourKinds.length),
  };
  return { ...places, bytes };
}

/** Searches a stretch of a text; moves the states on. */
type SearchStretch = (states: number[], text: string, from: number, to: number, role: number, sink: OutputSink) => void;

function searcherOver(
  { automata }: Program,
  kind: Searcher['kind'],
  statesAt: StateFinder,
  searchStretch: SearchStretch,
): Searcher {
  const states = automata.map(({ root }) => root);
  return {
    kind,
    search: (text, role, sink) => {
      for (let i = 0; i < states.length; i++) states[i] = automata[i].root;
      for (let from = 0; from < text.length; from += cellUnits) {
        searchStretch(states, text, from, Math.min(text.length, from + cellUnits), role, sink);
      }
    },
    searchCell: (text, cell, sink) => {
      const from = cell * cellUnits;
      searchStretch(statesAt(text, from), text, from, Math.min(text.length, from + cellUnits), allRoles, sink);
    },
    repeatedSpace,
    room: undefined,
  };
}

/** An automaton, and its parameters for the kernel: words of shared memory. */
interface Walker {
  readonly automaton: Automaton;
  readonly args: Int32Array;
  /** The state that the piece at hand began in. */
  began: number;
}

/** Words of the parameters; see `wasm/kernel.ts`. */
const word = {
  length: 4,
  notes: 5,
  state: 7,
  notesEnd: 11,
  edges: 13,
  beyond: 21,
  epoch: 27,
  startsEnd: 39,
  slack: 45,
  links: 46,
  slots: 47,
  met: 48,
  kept: 49,
  walkers: 50,
  spacer: 53,
  settled: 54,
  settledEnd: 55,
  firstSettled: 56,
} as const;
/** Of the repeated white space of a piece. */
const notCounted = -1;
/** What the survey leaves of units beyond ASCII that occur in needles. */
const beyond = { none: 0, many: 2 } as const;

/** Takes a text through the kernel piece by piece. */
class PieceSearch {
  readonly room: TextRoom;
  private readonly program: Program;
  private readonly kernel: Kernel;
  private readonly statesAt: StateFinder;
  private readonly survey: Int32Array;
  private readonly walkers: readonly Walker[];
  /** One that knows what white space is. */
  private readonly spacer: Walker | undefined;
  private readonly surveyHits: Int32Array;
  /** What the kernel has noted of each pattern and needle, and in which piece; that word by word. */
  private readonly noted: Int32Array;
  private readonly settled: Int32Array;
  private epoch = 0;

  constructor(program: Program, kernel: Kernel, scratch: number, layout: Layout, statesAt: StateFinder) {
    this.program = program;
    this.kernel = kernel;
    this.statesAt = statesAt;
    const { buffer } = program.memory;
    const at = (place: keyof Layout) => scratch + layout[place];
    this.room = new TextRoom(program.memory, at('text'), cellUnits);
    this.settled = new Int32Array(buffer, at('settled'), settledBytes / 4);
    this.noted = new Int32Array(buffer, at('links'), (layout.kept - layout.links) / 4);
    const argsOf = (place: number, values: Readonly<Record<number, number>>): Int32Array => {
      const args = new Int32Array(buffer, at('args') + place * argsBytes, argsBytes / 4);
      const notesAt = at('notes') + place * notesBytes;
      const rooms = { [word.notes]: notesAt, 6: laneBytes, 14: at('rooms'), 15: notesAt + notesBytes - hitBytes };
      const shared = { ...rooms, 3: at('text'), [word.slots]: at('slots'), [word.met]: at('met'), 61: at('kinds') };
      for (const [index, value] of Object.entries({ ...shared, ...values })) args[Number(index)] = value;
      return args;
    };
    const { digits, textStart } = program.outputs;
    const groups = digits.flatMap(({ before, after, from, to }) => [before, after, from, to]);
    new Int32Array(buffer, at('groups'), groups.length).set(groups);
    this.walkers = program.automata.map((automaton, index) => ({
      automaton,
      args: argsOf(index + 1, {
        ...{ 0: automaton.root, 1: automaton.classes.byteOffset },
        ...{ 8: automaton.spaceClass, 9: automaton.needleRecords.byteOffset },
        ...{ 40: automaton.reportsFrom, 41: automaton.isPaged ? 1 : 0, 42: at('chunk'), 43: automaton.reach },
      }),
      began: 0,
    }));
    this.spacer = this.walkers.find(({ automaton }) => automaton.spaceClass !== 0);
    new Uint8Array(buffer, at('kinds'), neighbourKinds.length).set(neighbourKinds);
    this.surveyHits = new Int32Array(buffer, at('notes'), notesBytes / 4);
    const foreign = program.automata.find(({ alphabet }) => alphabet === 'beyond');
    this.survey = argsOf(0, {
      1: foreign?.classes.byteOffset ?? 0,
      12: program.outputs.records.byteOffset,
      ...{ 18: at('groups'), 19: at('groups') + digits.length * groupBytes },
      ...{ 26: at('seen'), 60: program.patterns.length },
      ...{ 36: textStart.after, 37: textStart.from, 38: textStart.to },
      ...{ [word.links]: at('links'), [word.kept]: at('kept'), [word.spacer]: this.spacer?.args.byteOffset ?? 0 },
      ...Object.fromEntries(this.walkers.map(({ args }, index) => [word.walkers + index, args.byteOffset])),
      ...{ [word.settled]: at('settled'), [word.settledEnd]: at('settled') + settledBytes },
    });
  }

  search(states: number[], text: string, begin: number, end: number, role: number, sink: OutputSink): void {
    const { walkers } = this;
    for (let i = 0; i < walkers.length; i++) walkers[i].args[word.state] = states[i];
    let pieceUnits = cellUnits;
    for (let from = begin; from < end; ) {
      const to = Math.min(end, from + pieceUnits);
      if (this.searchPiece(text, from, to, role, sink)) pieceUnits = Math.min(cellUnits, pieceUnits * 2);
      else if (to - from > pieceUnitsMin) {
        pieceUnits = Math.max(pieceUnitsMin, (to - from) >> 1);
        continue;
      } else this.searchPiecePlainly(text, from, to, role, sink);
      from = to;
    }
    for (let i = 0; i < walkers.length; i++) states[i] = walkers[i].args[word.state];
  }

  /** False where there were too many hits; then nothing has happened. */
  private searchPiece(text: string, from: number, to: number, role: number, sink: OutputSink): boolean {
    const { kernel, survey, surveyHits, settled, walkers } = this;
    this.room.write(text, from, to);
    survey[word.slack] = notCounted;
    const edges = (from === 0 ? 1 : 0) | (to === text.length ? 2 : 0);
    const epoch = this.nextEpoch();
    for (let i = 0; i <= walkers.length; i++) {
      const args = i === 0 ? survey : walkers[i - 1].args;
      args[word.length] = to - from;
      args[word.edges] = edges;
      args[word.epoch] = epoch;
    }
    const surveyed = kernel.survey(survey.byteOffset);
    if (surveyed < 0) return false;
    for (const walker of walkers) walker.began = walker.args[word.state];
    const count = this.searchWalkers(text, from, role) ? kernel.settle(survey.byteOffset) : -1;
    if (count < 0) {
      for (const walker of walkers) walker.args[word.state] = walker.began;
      return false;
    }
    const indexOf = (address: number) => (address - settled.byteOffset) >> 2;
    const first = indexOf(survey[word.firstSettled]);
    handOut(settled, 0, indexOf(survey[word.startsEnd]), from, sink);
    handOut(settled, first, first + 2 * count, from, sink);
    handOut(surveyHits, 0, 2 * surveyed, from, sink);
    return true;
  }

  /** Has each automaton note its needles; false where one has too many. */
  private searchWalkers(text: string, from: number, role: number): boolean {
    const { kernel, survey, walkers } = this;
    for (let i = 0; i < walkers.length; i++) {
      const { automaton, args } = walkers[i];
      args[word.notesEnd] = args[word.notes];
      if ((automaton.roles & role) === 0) continue;
      const isBeyond = automaton.alphabet === 'beyond';
      // Not even in the middle of a needle whose unit beyond ASCII stands in the piece before.
      if (isBeyond && survey[word.beyond] === beyond.none && args[word.state] === automaton.root) continue;
      args[word.state] = this.stateBefore(i, text, from);
      const isAround = isBeyond && survey[word.beyond] !== beyond.many;
      const count = isAround ? kernel.searchAround(args.byteOffset) : kernel.search(args.byteOffset);
      if (count < 0) return false;
    }
    return true;
  }

  repeatedSpace(text: string): number {
    const { room, spacer, survey } = this;
    if (spacer === undefined) return repeatedSpace(text);
    // In the text that was searched last the kernel may have counted it.
    if (room.holds(text) && survey[word.slack] !== notCounted) return survey[word.slack];
    survey[word.slack] = notCounted;
    let count = 0;
    for (let from = 0; from < text.length; from += cellUnits) {
      const to = Math.min(text.length, from + cellUnits);
      if (!room.holds(text)) room.write(text, from, to);
      spacer.args[word.length] = to - from;
      count += this.kernel.repeatedSpace(spacer.args.byteOffset);
      if (to < text.length) count += repeatedSpace(text.slice(to - 1, to + 1));
    }
    return count;
  }

  /** The state of a walker before a piece. One that the pieces before left out stands in its root, whatever units they end with. */
  private stateBefore(index: number, text: string, from: number): number {
    const { automaton, args } = this.walkers[index];
    const mayBeBehind = from > 0 && automaton.alphabet === 'beyond' && args[word.state] === automaton.root;
    return mayBeBehind ? this.statesAt(text, from)[index] : args[word.state];
  }

  /** What was seen before is void from here on. */
  private nextEpoch(): number {
    if (this.epoch >= epochMax) {
      this.noted.fill(0);
      this.epoch = 0;
    }
    return ++this.epoch;
  }

  private searchPiecePlainly(text: string, from: number, to: number, role: number, sink: OutputSink): void {
    const states = this.walkers.map((_, index) => this.stateBefore(index, text, from));
    searchPiecePlainly(this.program, states, text, from, to, role, sink);
    this.walkers.forEach(({ args }, index) => {
      args[word.state] = states[index];
    });
  }
}

/** Hands out the hits of a piece that begins at `from`: two words each. */
function handOut(hits: Int32Array, begin: number, end: number, from: number, sink: OutputSink): void {
  for (let i = begin; i < end; i += 2) sink(hits[i + 1], from + hits[i] + 1);
}
