/** A share with its 95 % interval; all of 0 to 1. Where nothing was looked at (`n` = 0) the interval says so: 0 to 1. */
export interface Rate {
  readonly k: number;
  readonly n: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** Standard normal quantile of a two-sided 95 % interval, to the two digits that are usual. */
const z = 1.96;

/**
 * `k` of `n` with Wilson's score interval (Wilson 1927, JASA 22:209; without continuity correction). Unlike the plain
 * normal interval it stays inside 0 to 1 and is honest for shares near 0, where false-positive rates are.
 */
export function rateOf(k: number, n: number): Rate {
  if (n === 0) return { k, n, rate: 0, low: 0, high: 1 };
  const share = k / n;
  const scale = 1 + (z * z) / n;
  const center = share + (z * z) / (2 * n);
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return {
    k,
    n,
    rate: share,
    low: Math.max(0, (center - half) / scale),
    high: Math.min(1, (center + half) / scale),
  };
}

/** Mean of shares that each count the same: what a macro average is. 0 where there are none. */
export function meanOf(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}
