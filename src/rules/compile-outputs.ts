import { type OutputGroup, type Outputs, outputWords } from '../engine/outputs.js';
import { isWordEdge } from '../engine/regex/borders.js';
import type { Context, RequiredLiterals, Side } from '../engine/regex/context.js';
import { areDigitRuns, contextsOf, digitFlank, isDemanding } from '../engine/regex/digit-runs.js';
import { compileFlank, type Flank, maybeFlank } from '../engine/regex/flank.js';
import { bitsOfLiteral } from '../engine/regex/literals.js';
import { ShapeNumbers } from '../engine/regex/shape-numbers.js';
import { textStart, textStartFlank } from '../engine/regex/text-start.js';

/** States of the one flank that stands for a group of outputs. */
const groupStatesMax = 250;

/** Outputs that no needle leads to, with the contexts that they come from. */
interface Group {
  readonly records: number[][];
  readonly contexts: Context[];
}

/** Gathers the needles of all patterns and what each is for. Equal flanks are kept once. */
export class OutputsBuilder {
  private readonly uses = new Map<string, number[][]>();
  private readonly flankNumbers = new Map<string, number>();
  private readonly flanks: Uint8Array[] = [];
  private readonly digitsAfter: Group = { records: [], contexts: [] };
  private readonly digitsBefore: Group = { records: [], contexts: [] };
  private readonly textStart: Group = { records: [], contexts: [] };
  private readonly shapeNumbers = new ShapeNumbers();
  /** By what the flank is made of: two of three are asked for again, by other needles of a gate and by other patterns. */
  private readonly numbersByContext = new Map<string, number>();

  /**
   * A needle of a pattern's gate, or the start of the text; `contexts` are what the pattern asks of the places where it
   * stands.
   */
  add(needle: string, pattern: number, gate: number, contexts: readonly Context[], ignoreCase: boolean): void {
    if (needle === textStart) {
      this.textStart.contexts.push(...contexts);
      this.textStart.records.push([pattern, gate, 0, this.number(textStartFlank(contexts, ignoreCase))]);
      return;
    }
    const first = needle.charCodeAt(0);
    const last = needle.charCodeAt(needle.length - 1);
    const before = this.flank(contexts, 'before', first, ignoreCase);
    const after = this.flank(contexts, 'after', last, ignoreCase);
    const uses = this.uses.get(needle);
    if (uses) uses.push([pattern, gate, before, after]);
    else this.uses.set(needle, [[pattern, gate, before, after]]);
  }

  /**
   * Takes a gate of digits as one of digit runs; false where it cannot be one, because a match may begin within a number.
   */
  addDigitRuns(literals: RequiredLiterals, pattern: number, ignoreCase: boolean): boolean {
    if (!areDigitRuns(literals)) return false;
    const contexts = contextsOf(literals);
    const before = digitFlank(contexts, 'before', ignoreCase);
    const group = before && isDemanding(before) ? this.digitsBefore : this.digitsAfter;
    group.contexts.push(...contexts);
    group.records.push([pattern, 0, this.number(before), this.number(digitFlank(contexts, 'after', ignoreCase))]);
    return true;
  }

  build(): { readonly needles: readonly string[]; readonly outputs: Outputs; readonly flanks: Uint8Array } {
    // What many texts hold lies together.
    const needles = [...this.uses.keys()]
      .map((needle) => ({ needle, bits: bitsOfLiteral(needle) }))
      .sort((a, b) => a.bits - b.bits)
      .map(({ needle }) => needle);
    const starts = new Int32Array(needles.length + 1);
    const records: number[] = [];
    needles.forEach((needle, number) => {
      for (const use of this.uses.get(needle) ?? []) records.push(...use);
      starts[number + 1] = records.length / outputWords;
    });
    const digitGroup = (group: Group, side: Side): OutputGroup =>
      this.group(group, records, () => digitFlank(group.contexts, side, true, groupStatesMax));
    const digits = { after: digitGroup(this.digitsAfter, 'after'), before: digitGroup(this.digitsBefore, 'before') };
    const start = this.group(this.textStart, records, () =>
      textStartFlank(this.textStart.contexts, true, groupStatesMax),
    );
    const placed = new PlacedFlanks(this.flanks);
    const outputs: Outputs = {
      starts,
      records: Int32Array.from(records, (word, at) => (at % outputWords < 2 ? word : placed.place(word))),
      digits: { after: placed.ofGroup(digits.after), before: placed.ofGroup(digits.before) },
      textStart: placed.ofGroup(start),
    };
    return { needles, outputs, flanks: Buffer.concat(placed.flanks) };
  }

  /** Adds a group's outputs to the records, and makes the one flank that stands for them. */
  private group({ records: own }: Group, records: number[], flankOf: () => Flank | undefined): OutputGroup {
    const from = records.length / outputWords;
    for (const record of own) records.push(...record);
    const flank = own.length === 0 ? 0 : this.number(flankOf() ?? maybeFlank);
    return { flank, from, to: records.length / outputWords };
  }

  /** Number of the flank on one side of a needle; 0 where there is nothing to ask. */
  private flank(contexts: readonly Context[], side: Side, edge: number, ignoreCase: boolean): number {
    const around = contexts.map((context) => this.shapeNumbers.ofAll(context[side])).join('|');
    const key = `${side} ${isWordEdge(edge, ignoreCase)} ${ignoreCase} ${around}`;
    const known = this.numbersByContext.get(key);
    if (known !== undefined) return known;
    const number = this.number(compileFlank(contexts, side, edge, ignoreCase));
    this.numbersByContext.set(key, number);
    return number;
  }

  /** Number of a flank, counted from one; 0 of none. */
  private number(flank: Flank | undefined): number {
    if (!flank) return 0;
    const key = Buffer.from(flank).toString('latin1');
    const known = this.flankNumbers.get(key);
    if (known !== undefined) return known;
    const number = this.flanks.push(flank);
    this.flankNumbers.set(key, number);
    return number;
  }
}

/** Flanks one behind the other as they are first asked for: what many texts ask of lies together. */
class PlacedFlanks {
  readonly flanks: Flank[] = [];
  private readonly all: readonly Flank[];
  private readonly places: Int32Array;
  private length = 0;

  constructor(all: readonly Flank[]) {
    this.all = all;
    this.places = new Int32Array(all.length + 1);
  }

  /** Place of a flank, counted from one, from its number; 0 of none. */
  place(number: number): number {
    if (number !== 0 && this.places[number] === 0) {
      const flank = this.all[number - 1];
      this.flanks.push(flank);
      this.places[number] = this.length + 1;
      this.length += flank.length;
    }
    return this.places[number];
  }

  ofGroup(group: OutputGroup): OutputGroup {
    return { ...group, flank: this.place(group.flank) };
  }
}
