import { luhnHolds } from './checksum.js';
import { allSame, compact, digitsOf, isDate, numberAt, weightedSum } from './digits.js';

/**
 * A Swedish personal, coordination or organisation number: ten digits under Luhn, two for the century allowed before
 * them (Skatteverket). A coordination number adds 60 to the day; an organisation number has a third digit above 1.
 */
export function personnummer(hit: string): boolean {
  const digits = digitsOf(hit.replace('+', '-')).slice(-10);
  if (digits.length !== 10 || allSame(digits) || !luhnHolds(digits)) return false;
  const day = numberAt(digits, 4, 6) % 60;
  return numberAt(digits, 2, 4) >= 20 || isDate(2000, numberAt(digits, 2, 4), day);
}

/**
 * A Norwegian birth or D number: date (D numbers add 40 to the day), two check digits modulo 11
 * (Skatteetaten; weights 3 7 6 1 8 9 4 5 2 1 and 5 4 3 2 7 6 5 4 3 2 1).
 */
export function fodselsnummer(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || !isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 0, 2) % 40)) return false;
  return (
    weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

/**
 * A Danish CPR number: ten digits that begin with a date (CPR-kontoret). The old checksum modulo 11 is no longer
 * kept for every number, so it is not asked for.
 */
export function cpr(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 10 && isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 0, 2));
}

/** A Finnish personal identity code: date, century sign, and the check character of the nine digits modulo 31 (DVV). */
export function hetu(hit: string): boolean {
  const parts = /^([0-9]{6})[-+A-FU-Y]([0-9]{3})([0-9A-Y])$/.exec(hit.toUpperCase());
  if (!parts) return false;
  const digits = digitsOf(parts[1]);
  if (!isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 0, 2))) return false;
  return '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(parts[1] + parts[2]) % 31] === parts[3];
}

/** An Icelandic kennitala: date, weights 3 2 7 6 5 4 3 2 1 modulo 11 over nine digits, century 8, 9 or 0 (Þjóðskrá). */
export function kennitala(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 10 || ![0, 8, 9].includes(digits[9])) return false;
  // Companies add 40 to the day.
  const date = isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 0, 2) % 40);
  return date && weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

/** An Estonian or Lithuanian personal code: sex and century, date, two-round checksum modulo 11 (EVS 585:2007). */
export function isikukood(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || digits[0] < 1 || digits[0] > 8) return false;
  if (!isDate(2000, numberAt(digits, 3, 5), numberAt(digits, 5, 7))) return false;
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const second = weightedSum(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  return digits[10] === (first < 10 ? first : second % 10);
}

/**
 * A Latvian personal code: a date and the weights 1 6 3 7 9 10 5 8 4 2 of the register (PMLP), or the new form that
 * begins with 32 and tells no date.
 */
export function personasKods(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11) return false;
  const start = numberAt(digits, 0, 2);
  if (start < 32 && !isDate(2000, numberAt(digits, 2, 4), start)) return false;
  return start <= 39 && digits[10] === ((1101 - weightedSum(digits, [1, 6, 3, 7, 9, 10, 5, 8, 4, 2])) % 11) % 10;
}

/**
 * An Irish PPS number: check letter modulo 23; a second letter A to I counts nine times its rank, the old T and W nothing
 * (Revenue).
 */
export function pps(hit: string): boolean {
  const parts = /^([0-9]{7})([A-W])([A-ITW]?)$/.exec(compact(hit));
  if (!parts) return false;
  const rank = 'TW'.includes(parts[3]) ? 0 : parts[3].charCodeAt(0) - 64;
  const sum = weightedSum(digitsOf(parts[1]), [8, 7, 6, 5, 4, 3, 2]) + 9 * rank;
  return 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] === parts[2];
}
