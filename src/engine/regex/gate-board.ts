import type { ProgramPattern, Reach } from '../program.js';
import { CollapsedText } from '../text/collapsed-text.js';

/** Units beside a window that are shown to the regex so that `\b` sees its true neighbours: one code point. */
const contextUnits = 2;
/** Up to so much repeated white space in a text windows are simply widened by it; of more it is asked where it stands. */
const slackUnitsMax = 256;

/**
 * Watches the needles of all patterns' gates go by in one text and notes for each pattern where all of its gates were
 * seen in order and close enough together for one match. Says "no" or "maybe", never loses a match. One board serves a
 * thread for all its texts: what it noted of one text is void with the next (`epoch`), and nothing is allocated per needle.
 *
 * A match holds a needle of each gate and spans at most `windowUnits` collapsed units, and it reaches no further than
 * `reach` beside the last needle's end. Collapsed units count a run of white space as one; a text's repeated white space
 * (`slack`) bounds the difference to its true units.
 */
export class GateBoard {
  /** Where each pattern's gates begin in `chains`. */
  private readonly gateStart: Int32Array;
  /**
   * For each gate: where the shortest chain of needles so far, one of each gate up to it, in order, began (the end of its
   * first needle), or −1.
   */
  private readonly chains: Int32Array;
  /** Text in which a gate's chain was noted last; and, below, a pattern's stretches. */
  private readonly chainEpochs: Int32Array;
  private readonly stretchEpochs: Int32Array;
  private readonly windowUnits: Int32Array;
  private readonly reaches: readonly Reach[];
  /** For each pattern: first and last needle end of each stretch, in turn. */
  private readonly stretches: number[][];
  private readonly opened: number[] = [];
  private readonly repeatedSpace: (text: string) => number;
  private epoch = 0;
  private text = '';
  private slackUnits = -1;
  private readonly collapsed = new CollapsedText();

  constructor(patterns: readonly ProgramPattern[], repeatedSpace: (text: string) => number) {
    this.repeatedSpace = repeatedSpace;
    this.gateStart = new Int32Array(patterns.length + 1);
    patterns.forEach(({ gateCount }, index) => {
      this.gateStart[index + 1] = this.gateStart[index] + gateCount;
    });
    this.chains = new Int32Array(this.gateStart[patterns.length]);
    this.chainEpochs = new Int32Array(this.chains.length);
    this.stretchEpochs = new Int32Array(patterns.length);
    this.windowUnits = Int32Array.from(patterns, ({ windowUnits }) => windowUnits);
    this.reaches = patterns.map(({ reach }) => reach);
    this.stretches = patterns.map(() => []);
  }

  /** Forgets the text before. */
  begin(text: string): void {
    this.text = text;
    this.slackUnits = -1;
    this.opened.length = 0;
    this.epoch++;
  }

  /** A needle of a pattern's gate ends at `end`. Ends come in ascending order. */
  see(pattern: number, gate: number, end: number): void {
    const { chains, chainEpochs, epoch } = this;
    const slot = this.gateStart[pattern] + gate;
    let began = end;
    if (gate > 0) {
      if (chainEpochs[slot - 1] !== epoch) return;
      began = chains[slot - 1];
    }
    chains[slot] = began;
    chainEpochs[slot] = epoch;
    if (slot + 1 !== this.gateStart[pattern + 1]) return;
    const windowUnits = this.windowUnits[pattern];
    const distance = end - began;
    if (windowUnits === 0 || distance <= windowUnits || distance <= windowUnits + this.slack()) {
      this.note(pattern, end, windowUnits);
    }
  }

  /** Patterns that may match somewhere. */
  get openPatterns(): readonly number[] {
    return this.opened;
  }

  /** Bounds of each window of an open pattern, context included, ascending and disjoint; flat pairs. */
  windowsOf(pattern: number): readonly number[] {
    const { text, collapsed } = this;
    const windowUnits = this.windowUnits[pattern];
    if (windowUnits === 0) return [0, text.length];
    const reach = this.reaches[pattern];
    const slack = this.slack();
    const isWide = slack > slackUnitsMax;
    if (isWide) collapsed.read(text);
    const windows: number[] = [];
    const stretches = this.stretches[pattern];
    for (let i = 0; i < stretches.length; i += 2) {
      const first = isWide ? collapsed.placeFrom(stretches[i], -reach.before) : stretches[i] - reach.before - slack;
      const last = isWide ? collapsed.placeFrom(stretches[i + 1], reach.after) : stretches[i + 1] + reach.after + slack;
      const from = Math.max(0, first - contextUnits);
      const to = Math.min(text.length, last + contextUnits);
      const previous = windows.length - 1;
      if (previous > 0 && from <= windows[previous]) windows[previous] = Math.max(windows[previous], to);
      else windows.push(from, to);
    }
    return windows;
  }

  private note(pattern: number, end: number, windowUnits: number): void {
    const stretches = this.stretches[pattern];
    if (this.stretchEpochs[pattern] !== this.epoch) {
      this.stretchEpochs[pattern] = this.epoch;
      stretches.length = 0;
    }
    const last = stretches.length - 1;
    if (last > 0 && (windowUnits === 0 || end - stretches[last] <= windowUnits)) {
      stretches[last] = end;
      return;
    }
    if (last < 0) this.opened.push(pattern);
    stretches.push(end, end);
  }

  /** Units of white space in the text beyond the first of each run; counted when first asked for. */
  private slack(): number {
    if (this.slackUnits >= 0) return this.slackUnits;
    this.slackUnits = this.repeatedSpace(this.text);
    return this.slackUnits;
  }
}
