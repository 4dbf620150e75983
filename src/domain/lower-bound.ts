/** First place from `from` up to `to`, in ascending numbers, whose number is not below a bound; `to` where all are. */
export function lowerBound(numbers: Int32Array, bound: number, from = 0, to: number = numbers.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
