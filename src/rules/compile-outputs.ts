import { type OutputGroup, type Outputs, outputWords } from '../engine/outputs.js';
import type { Context, Side } from '../engine/regex/context.js';
import { digitFlank } from '../engine/regex/digit-runs.js';
import { type Flank, maybeFlank } from '../engine/regex/flank.js';
import { bitsOfLiteral } from '../engine/regex/literals.js';
import { textStartFlank } from '../engine/regex/text-start.js';
import type { GateUses } from './gate-uses.js';

/** States of a flank that stands for a group of outputs. */
const groupStatesMax = 250;

/**
 * Patterns that a group of digit runs is for. The flanks of fewer know more, but each group is one more look at every number: of
 * 3, 6, 12 and all patterns, 12 are quickest on tables, dates, addresses and logs.
 */
const groupPatternsMax = 12;

/** Outputs that no needle leads to, with the contexts that they come from. */
interface Group {
  readonly records: number[][];
  readonly contexts: Context[];
}

function emptyGroup(): Group {
  return { records: [], contexts: [] };
}

/** The last group, or another one where that is full. */
function openGroup(groups: Group[]): Group {
  const last = groups.at(-1);
  if (last && last.records.length < groupPatternsMax) return last;
  const group = emptyGroup();
  groups.push(group);
  return group;
}

/** Gathers the needles of all patterns and what each is for. Equal flanks are kept once. */
export class OutputsBuilder {
  private readonly uses = new Map<string, number[][]>();
  /** By their bytes, and by themselves, as most are met more than once. */
  private readonly flankNumbers = new Map<string | Flank, number>();
  private readonly flanks: Flank[] = [];
  private readonly digits: Readonly<Record<Side, Group[]>> = { after: [], before: [] };
  private readonly textStart: Group = emptyGroup();

  /** What the gates of a pattern ask for, by the pattern's number. */
  add(pattern: number, { needles, starts, digits }: GateUses): void {
    for (const { needle, gate, before, after } of needles) {
      const record = [pattern, gate, this.number(before), this.number(after)];
      const uses = this.uses.get(needle);
      if (uses) uses.push(record);
      else this.uses.set(needle, [record]);
    }
    for (const { gate, after, contexts } of starts) {
      this.textStart.contexts.push(...contexts);
      this.textStart.records.push([pattern, gate, 0, this.number(after)]);
    }
    if (digits) {
      const { side, before, after, contexts } = digits;
      const group = openGroup(this.digits[side]);
      group.contexts.push(...contexts);
      group.records.push([pattern, 0, this.number(before), this.number(after)]);
    }
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
    const digits = [...this.digits.before, ...this.digits.after].map((group) => {
      const flankOf = (side: Side) => this.number(digitFlank(group.contexts, side, true, groupStatesMax));
      return this.group(group, records, flankOf('before'), flankOf('after'));
    });
    const { contexts } = this.textStart;
    const startFlank =
      contexts.length === 0 ? 0 : this.number(textStartFlank(contexts, true, groupStatesMax) ?? maybeFlank);
    const start = this.group(this.textStart, records, 0, startFlank);
    const placed = new PlacedFlanks(this.flanks);
    const outputs: Outputs = {
      starts,
      records: Int32Array.from(records, (word, at) => (at % outputWords < 2 ? word : placed.place(word))),
      digits: digits.map((group) => placed.ofGroup(group)),
      textStart: placed.ofGroup(start),
    };
    return { needles, outputs, flanks: Buffer.concat(placed.flanks) };
  }

  /** Adds a group's outputs to the records, behind the flanks that stand for all of them. */
  private group({ records: own }: Group, records: number[], before: number, after: number): OutputGroup {
    const from = records.length / outputWords;
    for (const record of own) records.push(...record);
    return { before, after, from, to: records.length / outputWords };
  }

  /** Number of a flank, counted from one; 0 of none. */
  private number(flank: Flank | undefined): number {
    if (!flank) return 0;
    const known = this.flankNumbers.get(flank);
    if (known !== undefined) return known;
    const key = Buffer.from(flank).toString('latin1');
    const number = this.flankNumbers.get(key) ?? this.flanks.push(flank);
    this.flankNumbers.set(key, number).set(flank, number);
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
    return { ...group, before: this.place(group.before), after: this.place(group.after) };
  }
}
