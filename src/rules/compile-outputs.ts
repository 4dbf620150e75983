import { type Outputs, outputWords } from '../engine/outputs.js';
import type { Context, RequiredLiterals, Side } from '../engine/regex/context.js';
import { areDigitRuns, contextsOf, digitFlank } from '../engine/regex/digit-runs.js';
import { compileFlank, type Flank, isWordUnit, maybeFlank } from '../engine/regex/flank.js';

/** States of the one flank that stands for all digit runs. */
const anyDigitsStates = 120;

/** Gathers the needles of all patterns and what each is for. Equal flanks are kept once. */
export class OutputsBuilder {
  private readonly uses = new Map<string, number[][]>();
  private readonly flankAt = new Map<string, number>();
  private readonly flankBytes: Uint8Array[] = [];
  private flanksLength = 0;
  private readonly digitRuns: number[][] = [];
  private readonly digitContexts: Context[] = [];
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
    const before = this.place(digitFlank(contexts, 'before', ignoreCase));
    this.digitRuns.push([pattern, 0, before, this.place(digitFlank(contexts, 'after', ignoreCase))]);
    this.digitContexts.push(...contexts);
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
    for (const run of this.digitRuns) records.push(...run);
    const anyDigits = this.digitRuns.length === 0 ? 0 : this.place(this.anyDigits());
    const flanks = new Uint8Array(this.flanksLength);
    let at = 0;
    for (const bytes of this.flankBytes) {
      flanks.set(bytes, at);
      at += bytes.length;
    }
    return { needles, outputs: { starts, records: Int32Array.from(records), anyDigits }, flanks };
  }

  private anyDigits(): Flank {
    return digitFlank(this.digitContexts, 'after', true, anyDigitsStates) ?? maybeFlank;
  }

  /** Place of the flank, counted from one; 0 where there is nothing to ask. */
  private flank(contexts: readonly Context[], side: Side, edge: number, ignoreCase: boolean): number {
    const [context] = contexts;
    const key = `${side} ${isWordUnit(edge)} ${ignoreCase}`;
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
