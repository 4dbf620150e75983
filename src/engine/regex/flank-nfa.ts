import { foldTable, isSpaceUnit } from '../text/fold.js';
import type { Side } from './context.js';
import type { Shape } from './shape.js';
import { beyondAscii, membersOf, type SymbolSet, spaceSymbols, symbolCount, symbolsOf, textEnd } from './symbol.js';

/** The node where nothing is left to ask. */
export const acceptNode = 0;

/** Nodes of one automaton; what does not fit is not asked. */
const nodesMax = 20_000;
/** Repetitions that are counted when a pattern requires them, and when it allows them; more count as any number. */
const certainRepeatsMax = 40;
const possibleRepeatsMax = 3;

/** Bits of a number that holds them all. */
const exactBits = 50;

/** A node reads one symbol, or goes on without one to all of `next`. */
interface Node {
  readonly symbols: SymbolSet | undefined;
  readonly next: readonly number[];
}

interface SymbolGroups {
  readonly groupOf: Uint8Array;
  readonly representatives: readonly number[];
}

const allSymbols: readonly number[] = Array.from({ length: symbolCount }, (_, symbol) => symbol);

/** All symbols, in groups that are split until each lies within a set or outside of it. */
class SymbolPartition {
  private readonly groupOf = new Uint8Array(symbolCount);
  private readonly sizes: number[] = [symbolCount];

  /** Cost: linear in the members of the set. */
  split(members: readonly number[]): void {
    const { groupOf, sizes } = this;
    const within = new Map<number, number>();
    for (const symbol of members) within.set(groupOf[symbol], (within.get(groupOf[symbol]) ?? 0) + 1);
    const moved = new Map<number, number>();
    for (const [group, size] of within) {
      if (size === sizes[group]) continue;
      moved.set(group, sizes.push(size) - 1);
      sizes[group] -= size;
    }
    if (moved.size === 0) return;
    for (const symbol of members) groupOf[symbol] = moved.get(groupOf[symbol]) ?? groupOf[symbol];
  }

  /** Numbered by their first symbols, so that equal automata get equal numbers. */
  groups(): SymbolGroups {
    const numbers = new Map<number, number>();
    const representatives: number[] = [];
    const groupOf = this.groupOf.map((group, symbol) => {
      const number = numbers.get(group) ?? representatives.push(symbol) - 1;
      numbers.set(group, number);
      return number;
    });
    return { groupOf, representatives };
  }
}

/**
 * A nondeterministic automaton of shapes, read away from the needle: forwards after it, backwards before it. Looser
 * than the shapes where they are: an unknown part accepts, as does what finds no room.
 */
export class FlankNfa {
  private readonly nodes: Node[] = [{ symbols: undefined, next: [] }];
  private readonly closures: (readonly number[] | undefined)[] = [];
  private readonly choices = new Map<Shape, SymbolSet>();
  /** By node: the number of the last `reach` that came to it. */
  private readonly marks: number[] = [];
  private lastMark = 0;
  private readonly side: Side;
  private readonly ignoreCase: boolean;

  constructor(side: Side, ignoreCase: boolean) {
    this.side = side;
    this.ignoreCase = ignoreCase;
  }

  /** Nodes to begin in, for any of these sequences. */
  startOf(sequences: readonly (readonly Shape[])[]): readonly number[] {
    return this.reach(sequences.map((parts) => this.sequence(parts, acceptNode)));
  }

  /** Nodes after a symbol, ascending. */
  step(nodes: readonly number[], symbol: number): readonly number[] {
    const next: number[] = [];
    for (const node of nodes) {
      const { symbols, next: after } = this.nodes[node];
      if (symbols && symbols[symbol] === 1) next.push(...after);
    }
    return this.reach(next);
  }

  /** A number for each symbol: where it is the same, all of these nodes read the symbols alike. */
  marksOf(nodes: readonly number[], symbols: readonly number[]): readonly number[] {
    const sets = new Set<SymbolSet>();
    for (const node of nodes) {
      const { symbols: read } = this.nodes[node];
      if (read) sets.add(read);
    }
    if (sets.size > exactBits) return symbols;
    const marks = symbols.map(() => 0);
    for (const set of sets)
      symbols.forEach((symbol, at) => {
        marks[at] = marks[at] * 2 + set[symbol];
      });
    return marks;
  }

  /** Symbols that all nodes read alike, and `isRefused` judges alike: the group of each, and one symbol of each group. */
  symbolGroups(isRefused: (symbol: number) => boolean): SymbolGroups {
    const partition = new SymbolPartition();
    partition.split(allSymbols.filter(isRefused));
    partition.split(membersOf(textEnd));
    const sets = new Set<SymbolSet>();
    for (const { symbols } of this.nodes) if (symbols) sets.add(symbols);
    for (const symbols of sets) partition.split(membersOf(symbols));
    return partition.groups();
  }

  /** Nodes that read a symbol, or accept, reached without reading one. */
  private reach(from: readonly number[]): readonly number[] {
    if (from.length === 1) return this.closureOf(from[0]);
    const { marks } = this;
    const mark = ++this.lastMark;
    const reached: number[] = [];
    for (const node of from) {
      for (const each of this.closureOf(node)) {
        if (marks[each] === mark) continue;
        marks[each] = mark;
        reached.push(each);
      }
    }
    return reached.sort((a, b) => a - b);
  }

  private closureOf(from: number): readonly number[] {
    const known = this.closures[from];
    if (known) return known;
    const closure: number[] = [];
    const seen = new Set([from]);
    for (const node of seen) {
      if (node === acceptNode || this.nodes[node].symbols) closure.push(node);
      else for (const next of this.nodes[node].next) seen.add(next);
    }
    closure.sort((a, b) => a - b);
    this.closures[from] = closure;
    return closure;
  }

  private node(symbols: SymbolSet | undefined, next: readonly number[]): number {
    if (this.nodes.length >= nodesMax) return acceptNode;
    return this.nodes.push({ symbols, next }) - 1;
  }

  /** The parts, then `next`; gives the node to begin in. */
  private sequence(parts: readonly Shape[], next: number): number {
    let node = next;
    for (const part of this.side === 'after' ? parts.toReversed() : parts) node = this.shape(part, node);
    return node;
  }

  private shape(shape: Shape, next: number): number {
    switch (shape.kind) {
      case 'text':
        return this.text(shape.text, this.ignoreCase || shape.folded === true, next);
      case 'space':
        return this.spaces(shape.optional, next);
      case 'set': {
        const once = this.node(shape.symbols, [next]);
        if (!shape.astral) return once;
        const second = this.node(beyondAscii, [next]);
        return this.node(undefined, [once, this.node(beyondAscii, [second])]);
      }
      case 'unknown':
        return shape.unitsMax === 0 ? next : acceptNode;
      case 'sequence':
        return this.sequence(shape.parts, next);
      case 'choice': {
        const symbols = this.oneSymbol(shape);
        if (symbols) return this.node(symbols, [next]);
        return this.node(
          undefined,
          shape.options.map((option) => this.shape(option, next)),
        );
      }
      case 'repeat':
        return this.repeat(shape, next);
      case 'anchor':
        return this.node(textEnd, [next]);
      case 'border':
        return next;
    }
  }

  /** The set of a choice between single characters, as classes are. */
  private oneSymbol(choice: Extract<Shape, { kind: 'choice' }>): SymbolSet | undefined {
    const known = this.choices.get(choice);
    if (known) return known;
    const union = new Uint8Array(symbolCount);
    for (const option of choice.options) {
      if (option.kind !== 'text' || option.text.length !== 1 || isSpaceUnit(option.text.charCodeAt(0)))
        return undefined;
      const ignoreCase = this.ignoreCase || option.folded === true;
      symbolsOf(option.text.charCodeAt(0), ignoreCase).forEach((member, symbol) => {
        union[symbol] |= member;
      });
    }
    this.choices.set(choice, union);
    return union;
  }

  private text(text: string, ignoreCase: boolean, next: number): number {
    let node = next;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(this.side === 'after' ? text.length - 1 - i : i);
      node = isSpaceUnit(foldTable[unit]) ? this.spaces(false, node) : this.node(symbolsOf(unit, ignoreCase), [node]);
    }
    return node;
  }

  private spaces(optional: boolean, next: number): number {
    const loop = this.loop((again) => this.node(spaceSymbols, [again]), next);
    return optional ? this.node(undefined, [loop, next]) : loop;
  }

  private repeat({ part, min, max }: Extract<Shape, { kind: 'repeat' }>, next: number): number {
    const certain = Math.min(min, certainRepeatsMax);
    let node = next;
    if (max - min > possibleRepeatsMax || min > certainRepeatsMax) {
      const any = this.loop((again) => this.shape(part, again), next);
      node = this.node(undefined, [any, next]);
    } else {
      for (let i = min; i < max; i++) node = this.node(undefined, [this.shape(part, node), next]);
    }
    for (let i = 0; i < certain; i++) node = this.shape(part, node);
    return node;
  }

  /** Once or more of what `body` makes, then `next`. */
  private loop(body: (again: number) => number, next: number): number {
    if (this.nodes.length >= nodesMax) return acceptNode;
    const after: number[] = [next];
    const again = this.nodes.push({ symbols: undefined, next: after }) - 1;
    const first = body(again);
    after.push(first);
    return first;
  }
}
