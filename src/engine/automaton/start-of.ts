import { isSpaceUnit } from '../text/fold.js';

/**
 * Start of the occurrence of a needle that ends at `end` in `text`: walks back over it, a white space in the needle standing for
 * a whole run in the text. `length` as in the form of a needle. Cost: the length of the occurrence, where there is white space in it.
 */
export function startOf(text: string, end: number, length: number): number {
  const units = length >> 1;
  if ((length & 1) === 0) return end - units;
  let at = end;
  for (let left = units; left > 0; left--) {
    at--;
    if (isSpaceUnit(text.charCodeAt(at))) while (isSpaceUnit(text.charCodeAt(at - 1))) at--;
  }
  return at;
}
