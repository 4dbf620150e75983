import { kindBits, unitKind, unitTable } from './units.js';

/** Hash of every token of digits only. */
export const numberHash = 0x5bd1e995;
/** FNV-1a's offset and prime (32 bits): fowler-noll-vo, draft-eastlake-fnv. */
const hashStart = 0x811c9dc5 | 0;
const hashPrime = 0x01000193;

/** Called for every token of a text, in order: the hash of its folded letters, and where it stands in UTF-16 units. */
export type TokenSink = (hash: number, start: number, end: number) => void;

/**
 * Cuts a text into tokens: words without their apostrophes, and single signs and letters (`unitKind`). The plain twin of
 * what the kernel does. Linear in the text.
 */
export function eachToken(text: string, sink: TokenSink): void {
  let hash = hashStart;
  let start = -1;
  let isNumber = true;
  const endWord = (end: number): void => {
    if (start >= 0) sink(isNumber ? numberHash : hash, start, end);
    hash = hashStart;
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
        sink(mixUnit(hashStart, entry >>> kindBits), i, i + 1);
        continue;
      case unitKind.joiner:
        continue;
      default:
        endWord(i);
        continue;
    }
    if (start < 0) start = i;
    hash = mixUnit(hash, entry >>> kindBits);
  }
  endWord(text.length);
}

function mixUnit(hash: number, unit: number): number {
  const mixed = Math.imul(hash ^ unit, hashPrime);
  return mixed ^ (mixed >>> 13);
}
