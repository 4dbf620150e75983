import { dumpLines, isInDumpLine } from './dump-lines.js';
import { isInRandomRun, randomRuns } from './random-runs.js';

/**
 * Opaque parts of a text are what no one reads: long runs without order, and dumps of bytes. What looks like a key, a number or a word in
 * the middle of one does so by chance, and a megabyte holds some. Start and end of each, flat, ascending and disjoint. In a text without
 * any one unit in ten is looked at.
 */
export function opaqueParts(text: string): readonly number[] {
  const runs = randomRuns(text);
  const dumps = dumpLines(text);
  if (dumps.length === 0) return runs;
  // No line of a dump is long enough for a run.
  return [...runs, ...dumps].sort((a, b) => a - b);
}

/** True if a hit stands in the middle of an opaque part, by the look of its line and of the run around it. */
export function isInOpaque(text: string, start: number, end: number): boolean {
  return isInRandomRun(text, start, end) || isInDumpLine(text, start, end);
}
