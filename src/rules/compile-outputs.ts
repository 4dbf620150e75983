import { type OutputGroup, type Outputs, outputWords } from '../engine/outputs.js';
import type { Context, Side } from '../engine/regex/context.js';
import { digitFlank } from '../engine/regex/digit-runs.js';
import { type Flank, maybeFlank } from '../engine/regex/flank.js';
import { bitsOfLiteral } from '../engine/regex/literals.js';
import { textStartFlank } from '../engine/regex/text-start.js';
import type { GateUses } from './gate-uses.js';

/** States of the one flank that stands for a group of outputs. */
const groupStatesMax = 250;

/** Outputs that no needle leads to, with the contexts that they come from. */
interface Group {
  readonly records: number[][];
  readonly contexts: Context[];
}

function emptyGroup(): Group {
  return { records: [], contexts: [] };
}

/** Gathers the needles of all patterns and what each is for. Equal flanks are kept once. */
export class OutputsBuilder {
  private readonly uses = new Map<string, number[][]>();
  /** By their bytes, and by themselves, as most are met more than once. */
  private readonly flankNumbers = new Map<string | Flank, number>();
  private readonly flanks: Flank[] = [];
  private readonly digits: Readonly<Record<Side, Group>> = { after: emptyGroup(), before: emptyGroup() };
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
      this.digits[side].contexts.push(...contexts);
      this.digits[side].records.push([pattern, 0, this.number(before), this.number(after)]);
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
    const digitGroup = (group: Group, side: Side): OutputGroup =>
      this.group(group, records, () => digitFlank(group.contexts, side, true, groupStatesMax));
    const digits = { after: digitGroup(this.digits.after, 'after'), before: digitGroup(this.digits.before, 'before') };
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
    return { ...group, flank: this.place(group.flank) };
  }
}
