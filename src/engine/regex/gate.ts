import { isSpaceUnit } from '../text/fold.js';
import { Windows } from './window.js';

/**
 * Watches the needles of one pattern's gates go by and notes where all of them were seen close enough together for
 * one match. Says "no" or "maybe", never loses a match.
 */
export class Gate {
  readonly windows = new Windows();
  private readonly windowUnits: number;
  private readonly lastEnds: Float64Array;

  /** `windowUnits`: most collapsed units of a match, or 0 where there is no bound. */
  constructor(gateCount: number, windowUnits: number) {
    this.windowUnits = windowUnits;
    this.lastEnds = new Float64Array(gateCount).fill(Number.NEGATIVE_INFINITY);
  }

  /** A needle of gate number `gate` ends at `end`. Ends come in ascending order. */
  see(gate: number, end: number, extraSpaces: () => number): void {
    const { lastEnds, windowUnits } = this;
    lastEnds[gate] = end;
    let earliest = end;
    for (const last of lastEnds) if (last < earliest) earliest = last;
    if (earliest === Number.NEGATIVE_INFINITY) return;
    // White space counts once a run in `windowUnits` but fully in offsets; only a far needle makes us count it.
    const isNear = windowUnits === 0 || end - earliest <= windowUnits || end - earliest <= windowUnits + extraSpaces();
    if (isNear) this.windows.add(end, windowUnits === 0 ? Number.POSITIVE_INFINITY : windowUnits);
  }
}

/** Units of white space in a text beyond the first of each run. */
export function countExtraSpaces(text: string): number {
  let count = 0;
  for (let i = 1; i < text.length; i++) {
    if (isSpaceUnit(text.charCodeAt(i)) && isSpaceUnit(text.charCodeAt(i - 1))) count++;
  }
  return count;
}
