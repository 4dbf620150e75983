import { limits } from '../domain/limits.js';

/** Of the former states of a document, whose sizes in bytes are given from the newest to the oldest, how many are kept. */
export function countKept(sizes: readonly number[]): number {
  let bytes = 0;
  const first = sizes.findIndex((size, place) => {
    bytes += size;
    return place > 0 && (place >= limits.historyMax || bytes > limits.historyBytesMax);
  });
  return first < 0 ? sizes.length : first;
}
