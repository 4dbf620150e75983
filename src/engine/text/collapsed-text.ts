import { lowerBound } from '../../domain/lower-bound.js';
import { foldTable, isSpaceUnit, spaceUnit } from './fold.js';

/** Units of a text of which only the number of collapsed ones before them is kept. */
const strideUnits = 64;

/** A text as the automata read it: each run of white space is one unit. Tells how far places are from each other. */
export class CollapsedText {
  private text = '';
  /** Of each stride of the text, the collapsed units before it. */
  private counts: Int32Array = new Int32Array(64);
  private strides = 0;

  /** Counts the units of a text, unless it did so last: a nanosecond for each. */
  read(text: string): void {
    if (text === this.text) return;
    // A constant of a module is looked up each time that it is read.
    const table = foldTable;
    this.text = text;
    this.strides = Math.ceil(text.length / strideUnits);
    if (this.counts.length < this.strides) this.counts = new Int32Array(2 * this.strides);
    const { counts } = this;
    let count = 0;
    let before = 0;
    for (let i = 0; i < text.length; i++) {
      if (i % strideUnits === 0) counts[i / strideUnits] = count;
      const now = table[text.charCodeAt(i)];
      if (now !== spaceUnit || before !== spaceUnit) count++;
      before = now;
    }
  }

  /**
   * The furthest place that lies `units` collapsed units behind `offset`, or before it where they are below 0; within the text. Cost: some
   * 64 units at most, wherever it lies.
   */
  placeFrom(offset: number, units: number): number {
    const { text, counts, strides } = this;
    let stride = Math.min(Math.floor(offset / strideUnits), strides - 1);
    let count = counts[stride];
    for (let at = stride * strideUnits; at < offset; at++) if (this.isCounted(at)) count++;
    const wanted = count + units;
    if (wanted <= 0) return 0;
    stride = lowerBound(counts, wanted + 1, 0, strides) - 1;
    count = counts[stride];
    let place = stride * strideUnits;
    for (; place < text.length; place++) {
      if (!this.isCounted(place)) continue;
      if (count === wanted) break;
      count++;
    }
    return place;
  }

  /** False for white space that follows on other. */
  private isCounted(at: number): boolean {
    const { text } = this;
    return !isSpaceUnit(text.charCodeAt(at)) || at === 0 || !isSpaceUnit(text.charCodeAt(at - 1));
  }
}
