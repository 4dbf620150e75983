import { luhnHolds } from './checksum.js';
import { allSame, compact, digitsOf, numberAt, weightedSum } from './digits.js';

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

function receitaCheckDigit(sum: number): number {
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}
