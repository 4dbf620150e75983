import { mod11And10Holds, weightedSumHolds } from './checksum.js';
import { allSame, compact, digitsOf, isDate, numberAt } from './digits.js';

/** A Spanish DNI or NIE: control letter of the number modulo 23; X, Y, Z stand for 0, 1, 2 (Ministerio del Interior). */
export function dni(hit: string): boolean {
  const text = compact(hit);
  if (!/^[0-9XYZ][0-9]{7}[A-Z]$/.test(text)) return false;
  const nieDigit = 'XYZ'.indexOf(text[0]);
  const number = Number((nieDigit < 0 ? text[0] : String(nieDigit)) + text.slice(1, 8));
  return number !== 0 && 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23] === text[8];
}

/**
 * An Italian tax code of a person: shape and check letter (Decreto ministeriale 23 dicembre 1976). Digits may be
 * replaced by letters to tell namesakes apart (omocodia), which the shape allows for.
 */
export function codiceFiscale(hit: string): boolean {
  const text = compact(hit);
  if (!/^[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPR-T][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const value = Number.parseInt(text[i], 36);
    const rank = value > 9 ? value - 10 : value;
    sum += i % 2 === 0 ? taxCodeOddValues[rank] : rank;
  }
  return String.fromCharCode(65 + (sum % 26)) === text[15];
}

/** A French social security number with its key: 97 less the first thirteen modulo 97; 2A, 2B are Corsica (INSEE). */
export function nir(hit: string): boolean {
  const text = compact(hit);
  const department = { '2A': '19', '2B': '18' }[text.slice(5, 7)] ?? text.slice(5, 7);
  const digits = digitsOf(text.slice(0, 5) + department + text.slice(7));
  if (digits.length !== 15 || ![1, 2, 3, 4, 7, 8].includes(digits[0])) return false;
  return 97 - (numberAt(digits, 0, 13) % 97) === numberAt(digits, 13, 15);
}

/**
 * A German tax id: ISO/IEC 7064 mod 11,10; no leading zero; among the first ten digits exactly one is repeated,
 * twice or three times, and three are never in a row (Bundeszentralamt für Steuern).
 */
export function steuerId(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || digits[0] === 0) return false;
  const counts = new Array<number>(10).fill(0);
  for (const digit of digits.slice(0, 10)) counts[digit]++;
  const repeated = counts.filter((count) => count > 1);
  if (repeated.length !== 1 || repeated[0] > 3) return false;
  const inRow = digits.slice(0, 8).some((digit, i) => digit === digits[i + 1] && digit === digits[i + 2]);
  return !inRow && mod11And10Holds(digits);
}

/** A UK NHS number: weights 10…2, check digit 11 less the sum modulo 11; 10 is never issued (NHS Data Dictionary). */
export function nhs(hit: string): boolean {
  const digits = digitsOf(hit);
  return !allSame(digits) && weightedSumHolds(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 11);
}

/** A Dutch BSN: the eleven test with weight −1 on the last digit (Rijksdienst voor Identiteitsgegevens). Finds every change of one digit. */
export function bsn(hit: string): boolean {
  const digits = digitsOf(hit);
  return !allSame(digits) && weightedSumHolds(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1], 11);
}

/** A Polish PESEL: date with the century in the month, weights 1 3 7 9 modulo ten (Ministerstwo Cyfryzacji). */
export function pesel(hit: string): boolean {
  const digits = digitsOf(hit);
  if (!weightedSumHolds(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1], 10)) return false;
  const month = numberAt(digits, 2, 4);
  const century = [1900, 2000, 2100, 2200, 1800][Math.floor(month / 20)];
  return isDate(century + numberAt(digits, 0, 2), month % 20, numberAt(digits, 4, 6));
}

/** Value of a digit or letter at an odd (first, third, …) place of the Italian tax code. */
const taxCodeOddValues: readonly number[] = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];
