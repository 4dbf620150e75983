import { type DigitGroup, type Outputs, outputWords } from '../engine/outputs.js';
import { isAsciiWord } from '../engine/regex/borders.js';
import type { Context, RequiredLiterals, Side } from '../engine/regex/context.js';
import { areDigitRuns, contextsOf, digitFlank, isDemanding } from '../engine/regex/digit-runs.js';
import { compileFlank, type Flank, maybeFlank } from '../engine/regex/flank.js';

/** States of the one flank that stands for a group of digit runs. */
const groupStatesMax = 250;

/** Outputs of digit runs with the contexts that they come from. */
interface DigitRuns {
  readonly records: number[][];
  readonly contexts: Context[];
}

/** Gathers the needles of all patterns and what each is for. Equal flanks are kept once. */
export class OutputsBuilder {
  private readonly uses = new Map<string, number[][]>();
  private readonly flankAt = new Map<string, number>();
  private readonly flankBytes: Uint8Array[] = [];
  private flanksLength = 0;
  private readonly digitsAfter: DigitRuns = { records: [], contexts: [] };
  private readonly digitsBefore: DigitRuns = { records: [], contexts: [] };
  private readonly flanksOf = new WeakMap<Context, Map<string, number>>();

  /** A needle of a pattern's gate; `contexts` are what the pattern asks of the places where it stands. */
  add(needle: string, pattern: number, gate: number, contexts: readonly Context[], ignoreCase: boolean): void {
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
    group.records.push([pattern, 0, this.place(before), this.place(digitFlank(contexts, 'after', ignoreCase))]);
    return true;
  }

  build(): { readonly needles: readonly string[]; readonly outputs: Outputs; readonly flanks: Uint8Array } {
    const needles = [...this.uses.keys()];
    const starts = new Int32Array(needles.length + 1);
    const records: number[] = [];
    needles.forEach((needle, number) => {
      for (const use of this.uses.get(needle) ?? []) records.push(...use);
      starts[number + 1] = records.length / outputWords;
    });
    const digits = {
      after: this.digitGroup(this.digitsAfter, 'after', records),
      before: this.digitGroup(this.digitsBefore, 'before', records),
    };
    const flanks = new Uint8Array(this.flanksLength);
    let at = 0;
    for (const bytes of this.flankBytes) {
      flanks.set(bytes, at);
      at += bytes.length;
    }
    return { needles, outputs: { starts, records: Int32Array.from(records), digits }, flanks };
  }

  /** Adds a group's outputs to the records, and makes the one flank that stands for them. */
  private digitGroup({ records: own, contexts }: DigitRuns, side: Side, records: number[]): DigitGroup {
    const from = records.length / outputWords;
    for (const record of own) records.push(...record);
    const flank = own.length === 0 ? 0 : this.place(digitFlank(contexts, side, true, groupStatesMax) ?? maybeFlank);
    return { flank, from, to: records.length / outputWords };
  }

  /** Place of the flank, counted from one; 0 where there is nothing to ask. */
  private flank(contexts: readonly Context[], side: Side, edge: number, ignoreCase: boolean): number {
    const [context] = contexts;
    const key = `${side} ${isAsciiWord(edge)} ${ignoreCase}`;
    // The needles of a gate mostly have one context in common.
    const known = contexts.length === 1 ? this.flanksOf.get(context)?.get(key) : undefined;
    if (known !== undefined) return known;
    const at = this.place(compileFlank(contexts, side, edge, ignoreCase));
    if (contexts.length === 1) {
      const byKey = this.flanksOf.get(context) ?? new Map<string, number>();
      this.flanksOf.set(context, byKey.set(key, at));
    }
    return at;
  }

  private place(flank: Flank | undefined): number {
    if (!flank) return 0;
    const key = flank.join();
    const known = this.flankAt.get(key);
    if (known !== undefined) return known;
    const at = this.flanksLength + 1;
    this.flankAt.set(key, at);
    this.flankBytes.push(flank);
    this.flanksLength += flank.length;
    return at;
  }
}
