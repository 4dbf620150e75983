import { blockTokens, windowBlocks } from '../engine/learned/model.js';
import { windowTokens } from '../engine/learned/plain-scorer.js';
import type { Document } from './document.js';
import type { Weights } from './learner.js';

/** A window of a document, in tokens, half-open, and what a head's weights sum up to in it. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly sum: number;
}

/**
 * Finds best windows as the engine does, with weights that are not rounded yet: one pass, a feature counting in the
 * block where it was seen last. Keeps memory of the size of the vocabulary.
 */
export class WindowFinder {
  /** By feature: number of the block it was seen in last, of all blocks of all texts. */
  private readonly lastBlocks: Int32Array;
  private nextBlock = windowBlocks;

  constructor(featureCount: number) {
    this.lastBlocks = new Int32Array(featureCount);
  }

  /** The first of the windows with the highest sum. Features whose value is 0 do not count. The prior is that of `Head`. */
  best({ features, tokens, tokenCount }: Document, values: Float32Array, weights: Weights, prior: number): Window {
    const bias = weights[weights.length - 1];
    const firstBlock = this.nextBlock;
    const blockCount = Math.max(1, Math.ceil(tokenCount / blockTokens));
    this.nextBlock += blockCount + windowBlocks;
    const sums = new Float64Array(blockCount);
    const squares = new Float64Array(blockCount);
    let best: Window = { from: 0, to: 0, sum: Number.NEGATIVE_INFINITY };
    let at = 0;
    for (let block = 0; block < blockCount; block++) {
      const end = (block + 1) * blockTokens;
      for (; at < features.length && tokens[at] < end; at++)
        this.see(features[at], block, firstBlock, values, weights, sums, squares);
      const isLast = block === blockCount - 1;
      if (block < windowBlocks - 1 && !isLast) continue;
      const first = Math.max(0, block - windowBlocks + 1);
      let sum = 0;
      let square = 0;
      for (let i = first; i <= block; i++) {
        sum += sums[i];
        square += squares[i];
      }
      const score = bias + (square > 0 ? sum / Math.sqrt(square + prior) : 0);
      if (score > best.sum) best = { from: first * blockTokens, to: Math.min(end, tokenCount), sum: score };
    }
    return best;
  }

  private see(
    feature: number,
    block: number,
    firstBlock: number,
    values: Float32Array,
    weights: Weights,
    sums: Float64Array,
    squares: Float64Array,
  ): void {
    const value = values[feature];
    if (value === 0) return;
    const before = this.lastBlocks[feature] - firstBlock;
    if (before === block) return;
    if (before >= 0 && before > block - windowBlocks) {
      sums[before] -= weights[feature] * value;
      squares[before] -= value * value;
    }
    sums[block] += weights[feature] * value;
    squares[block] += value * value;
    this.lastBlocks[feature] = firstBlock + block;
  }
}

/** Begin of each window of a document of that many tokens, as the engine cuts them. */
export function windowStarts(tokenCount: number): readonly number[] {
  const count = Math.max(1, Math.ceil((tokenCount - windowTokens) / blockTokens) + 1);
  return Array.from({ length: count }, (_, index) => index * blockTokens);
}
