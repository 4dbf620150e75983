import { luhnHolds } from './checksum.js';
import { allSame, compact, digitsOf } from './digits.js';

/** An IMEI: fifteen digits under Luhn, not all the same (3GPP TS 23.003, annex B). */
export function imei(hit: string): boolean {
  const digits = digitsOf(hit);
  return digits.length === 15 && !allSame(digits) && luhnHolds(digits);
}

/**
 * A vehicle identification number: seventeen characters without I, O, Q, the ninth the check of the others modulo 11,
 * ten written X (49 CFR 565.15; binding in North America and China).
 */
export function vin(hit: string): boolean {
  const text = compact(hit);
  if (!/^[0-9A-HJ-NPR-Z]{17}$/.test(text) || !/[A-Z]/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += valueInVin(text[i]) * vinWeights[i];
  return text[8] === (sum % 11 === 10 ? 'X' : String(sum % 11));
}

/** A to H count 1 to 8, J to R 1 to 9, S to Z 2 to 9. */
function valueInVin(character: string): number {
  if (character >= '0' && character <= '9') return Number(character);
  return Number('12345678_12345_7_923456789'[character.charCodeAt(0) - 65]);
}

const vinWeights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
