import { luhnHolds } from './checksum.js';
import { allSame, digitsOf, isDate, numberAt } from './digits.js';

/**
 * A Turkish identity number: eleven digits, no leading zero; the tenth is 7 × odd places − even places modulo 10, the
 * last the sum of the ten before it modulo 10 (Nüfus ve Vatandaşlık İşleri).
 */
export function tckn(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || digits[0] === 0) return false;
  const odd = digits[0] + digits[2] + digits[4] + digits[6] + digits[8];
  const even = digits[1] + digits[3] + digits[5] + digits[7];
  const tenth = (((7 * odd - even) % 10) + 10) % 10;
  return digits[9] === tenth && digits[10] === (odd + even + tenth) % 10;
}

/** An Israeli identity number of nine digits under Luhn (Population and Immigration Authority). */
export function ilId(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 9 && !allSame(digits) && luhnHolds(digits);
}

/** A South African identity number: date, citizenship 0 to 2, Luhn (Department of Home Affairs). */
export function zaId(hit: string): boolean {
  const digits = digitsOf(hit);
  return (
    digits.length === 13 &&
    isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 4, 6)) &&
    digits[10] <= 2 &&
    luhnHolds(digits)
  );
}

/** A Saudi identity or residence number: ten digits from 1 or 2 under Luhn (Ministry of Interior). */
export function saId(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 10 && (digits[0] === 1 || digits[0] === 2) && !allSame(digits) && luhnHolds(digits);
}

/** An Emirates ID: fifteen digits from 784, a year of birth, Luhn (ICP). */
export function emiratesId(hit: string): boolean {
  const digits = digitsOf(hit);
  const year = numberAt(digits, 3, 7);
  return digits.length === 15 && numberAt(digits, 0, 3) === 784 && year > 1900 && year < 2100 && luhnHolds(digits);
}

/** An Egyptian national number: century 2 or 3, date, governorate (Civil Status Organization). It has no known check. */
export function egId(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 14 || (digits[0] !== 2 && digits[0] !== 3)) return false;
  const governorate = numberAt(digits, 7, 9);
  const known = (governorate >= 1 && governorate <= 35) || governorate === 88;
  return known && isDate(2000, numberAt(digits, 3, 5), numberAt(digits, 5, 7));
}

/** A Kuwaiti civil number: century 2 or 3, date, weights 2 1 6 3 7 9 10 5 8 4 2 taken from eleven (PACI). */
export function kwCivil(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 12 || (digits[0] !== 2 && digits[0] !== 3)) return false;
  if (!isDate(2000, numberAt(digits, 3, 5), numberAt(digits, 5, 7))) return false;
  const weights = [2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, i) => total + weight * digits[i], 0);
  return digits[11] === 11 - (sum % 11);
}
