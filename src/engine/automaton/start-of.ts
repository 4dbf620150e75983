import { isSpaceUnit, spaceUnit } from '../text/fold.js';

/**
 * Start of the occurrence of `needle` (folded, collapsed, trimmed) that ends at `end` in `text`: walks back over
 * it, a white space in the needle standing for a whole run in the text. Cost: the length of the occurrence.
 */
export function startOf(text: string, end: number, needle: string): number {
  let at = end;
  for (let i = needle.length - 1; i >= 0; i--) {
    at--;
    if (needle.charCodeAt(i) === spaceUnit) while (isSpaceUnit(text.charCodeAt(at - 1))) at--;
  }
  return at;
}
