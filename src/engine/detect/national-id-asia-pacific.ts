import { verhoeffHolds, weightedSumHolds } from './checksum.js';
import { allSame, compact, digitsOf, isDate, numberAt, weightedSum } from './digits.js';

/** An Indian Aadhaar number: twelve digits, the first 2 to 9, Verhoeff (UIDAI). Finds every change of one digit. */
export function aadhaar(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 12 && digits[0] > 1 && !allSame(digits) && verhoeffHolds(digits);
}

/** An Australian tax file number of nine digits: weights 1 4 3 7 5 8 6 9 10 divisible by eleven (ATO). */
export function tfn(hit: string): boolean {
  const digits = digitsOf(hit);
  return !allSame(digits) && weightedSumHolds(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10], 11);
}

/**
 * A Chinese resident identity number (GB 11643-1999): province, date of birth from 1900, and ISO/IEC 7064
 * mod 11-2, whose check character 10 is written X. Finds every change of one digit.
 */
export function cnResident(hit: string): boolean {
  const text = compact(hit);
  if (!/^[1-8][0-9]{16}[0-9X]$/.test(text)) return false;
  const digits = Array.from(text, (character) => (character === 'X' ? 10 : Number(character)));
  const year = numberAt(digits, 6, 10);
  const date = year >= 1900 && year < 2100 && isDate(year, numberAt(digits, 10, 12), numberAt(digits, 12, 14));
  return date && weightedSum(digits, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 1;
}

/**
 * A South Korean resident or foreigner registration number: date, century and check digit (Resident Registration
 * Act). Numbers issued since October 2020 carry no check digit and are accepted only by chance.
 */
export function krRrn(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 13) return false;
  const kind = digits[6];
  const century = kind === 0 || kind === 9 ? 1800 : [3, 4, 7, 8].includes(kind) ? 2000 : 1900;
  if (!isDate(century + numberAt(digits, 0, 2), numberAt(digits, 2, 4), numberAt(digits, 4, 6))) return false;
  const remainder = weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11;
  // Registered foreigners (5 to 8) use the same sum with the check digit moved on by two.
  const shift = kind >= 5 && kind <= 8 ? 13 : 11;
  return digits[12] === (shift - remainder) % 10;
}

/** A Japanese individual number: check digit of MIC Ordinance 85 of 2014, article 5. */
export function jpMyNumber(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 12 || allSame(digits)) return false;
  const remainder = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[11] === (remainder < 2 ? 0 : 11 - remainder);
}
