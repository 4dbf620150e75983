import { luhnHolds } from './checksum.js';
import { allSame, compact, digitsOf, isDate, numberAt, weightedSum } from './digits.js';

/**
 * A US social security number whose area, group and serial the SSA can have issued
 * (https://www.ssa.gov/employer/randomization.html): area not 000, 666 or 900 and above; group not 00; serial
 * not 0000. The two numbers that were printed on sample cards are refused.
 */
export function usSsn(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 9) return false;
  const area = numberAt(digits, 0, 3);
  const possible = area !== 0 && area !== 666 && area < 900 && numberAt(digits, 3, 5) !== 0;
  return possible && numberAt(digits, 5, 9) !== 0 && !['078051120', '219099999'].includes(digits.join(''));
}

/**
 * A registration number of the US Drug Enforcement Administration: two letters (or a letter and 9), then the sum of the
 * first, third and fifth digit and twice that of the others, modulo ten, is the seventh.
 */
export function dea(hit: string): boolean {
  const text = compact(hit);
  if (!/^[A-HJ-NP-UX][A-Z9][0-9]{7}$/.test(text)) return false;
  const digits = digitsOf(text.slice(2));
  return !allSame(digits) && weightedSum(digits, [1, 2, 1, 2, 1, 2]) % 10 === digits[6];
}

/** A Canadian social insurance number: Luhn; no number starts with 0 or 8 (Employment and Social Development Canada). */
export function sin(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 9 && digits[0] !== 0 && digits[0] !== 8 && !allSame(digits) && luhnHolds(digits);
}

/** A Brazilian CPF: two check digits, weights 10…2 and 11…2 modulo 11 (Receita Federal). */
export function cpf(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || allSame(digits)) return false;
  return [9, 10].every((at) => {
    const weights = Array.from({ length: at }, (_, i) => at + 1 - i);
    return digits[at] === receitaCheckDigit(weightedSum(digits, weights));
  });
}

/**
 * A Brazilian CNPJ: two check digits, weights 2…9 from the right modulo 11. Letters count as their ASCII code
 * less 48, which covers the alphanumeric numbers of Instrução Normativa RFB 2.229/2024.
 */
export function cnpj(hit: string): boolean {
  const text = compact(hit);
  if (!/^[0-9A-Z]{12}[0-9]{2}$/.test(text)) return false;
  const values = Array.from(text, (character) => character.charCodeAt(0) - 48);
  if (allSame(values)) return false;
  return [12, 13].every((at) => {
    const weights = Array.from({ length: at }, (_, i) => 2 + ((at - 1 - i) % 8));
    return values[at] === receitaCheckDigit(weightedSum(values, weights));
  });
}

/**
 * A Mexican CURP: shape, date, state, and the check digit of 37-letter ranks weighted 18 down to 2 modulo 10
 * (RENAPO, *Instructivo normativo*, 2021).
 */
export function curp(hit: string): boolean {
  const text = hit.toUpperCase();
  const shape = /^[A-Z][AEIOUX][A-Z]{2}([0-9]{6})[HMX][A-Z]{2}[B-DF-HJ-NP-TV-ZX]{3}[0-9A-Z][0-9]$/.exec(text);
  if (!shape) return false;
  const date = digitsOf(shape[1]);
  if (!isDate(2000, numberAt(date, 2, 4), numberAt(date, 4, 6))) return false;
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += curpAlphabet.indexOf(text[i]) * (18 - i);
  return Number(text[17]) === (10 - (sum % 10)) % 10;
}

/** An Argentine CUIT or CUIL: weights 5 4 3 2 7 6 5 4 3 2 modulo 11, a known prefix (AFIP). */
export function cuit(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || ![20, 23, 24, 25, 26, 27, 30, 33, 34].includes(numberAt(digits, 0, 2))) return false;
  const check = 11 - (weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return digits[10] === (check === 11 ? 0 : check === 10 ? 9 : check);
}

/** A Chilean RUT or RUN: weights 2 to 7 from the right modulo 11, ten written K (Servicio de Impuestos Internos). */
export function rut(hit: string): boolean {
  const parts = /^([0-9]{7,8})([0-9K])$/.exec(compact(hit));
  if (!parts) return false;
  const digits = [...digitsOf(parts[1])].reverse();
  const check = 11 - (weightedSum(digits, [2, 3, 4, 5, 6, 7, 2, 3]) % 11);
  return parts[2] === (check === 11 ? '0' : check === 10 ? 'K' : String(check)) && !allSame(digits);
}

/** A Colombian NIT with its check digit: prime weights from the right modulo 11 (DIAN, Orden Administrativa 4 of 1989). */
export function nit(hit: string): boolean {
  const digits = [...digitsOf(hit)].reverse();
  if (digits.length < 9 || digits.length > 11 || allSame(digits)) return false;
  const remainder = weightedSum(digits.slice(1), [3, 7, 13, 17, 19, 23, 29, 37, 41, 43]) % 11;
  return digits[0] === (remainder < 2 ? remainder : 11 - remainder);
}

/** An Ecuadorian cédula: province, Luhn over ten digits (Registro Civil). */
export function ecCedula(hit: string): boolean {
  const digits = digitsOf(hit);
  const province = numberAt(digits, 0, 2);
  const known = (province >= 1 && province <= 24) || province === 30;
  return digits.length === 10 && known && digits[2] < 6 && luhnHolds(digits);
}

/** A Dominican cédula of eleven digits under Luhn (Junta Central Electoral). */
export function doCedula(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 11 && !allSame(digits) && luhnHolds(digits);
}

/** A Peruvian RUC: known prefix, weights 5 4 3 2 7 6 5 4 3 2 modulo 11 (SUNAT). */
export function ruc(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || ![10, 15, 16, 17, 20].includes(numberAt(digits, 0, 2))) return false;
  return digits[10] === (11 - (weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 10;
}

/** A Uruguayan identity card number: weights 2 9 8 7 6 3 4 modulo 10 (Dirección Nacional de Identificación Civil). */
export function uyCedula(hit: string): boolean {
  const digits = digitsOf(hit);
  const padded = digits.length === 7 ? [0, ...digits] : digits;
  if (padded.length !== 8 || allSame(digits)) return false;
  return padded[7] === (10 - (weightedSum(padded, [2, 9, 8, 7, 6, 3, 4]) % 10)) % 10;
}

/** A US national provider identifier: ten digits, Luhn with 80840 before them (45 CFR 162.406, CMS). */
export function npi(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 10 && (digits[0] === 1 || digits[0] === 2) && luhnHolds([8, 0, 8, 4, 0, ...digits]);
}

/** A US Medicare beneficiary identifier: its eleven places and the letters it leaves out (CMS, *Understanding the MBI*). */
export function mbi(hit: string): boolean {
  const letter = '[AC-HJKMNP-RT-Y]';
  const either = '[0-9AC-HJKMNP-RT-Y]';
  const shape = new RegExp(`^[1-9]${letter}${either}[0-9]${letter}${either}[0-9]${letter}{2}[0-9]{2}$`);
  return shape.test(compact(hit));
}

const curpAlphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

function receitaCheckDigit(sum: number): number {
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}
