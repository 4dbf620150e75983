import { luhnHolds, mod11And10Holds, weightedSumHolds } from './checksum.js';
import { allSame, digitsOf, isDate, numberAt, weightedSum } from './digits.js';

/** A Polish PESEL: date with the century in the month, weights 1 3 7 9 modulo ten (Ministerstwo Cyfryzacji). */
export function pesel(hit: string): boolean {
  const digits = digitsOf(hit);
  if (!weightedSumHolds(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1], 10)) return false;
  const month = numberAt(digits, 2, 4);
  const century = [1900, 2000, 2100, 2200, 1800][Math.floor(month / 20)];
  return isDate(century + numberAt(digits, 0, 2), month % 20, numberAt(digits, 4, 6));
}

/** A Bulgarian EGN: date (month plus 20 or 40 for other centuries), weights modulo 11 modulo 10 (GRAO). */
export function egn(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 10 || !isDate(2000, numberAt(digits, 2, 4) % 20, numberAt(digits, 4, 6))) return false;
  return digits[9] === (weightedSum(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10;
}

/** A Romanian CNP: date and the control digit of weights 2 7 9 1 4 6 3 5 8 2 7 9 modulo 11, ten counting one (MAI). */
export function cnp(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 13 || digits[0] === 0) return false;
  if (!isDate(2000, numberAt(digits, 3, 5), numberAt(digits, 5, 7))) return false;
  const remainder = weightedSum(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return digits[12] === (remainder === 10 ? 1 : remainder);
}

/**
 * A Czech or Slovak birth number of ten digits: date (month plus 50 for women, 20 or 70 where a day was full), whole
 * number divisible by eleven (zákon 133/2000 Sb.; before 1985 a remainder of ten was written as zero).
 */
export function rodneCislo(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 10) return false;
  const month = (numberAt(digits, 2, 4) % 50) % 20;
  if (!isDate(2000, month, numberAt(digits, 4, 6))) return false;
  const remainder = numberAt(digits, 0, 9) % 11;
  return digits[9] === remainder % 10;
}

/** A Croatian OIB: ISO/IEC 7064 mod 11,10 (Zakon o osobnom identifikacijskom broju). */
export function oib(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 11 && !allSame(digits) && mod11And10Holds(digits);
}

/**
 * A unique citizen number of Slovenia, Serbia, Bosnia, Montenegro or North Macedonia (EMŠO, JMBG): date and weights
 * 7 6 5 4 3 2 7 6 5 4 3 2 modulo 11 (Zakon o jedinstvenom matičnom broju građana).
 */
export function jmbg(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 13 || !isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 0, 2))) return false;
  const remainder = weightedSum(digits, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[12] === (remainder === 0 ? 0 : 11 - remainder);
}

/** A Hungarian personal tax number: begins with 8, ranks as weights modulo 11 (1996. évi XX. törvény). */
export function adoazonosito(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 10 && digits[0] === 8 && digits[9] === weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11;
}

/** A Hungarian social insurance number (TAJ): weights 3 and 7 in turn modulo 10 (1996. évi XX. törvény). */
export function taj(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 9 && !allSame(digits) && digits[8] === weightedSum(digits, [3, 7, 3, 7, 3, 7, 3, 7]) % 10;
}

/** A Greek AMKA: eleven digits that begin with a date, under Luhn (IDIKA). */
export function amka(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 11 && isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 0, 2)) && luhnHolds(digits);
}

/** A Greek tax number (AFM): powers of two as weights, modulo 11 modulo 10 (AADE). */
export function afm(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 9 || allSame(digits)) return false;
  return digits[8] === (weightedSum(digits, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10;
}

/** A Ukrainian taxpayer number (RNOKPP): weights −1 5 7 9 4 6 10 5 7 modulo 11 modulo 10 (State Tax Service). */
export function rnokpp(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 10 || allSame(digits)) return false;
  const remainder = ((weightedSum(digits, [-1, 5, 7, 9, 4, 6, 10, 5, 7]) % 11) + 11) % 11;
  return digits[9] === remainder % 10;
}

/** A Russian INN of a person (twelve digits) or of an organisation (ten): FNS order of 29.06.2012. */
export function inn(hit: string): boolean {
  const digits = digitsOf(hit);
  if (allSame(digits)) return false;
  const check = (weights: readonly number[]) => (weightedSum(digits, weights) % 11) % 10;
  if (digits.length === 10) return digits[9] === check([2, 4, 10, 3, 5, 9, 4, 6, 8]);
  return (
    digits.length === 12 &&
    digits[10] === check([7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) &&
    digits[11] === check([3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8])
  );
}

/** A Russian SNILS: weights 9 to 1, modulo 101, a hundred written 00 (Pension Fund). */
export function snils(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || allSame(digits)) return false;
  return numberAt(digits, 9, 11) === (weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100;
}

/** A Kazakh IIN: date, weights 1 to 11 modulo 11, or 3 to 11 and 1, 2 where that leaves ten (adilet.zan.kz). */
export function iin(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 12 || !isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 4, 6))) return false;
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11;
  const second = weightedSum(digits, [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]) % 11;
  return digits[11] === (first < 10 ? first : second);
}

/** A Polish tax number (NIP): weights 6 5 7 2 3 4 5 6 7 modulo 11 (Ministerstwo Finansów). */
export function nip(hit: string): boolean {
  return !allSame(digitsOf(hit)) && weightedSumHolds(digitsOf(hit), [6, 5, 7, 2, 3, 4, 5, 6, 7, -1], 11);
}
