import { gatheredPerRuleMax, type HitTaker, isValid } from '../collector.js';
import type { ProgramPattern } from '../program.js';

/** In the place of a start: the pattern was asked of the whole text, so what its later windows say is void. */
const wholeMark = -1;

/**
 * Takes the hits of regexes down as flat words, pattern, start and end, instead of gathering them: what one thread tells
 * another. No more of one pattern in a row than one rule could ever take.
 */
export class HitRecorder implements HitTaker {
  text = '';
  private readonly patterns: readonly ProgramPattern[];
  private words: number[] = [];
  private last = -1;
  private count = 0;

  constructor(patterns: readonly ProgramPattern[]) {
    this.patterns = patterns;
  }

  begin(text: string): void {
    this.text = text;
    this.words = [];
    this.last = -1;
  }

  takeHit(pattern: number, start: number, end: number): boolean {
    if (!isValid(this.patterns[pattern], this.text, start, end)) return true;
    if (pattern !== this.last) this.count = 0;
    this.last = pattern;
    // One more than the rule takes, so that it comes to know that there were more.
    if (this.count > gatheredPerRuleMax) return false;
    this.count++;
    this.words.push(pattern, start, end);
    return true;
  }

  markWhole(pattern: number): void {
    this.words.push(pattern, wholeMark, wholeMark);
  }

  end(): readonly number[] {
    return this.words;
  }
}

/** Reads a recorder's words; leaves out what is void, which it notes in `voided` for the words to come. */
export function eachHit(
  words: ArrayLike<number>,
  voided: Set<number>,
  take: (pattern: number, start: number, end: number) => void,
): void {
  let current = -1;
  let isVoid = false;
  for (let i = 0; i < words.length; i += 3) {
    const pattern = words[i];
    if (pattern !== current) isVoid = voided.has(pattern);
    current = pattern;
    if (words[i + 1] === wholeMark) voided.add(pattern);
    else if (!isVoid) take(pattern, words[i + 1], words[i + 2]);
  }
}
