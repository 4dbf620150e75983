import { isWordEdge } from '../engine/regex/borders.js';
import type { Context, RequiredLiterals, Side } from '../engine/regex/context.js';
import { areDigitRuns, contextsOf, digitFlank, isDemanding } from '../engine/regex/digit-runs.js';
import { compileFlank, type Flank } from '../engine/regex/flank.js';
import { ShapeNumbers } from '../engine/regex/shape-numbers.js';
import { textStart, textStartFlank } from '../engine/regex/text-start.js';

/** What a pattern's gates ask for: needles with the flanks beside each, or the start of the text, or runs of digits. */
export interface GateUses {
  readonly needles: readonly NeedleUse[];
  readonly starts: readonly StartUse[];
  /** Of a pattern that requires nothing but a number; then it is all that there is. */
  readonly digits?: DigitUse;
}

export interface NeedleUse {
  readonly needle: string;
  readonly gate: number;
  readonly before: Flank | undefined;
  readonly after: Flank | undefined;
}

interface StartUse {
  readonly gate: number;
  readonly after: Flank | undefined;
  /** What the pattern asks of the place, for the flank of all that ask of it. */
  readonly contexts: readonly Context[];
}

interface DigitUse {
  /** The side of the number that more is asked of. */
  readonly side: Side;
  readonly before: Flank | undefined;
  readonly after: Flank | undefined;
  readonly contexts: readonly Context[];
}

/** The flanks that a pattern's gates ask for. */
export function gateUses(gates: readonly RequiredLiterals[], ignoreCase: boolean, known: KnownFlanks): GateUses {
  const digits = gates.length === 1 ? digitUse(gates[0], ignoreCase) : undefined;
  if (digits) return { needles: [], starts: [], digits };
  const needles: NeedleUse[] = [];
  const starts: StartUse[] = [];
  gates.forEach((literals, gate) => {
    for (const [needle, { contexts }] of literals) {
      if (needle === textStart) starts.push({ gate, after: textStartFlank(contexts, ignoreCase), contexts });
      else needles.push({ needle, gate, ...known.beside(needle, contexts, ignoreCase) });
    }
  });
  return { needles, starts };
}

/** Undefined where the gate is no run of digits, because a match may begin within a number. */
function digitUse(literals: RequiredLiterals, ignoreCase: boolean): DigitUse | undefined {
  if (!areDigitRuns(literals)) return undefined;
  const contexts = contextsOf(literals);
  const before = digitFlank(contexts, 'before', ignoreCase);
  const side = before && isDemanding(before) ? 'before' : 'after';
  return { side, before, after: digitFlank(contexts, 'after', ignoreCase), contexts };
}

/** Flanks by what they are made of: two of three are asked for again, by other needles of a gate and by other patterns. */
export class KnownFlanks {
  private readonly flanks = new Map<string, Flank | undefined>();
  private readonly shapeNumbers = new ShapeNumbers();

  /** What `contexts` ask of the places beside a needle. */
  beside(needle: string, contexts: readonly Context[], ignoreCase: boolean): Pick<NeedleUse, Side> {
    return {
      before: this.flank(contexts, 'before', needle.charCodeAt(0), ignoreCase),
      after: this.flank(contexts, 'after', needle.charCodeAt(needle.length - 1), ignoreCase),
    };
  }

  private flank(contexts: readonly Context[], side: Side, edge: number, ignoreCase: boolean): Flank | undefined {
    const around = contexts.map((context) => this.shapeNumbers.ofAll(context[side])).join('|');
    const key = `${side} ${isWordEdge(edge, ignoreCase)} ${ignoreCase} ${around}`;
    if (!this.flanks.has(key)) this.flanks.set(key, compileFlank(contexts, side, edge, ignoreCase));
    return this.flanks.get(key);
  }
}
