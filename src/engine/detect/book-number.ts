import { weightedSumHolds } from './checksum.js';
import { compact } from './digits.js';

/**
 * A number that no book can have: ISBNs have ten digits, the last of which may be an X, or thirteen that begin with 978 or 979, and
 * their check digit follows from the others (ISO 2108). One in eleven, or ten, that are made up holds by chance. What is longer than
 * anybody writes one is none.
 */
export function impossibleIsbn(hit: string): boolean {
  if (hit.length > hitUnitsMax) return false;
  const signs = compact(hit);
  const digits = [...signs].map((sign) => (sign === 'X' ? 10 : Number(sign)));
  if (tenDigits.test(signs)) return !weightedSumHolds(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 11);
  if (thirteenDigits.test(signs)) return !weightedSumHolds(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1], 10);
  return true;
}

const hitUnitsMax = 32;
const tenDigits = /^[0-9]{9}[0-9X]$/;
const thirteenDigits = /^97[89][0-9]{10}$/;
