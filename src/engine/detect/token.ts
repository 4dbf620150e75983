import { crc32 } from './checksum.js';

/**
 * A GitHub token (`ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`) whose last six characters are the CRC-32 of the thirty
 * before them in base 62 (https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/).
 */
export function githubChecksum(hit: string): boolean {
  if (!/^gh[pousr]_[0-9A-Za-z]{36}$/.test(hit)) return false;
  let rest = crc32(hit.slice(4, 34));
  let suffix = '';
  while (suffix.length < 6) {
    suffix = base62Alphabet[rest % 62] + suffix;
    rest = Math.floor(rest / 62);
  }
  return hit.endsWith(suffix);
}

/** Accepts a hit of at least that many bits a character: Shannon entropy of its own UTF-16 unit frequencies. */
export function entropyOf(bitsMin: number): (hit: string) => boolean {
  return (hit) => shannonBits(hit.slice(0, entropyUnitsMax)) >= bitsMin;
}

/**
 * Letters and digits both, at least three different characters, and no simple sequence: a chosen password or a
 * generated key passes, `aaaa1111`, `abcdef` and `12345678` do not.
 */
export function mixed(hit: string): boolean {
  const text = hit.slice(0, entropyUnitsMax).toLowerCase();
  if (!/[0-9]/.test(text) || !/\p{L}/u.test(text) || new Set(text).size < 3) return false;
  let steps = 0;
  for (let i = 1; i < text.length; i++) {
    // A neighbour one up, one down or equal is a step of a run such as abc, 321 or 000.
    if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1) steps++;
  }
  return steps < (text.length - 1) * 0.75;
}

/** Units of a hit that entropy and mixture are judged on; private keys run to thousands and need no more. */
const entropyUnitsMax = 512;

const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function shannonBits(text: string): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
