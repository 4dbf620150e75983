import { isSpaceUnit } from '../text/fold.js';

/** Units beside a window that are shown to the regex so that `\b` sees its true neighbours: one code point. */
const contextUnits = 2;

/**
 * The stretches of a text in which a gated regex can match, gathered from its needles' occurrences. Ends must be
 * added in ascending order. A match contains a needle and spans at most `windowUnits` collapsed units, so it lies
 * within that distance of the needle's end; stretches that meet are one.
 */
export class Windows {
  private readonly groups: { first: number; last: number }[] = [];

  get isEmpty(): boolean {
    return this.groups.length === 0;
  }

  add(needleEnd: number, windowUnits: number): void {
    const current = this.groups[this.groups.length - 1];
    if (current && needleEnd - current.last <= windowUnits) current.last = needleEnd;
    else this.groups.push({ first: needleEnd, last: needleEnd });
  }

  /** Bounds of each window, context included, ascending and disjoint. Cost: linear in the windows' length. */
  bounds(text: string, windowUnits: number): readonly (readonly [from: number, to: number])[] {
    const merged: [number, number][] = [];
    for (const { first, last } of this.groups) {
      const from = Math.max(0, before(text, first, windowUnits) - contextUnits);
      const to = Math.min(text.length, after(text, last, windowUnits) + contextUnits);
      const previous = merged[merged.length - 1];
      if (previous && from <= previous[1]) previous[1] = Math.max(previous[1], to);
      else merged.push([from, to]);
    }
    return merged;
  }
}

/** Offset that lies `units` collapsed units before `offset`. */
function before(text: string, offset: number, units: number): number {
  let at = offset;
  for (let left = units; left > 0 && at > 0; left--) {
    at--;
    if (isSpaceUnit(text.charCodeAt(at))) while (at > 0 && isSpaceUnit(text.charCodeAt(at - 1))) at--;
  }
  return at;
}

function after(text: string, offset: number, units: number): number {
  let at = offset;
  for (let left = units; left > 0 && at < text.length; left--) {
    if (isSpaceUnit(text.charCodeAt(at++))) while (at < text.length && isSpaceUnit(text.charCodeAt(at))) at++;
  }
  return at;
}
