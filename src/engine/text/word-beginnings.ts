import { lowerBound } from '../../domain/lower-bound.js';
import { foldTable } from './fold.js';
import { wordUnits } from './word.js';

/** Units of a text that are read at a time. */
export const chunkUnits = 128;
/** Chunks that are kept: those of 32 K units of a text. */
const chunksKept = 256;
/** There are so many keys. */
export const beginningKeys = 2_048;

/** Of each unit the lowest five bits of its folding, by which letters are told apart. */
const fiveBits: Uint8Array = new Uint8Array(foldTable);
for (let unit = 0; unit < fiveBits.length; unit++) fiveBits[unit] &= 31;

/**
 * Where words of spaced scripts begin in a text, and a *key* of the first three units of each: a few bits in which a word
 * that is looked for agrees with those that it may be. Read chunk by chunk, once for all that look for words there.
 */
export class WordBeginnings {
  /** Offsets in the text and keys, ascending from `first` up to `last`. After a letter beyond the BMP no word begins. */
  readonly places: Int32Array = new Int32Array(chunksKept * (chunkUnits + 1));
  readonly keys: Uint16Array = new Uint16Array(chunksKept * (chunkUnits + 1));
  first = 0;
  last = 0;
  private text = '';
  /** By slot: the chunk that it holds, and its number of words. */
  private readonly chunks: Int32Array = new Int32Array(chunksKept).fill(-1);
  private readonly counts: Int32Array = new Int32Array(chunksKept);

  /** Reads a chunk by its number, unless it is kept. About two nanoseconds a unit. */
  read(text: string, chunk: number): void {
    const { chunks, counts } = this;
    if (text !== this.text) chunks.fill(-1);
    // The very string, though another one may equal it: to compare a string with itself costs nothing.
    this.text = text;
    const slot = chunk % chunksKept;
    this.first = slot * (chunkUnits + 1);
    if (chunks[slot] !== chunk) {
      chunks[slot] = chunk;
      counts[slot] = this.find(text, chunk * chunkUnits, this.first);
    }
    this.last = this.first + counts[slot];
  }

  /** Number of the first beginning of the chunk that stands at `offset` or behind it. */
  firstFrom(offset: number): number {
    return lowerBound(this.places, offset, this.first, this.last);
  }

  /** Leaves the words of a chunk from place `begin` on; gives their number. */
  private find(text: string, from: number, begin: number): number {
    const { places, keys } = this;
    // Module constants are looked up at each use, and a branch for each word would be guessed wrong half the time.
    const words = wordUnits;
    const to = Math.min(text.length, from + chunkUnits);
    let end = begin;
    let before = from > 0 ? words[text.charCodeAt(from - 1)] : 0;
    for (let at = from; at < to; at++) {
      const now = words[text.charCodeAt(at)];
      places[end] = at;
      end += now & ~before;
      before = now;
    }
    for (let i = begin; i < end; i++) {
      const at = places[i];
      const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
      const third = at + 2 < text.length ? text.charCodeAt(at + 2) : 0;
      keys[i] = beginningKey(text.charCodeAt(at), second, third);
    }
    return end - begin;
  }
}

/** The key of a word by its first three units; 0 for what stands past the end of a text. */
export function beginningKey(first: number, second: number, third: number): number {
  return fiveBits[first] ^ (fiveBits[second] << 3) ^ (fiveBits[third] << 6);
}
