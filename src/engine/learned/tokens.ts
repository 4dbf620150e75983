import { kindBits, unitKind, unitTable } from './units.js';

/** Hash of every token of digits only. */
const numberHash = 0x5bd1e995;
/** An odd multiplier of MurmurHash3 (public domain). A word's hash is the sum of its letters times the powers of it. */
const hashPrime = 0xc2b2ae35;

/** Called for every token of a text, in order: the hash of its folded letters, and where it stands in UTF-16 units. */
export type TokenSink = (hash: number, start: number, end: number) => void;

/**
 * Cuts a text into tokens: words without their apostrophes, and single signs and letters (`unitKind`). The plain twin of
 * what the kernel does. Linear in the text.
 */
export function eachToken(text: string, sink: TokenSink): void {
  let hash = 0;
  let power = 1;
  let start = -1;
  let isNumber = true;
  const endWord = (end: number): void => {
    if (start >= 0) sink(isNumber ? numberHash : hash, start, end);
    hash = 0;
    power = 1;
    start = -1;
    isNumber = true;
  };
  const units = unitTable();
  for (let i = 0; i < text.length; i++) {
    const entry = units[text.charCodeAt(i)];
    switch (entry & ((1 << kindBits) - 1)) {
      case unitKind.word:
        isNumber = false;
        break;
      case unitKind.digit:
        break;
      case unitKind.single:
        endWord(i);
        sink(entry >>> kindBits, i, i + 1);
        continue;
      case unitKind.joiner:
        continue;
      default:
        endWord(i);
        continue;
    }
    if (start < 0) start = i;
    hash = (hash + Math.imul(entry >>> kindBits, power)) | 0;
    power = Math.imul(power, hashPrime);
  }
  endWord(text.length);
}

/** What the first letters of a word are multiplied by. */
export function hashPowers(count: number): Int32Array {
  const powers = new Int32Array(count).fill(1);
  for (let i = 1; i < count; i++) powers[i] = Math.imul(powers[i - 1], hashPrime);
  return powers;
}
