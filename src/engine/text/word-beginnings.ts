import { foldTable } from './fold.js';
import { isWordUnit } from './word.js';

/** Units of a text that are read at a time, and kept. */
export const chunkUnits = 4_096;
/** Bits of a key. */
export const beginningKeys = 2_048;

/** Of each unit: the lowest five bits of its folding, by which letters are told apart, and whether it is of a word. */
const fiveBits: Uint8Array = Uint8Array.from(foldTable, (folded) => folded & 31);
const inWord: Uint8Array = Uint8Array.from(foldTable, (_, unit) => (isWordUnit(unit) ? 1 : 0));

/**
 * Where words of spaced scripts begin in one chunk of a text, and a *key* of the first three units of each: a few bits in
 * which a word that is looked for agrees with those that it may be. Read once for all that look for words in the chunk.
 */
export class WordBeginnings {
  /** Offsets in the text, ascending, and the key of each; `count` of them. After a letter beyond the BMP no word begins. */
  readonly places: Int32Array = new Int32Array(chunkUnits + 1);
  readonly keys: Uint16Array = new Uint16Array(chunkUnits + 1);
  count = 0;
  private text = '';
  private chunk = -1;

  /** Reads a chunk by its number, unless that is what was read last. About two nanoseconds a unit. */
  read(text: string, chunk: number): void {
    if (chunk === this.chunk && text === this.text) return;
    this.text = text;
    this.chunk = chunk;
    const { places, keys } = this;
    const from = chunk * chunkUnits;
    const to = Math.min(text.length, from + chunkUnits);
    // Module constants are looked up at each use, and a branch for each word would be guessed wrong half the time.
    const words = inWord;
    let count = 0;
    let before = from > 0 ? words[text.charCodeAt(from - 1)] : 0;
    for (let at = from; at < to; at++) {
      const now = words[text.charCodeAt(at)];
      places[count] = at;
      count += now & ~before;
      before = now;
    }
    this.count = count;
    for (let i = 0; i < count; i++) {
      const at = places[i];
      const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
      const third = at + 2 < text.length ? text.charCodeAt(at + 2) : 0;
      keys[i] = beginningKey(text.charCodeAt(at), second, third);
    }
  }

  /** Number of the first beginning at `offset` or behind it. */
  firstFrom(offset: number): number {
    const { places } = this;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle] < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The key of a word by its first three units; 0 for what stands past the end of a text. */
export function beginningKey(first: number, second: number, third: number): number {
  return fiveBits[first] ^ (fiveBits[second] << 3) ^ (fiveBits[third] << 6);
}
