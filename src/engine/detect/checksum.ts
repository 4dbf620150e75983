import { weightedSum } from './digits.js';

/**
 * Luhn checksum (ISO/IEC 7812-1, annex B): every second digit from the right doubled, digit sum divisible by ten.
 * Finds every change of one digit.
 */
export function luhnHolds(digits: readonly number[]): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits[digits.length - 1 - i];
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}

/**
 * ISO/IEC 7064 mod 97-10 as ISO 13616 applies it: letters count 10 to 35, the whole number leaves 1.
 * `text` holds `0-9A-Z` only; the remainder is kept small, so no big integers are needed.
 */
export function mod97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/** ISO/IEC 7064 mod 11,10 over all digits including the check digit. Finds every change of one digit. */
export function mod11And10Holds(digits: readonly number[]): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (product + (digits.at(-1) ?? 0)) % 10 === 1;
}

/**
 * Verhoeff's checksum (J. Verhoeff, *Error Detecting Decimal Codes*, 1969) over all digits including the check
 * digit. Finds every change of one digit and every swap of neighbours.
 */
export function verhoeffHolds(digits: readonly number[]): boolean {
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    check = multiplyInD5(check, verhoeffPermutations[i % 8][digits[digits.length - 1 - i]]);
  }
  return digits.length > 1 && check === 0;
}

/** True if the weighted sum of the digits is divisible by `modulus`. */
export function weightedSumHolds(digits: readonly number[], weights: readonly number[], modulus: number): boolean {
  return digits.length === weights.length && weightedSum(digits, weights) % modulus === 0;
}

/** CRC-32 (ISO 3309, reflected polynomial EDB88320) of ASCII text, unsigned. Bit by bit: hits are short. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** Product in the dihedral group of the pentagon: 0–4 rotations, 5–9 reflections. */
function multiplyInD5(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b) % 5) : (a - b + 5) % 5;
}

/** The eight powers of Verhoeff's permutation, by position from the right. */
const verhoeffPermutations: readonly (readonly number[])[] = (() => {
  const base = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
  const powers = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]];
  for (let i = 1; i < 8; i++) powers.push(powers[i - 1].map((digit) => base[digit]));
  return powers;
})();
