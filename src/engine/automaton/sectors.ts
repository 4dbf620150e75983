/**
 * Where a search sees the gates of patterns it notes by sectors of the piece of text at hand: at most sixteen, so that one bit for each
 * has room in half a word. A text in one piece has none: there one bit for each gate is cheaper, and says nearly as much.
 */

/** Log2 of the units of a sector, at the least. */
const sectorBitsMin = 9;

/** Log2 of the units of a piece's sectors, 0 for none. */
export function sectorBitsOf(length: number, isWhole: boolean): number {
  return isWhole ? 0 : Math.max(sectorBitsMin, 32 - Math.clz32((length - 1) >> 4));
}
