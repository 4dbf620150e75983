import { luhnHolds, mod11And10Holds, weightedSumHolds } from './checksum.js';
import { allSame, compact, digitsOf, isDate, numberAt, weightedDigitSum, weightedSum } from './digits.js';

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

/**
 * A Belgian national number: date and 97 less the first nine digits modulo 97, with a 2 before them for births since
 * 2000 (Rijksregister).
 */
export function beNational(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || allSame(digits)) return false;
  const month = numberAt(digits, 2, 4) % 20;
  if (month > 12 || numberAt(digits, 4, 6) > 31) return false;
  const number = numberAt(digits, 0, 9);
  const check = numberAt(digits, 9, 11);
  return [number, number + 2_000_000_000].some((value) => 97 - (value % 97) === check);
}

/** A Swiss AHV number: thirteen digits from 756, EAN-13 check digit (Zentrale Ausgleichsstelle). */
export function ahv(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 13 || numberAt(digits, 0, 3) !== 756) return false;
  return weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** An Austrian social insurance number: weights 3 7 9 – 5 8 4 2 1 6 modulo 11, then a date (Sozialversicherung). */
export function svnr(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 10 || digits[0] === 0) return false;
  // Months 13 to 15 are given where a day's numbers have run out.
  if (numberAt(digits, 4, 6) === 0 || numberAt(digits, 4, 6) > 31) return false;
  if (numberAt(digits, 6, 8) === 0 || numberAt(digits, 6, 8) > 15) return false;
  return digits[3] === weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11;
}

/** A Portuguese NIF: weights 9 to 2 modulo 11, remainders under two giving 0 (Autoridade Tributária). */
export function nif(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 9 || digits[0] === 0 || digits[0] === 4 || allSame(digits)) return false;
  const remainder = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[8] === (remainder < 2 ? 0 : 11 - remainder);
}

/** A German VAT number: nine digits under ISO/IEC 7064 mod 11,10, with or without DE (Bundeszentralamt für Steuern). */
export function deVat(hit: string): boolean {
  const digits = digitsOf(compact(hit).replace(/^DE/, ''));
  return digits.length === 9 && digits[0] !== 0 && mod11And10Holds(digits);
}

/** An Austrian VAT number, ATU and eight digits: 6 less the digit sums of weights 1 and 2 in turn, modulo ten (BMF). */
export function atVat(hit: string): boolean {
  const digits = digitsOf(compact(hit).replace(/^ATU/, ''));
  if (digits.length !== 8 || allSame(digits)) return false;
  return digits[7] === (96 - weightedDigitSum(digits, [1, 2, 1, 2, 1, 2, 1])) % 10;
}

/** A Belgian enterprise number: 97 less the first eight digits modulo 97 (Banque-Carrefour des Entreprises). */
export function beVat(hit: string): boolean {
  const digits = digitsOf(compact(hit).replace(/^BE/, ''));
  return digits.length === 10 && digits[0] < 2 && 97 - (numberAt(digits, 0, 8) % 97) === numberAt(digits, 8, 10);
}

/** A French VAT number: the SIREN, its Luhn, and before it (12 + 3 · SIREN) modulo 97 (CGI, article 286 ter). */
export function frVat(hit: string): boolean {
  const digits = digitsOf(compact(hit).replace(/^FR/, ''));
  if (digits.length !== 11 || !siren(digits.slice(2).join(''))) return false;
  return (12 + 3 * (numberAt(digits, 2, 11) % 97)) % 97 === numberAt(digits, 0, 2);
}

/** A Luxembourg VAT number: six digits and the remainder of them by 89 (AED). */
export function luVat(hit: string): boolean {
  const digits = digitsOf(compact(hit).replace(/^LU/, ''));
  return digits.length === 8 && numberAt(digits, 0, 6) % 89 === numberAt(digits, 6, 8);
}

/** A Swiss enterprise number: weights 5 4 3 2 7 6 5 4 and the check digit modulo 11 (Bundesamt für Statistik). */
export function cheUid(hit: string): boolean {
  const digits = digitsOf(compact(hit).replace(/^CHE/, ''));
  return digits.length === 9 && !allSame(digits) && weightedSumHolds(digits, [5, 4, 3, 2, 7, 6, 5, 4, 1], 11);
}

/**
 * A German pension insurance number: area, date of birth, letter as two digits, serial; weights 2 1 2 5 7 1 2 1 2 1 2 1
 * with digit sums, modulo ten (Deutsche Rentenversicherung, VKVV § 4).
 */
export function rvnr(hit: string): boolean {
  const text = compact(hit);
  if (!/^[0-9]{8}[A-Z][0-9]{3}$/.test(text)) return false;
  const digits = digitsOf(`${text.slice(0, 8)}${String(text.charCodeAt(8) - 64).padStart(2, '0')}${text.slice(9)}`);
  const day = numberAt(digits, 2, 4);
  const month = numberAt(digits, 4, 6);
  // A day above 31 tells that no date was known, or that a day's numbers have run out.
  if (month > 12 || day > 81) return false;
  return weightedDigitSum(digits, [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]) % 10 === digits[12];
}

/** A German health insurance number: letter as two digits, then weights 1 and 2 in turn with digit sums (GKV). */
export function kvnr(hit: string): boolean {
  const text = compact(hit);
  if (!/^[A-Z][0-9]{9}$/.test(text)) return false;
  const digits = digitsOf(String(text.charCodeAt(0) - 64).padStart(2, '0') + text.slice(1));
  return digits[10] === weightedDigitSum(digits, [1, 2, 1, 2, 1, 2, 1, 2, 1, 2]) % 10;
}

/**
 * The serial number of a German identity card or passport with its check digit: letters count 10 to 35, weights
 * 7 3 1 in turn modulo 10 (ICAO Doc 9303, part 3, section 4.9).
 */
export function icaoDocument(hit: string): boolean {
  const text = compact(hit);
  if (!/^[0-9A-Z]{9}[0-9]$/.test(text) || !/[A-Z]/.test(text)) return false;
  const values = Array.from(text.slice(0, 9), (character) => Number.parseInt(character, 36));
  return Number(text[9]) === weightedSum(values, [7, 3, 1, 7, 3, 1, 7, 3, 1]) % 10;
}

/**
 * A driving licence number of Great Britain: five letters of the name, a date of birth among the next six digits
 * (month plus 50 for women), initials, check characters (DVLA).
 */
export function ukDrivingLicence(hit: string): boolean {
  const text = compact(hit);
  if (!/^[A-Z]{1,5}9{0,4}[0-9]{6}[A-Z9]{2}[0-9][A-Z]{2}$/.test(text) || text.length !== 16) return false;
  const digits = digitsOf(text.slice(5, 11));
  return digits.length === 6 && isDate(2000, numberAt(digits, 1, 3) % 50, numberAt(digits, 3, 5));
}

/** A UK unique taxpayer reference of ten digits: the first is the check of the others modulo 11 (HMRC). */
export function utr(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 10 || allSame(digits)) return false;
  return digits[0] === Number('21987654321'[weightedSum(digits, [0, 6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11]);
}

/** A French SIREN (nine digits) or SIRET (fourteen) under Luhn (INSEE). */
export function siren(hit: string): boolean {
  const digits = digitsOf(hit);
  return (digits.length === 9 || digits.length === 14) && !allSame(digits) && luhnHolds(digits);
}

/** Value of a digit or letter at an odd (first, third, …) place of the Italian tax code. */
const taxCodeOddValues: readonly number[] = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];
