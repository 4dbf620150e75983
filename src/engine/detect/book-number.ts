/**
 * A number that no book can have: ISBNs have ten digits, the last of which may be an X, or thirteen that begin with 978 or 979, and
 * their check digit follows from the others (ISO 2108). One in eleven, or ten, that are made up holds by chance. What is longer than
 * anybody writes one is none.
 */
export function impossibleIsbn(hit: string): boolean {
  if (hit.length > hitUnitsMax) return false;
  const signs = hit.toUpperCase().replace(/[^0-9A-Z]/g, '');
  if (tenDigits.test(signs)) return checkOfTen(signs) % 11 !== 0;
  if (thirteenDigits.test(signs)) return checkOfThirteen(signs) % 10 !== 0;
  return true;
}

const hitUnitsMax = 32;
const tenDigits = /^[0-9]{9}[0-9X]$/;
const thirteenDigits = /^97[89][0-9]{10}$/;

function checkOfTen(signs: string): number {
  return [...signs].reduce((sum, sign, place) => sum + (10 - place) * (sign === 'X' ? 10 : Number(sign)), 0);
}

function checkOfThirteen(signs: string): number {
  return [...signs].reduce((sum, sign, place) => sum + (place % 2 === 0 ? 1 : 3) * Number(sign), 0);
}
