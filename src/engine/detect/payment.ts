import { luhnHolds, mod97, weightedSumHolds } from './checksum.js';
import { allSame, compact, digitsOf, numberAt } from './digits.js';

/** Digits, separators ignored, whose Luhn checksum (ISO/IEC 7812-1) holds and that are not all the same. */
export function luhn(hit: string): boolean {
  const digits = digitsOf(hit);
  return !allSame(digits) && luhnHolds(digits);
}

/**
 * A payment card number: Luhn, an issuer's prefix and a length that this issuer uses. Prefixes (ISO/IEC 7812
 * issuer identification numbers) as the networks publish them. Of identifiers made at random three in a hundred look like cards, so it
 * is none behind the name of an identifier, nor among many numbers of its length that are none.
 */
export function card(hit: string, text = '', start = 0): boolean {
  if (!isCard(hit)) return false;
  if (/[^0-9]/.test(hit)) return !/[0-9]{7}/.test(hit);
  return !identifierName.test(text.slice(Math.max(0, start - nameUnits), start)) && !isAmongOthers(hit, text, start);
}

const identifierName = /(?:_|\b)id(?:s|_str)?["']?\s{0,2}[:=]\s{0,2}\[?["']?$/i;
const nameUnits = 16;

function isAmongOthers(hit: string, text: string, start: number): boolean {
  const around = text.slice(Math.max(0, start - listUnits), start + hit.length + listUnits);
  const listed = around.match(new RegExp(`(?<![0-9.])[0-9]{${hit.length}}(?![0-9.])`, 'g')) ?? [];
  return listed.length > othersMin && listed.filter(isCard).length * 4 <= listed.length;
}

/** How far around a number others of its length are counted, and so many of them make a list. */
const listUnits = 600;
const othersMin = 4;

function isCard(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length < 12 || digits.length > 19 || allSame(digits) || !luhnHolds(digits)) return false;
  const prefix = numberAt(digits, 0, 6);
  return issuers.some(
    ([low, high, lengthMin, lengthMax]) =>
      prefix >= low * 10 ** (6 - width(low)) &&
      prefix < (high + 1) * 10 ** (6 - width(high)) &&
      digits.length >= lengthMin &&
      digits.length <= lengthMax,
  );
}

/** An IBAN (ISO 13616-1): known country, that country's length (SWIFT IBAN registry), mod 97 = 1. */
export function iban(hit: string): boolean {
  const text = compact(hit);
  if (!/^[A-Z]{2}[0-9]{2}[0-9A-Z]+$/.test(text)) return false;
  if (ibanLengths.get(text.slice(0, 2)) !== text.length) return false;
  return mod97(text.slice(4) + text.slice(0, 4)) === 1;
}

/** A Polish account number without its country: an IBAN of 26 digits (Narodowy Bank Polski). */
export function plNrb(hit: string): boolean {
  return iban(`PL${compact(hit)}`);
}

/**
 * A Hungarian account number (GIRO): bank and branch, and the account of 8 or 16 digits, each under the weights
 * 9 7 3 1 modulo ten.
 */
export function huAccount(hit: string): boolean {
  const digits = digitsOf(hit);
  const holds = (part: readonly number[]) =>
    weightedSumHolds(
      part,
      part.map((_, i) => [9, 7, 3, 1][i % 4]),
      10,
    );
  const [bank, account] = [digits.slice(0, 8), digits.slice(8)];
  return !allSame(bank) && (account.length === 8 || account.length === 16) && holds(bank) && holds(account);
}

/** An Argentine CBU: 8 digits of the bank under 7 1 3 9, 14 of the account under 3 9 7 1, modulo ten (BCRA, Com. A 2622). */
export function arCbu(hit: string): boolean {
  const digits = digitsOf(hit);
  return (
    digits.length === 22 &&
    !allSame(digits) &&
    weightedSumHolds(digits.slice(0, 8), [7, 1, 3, 9, 7, 1, 3, 1], 10) &&
    weightedSumHolds(digits.slice(8), [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3, 1], 10)
  );
}

/** A US bank routing number (ABA): prefix of a Federal Reserve district, weights 3 7 1 divisible by ten. */
export function usAba(hit: string): boolean {
  const digits = digitsOf(hit);
  const prefix = numberAt(digits, 0, 2);
  const district = prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;
  return district && !allSame(digits) && weightedSumHolds(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1], 10);
}

function width(prefix: number): number {
  return String(prefix).length;
}

/** First and last prefix, shortest and longest number, of each network. */
const issuers: readonly (readonly [number, number, number, number])[] = [
  [4, 4, 13, 13], // Visa, old
  [4, 4, 16, 16], // Visa
  [4, 4, 19, 19], // Visa, V PAY
  [51, 55, 16, 16], // Mastercard
  [2221, 2720, 16, 16], // Mastercard, second series
  [34, 34, 15, 15], // American Express
  [37, 37, 15, 15],
  [300, 305, 14, 19], // Diners Club
  [3095, 3095, 14, 19],
  [36, 36, 14, 19],
  [38, 39, 14, 19],
  [3528, 3589, 16, 19], // JCB
  [2131, 2131, 15, 15], // JCB, old
  [1800, 1800, 15, 15],
  [6011, 6011, 16, 19], // Discover
  [644, 649, 16, 19],
  [65, 65, 16, 19],
  [62, 62, 16, 19], // UnionPay
  [81, 82, 16, 19], // UnionPay, RuPay
  [60, 60, 16, 16], // RuPay
  [50, 50, 12, 19], // Maestro
  [56, 58, 12, 19],
  [6304, 6304, 12, 19],
  [639, 639, 12, 19],
  [67, 67, 12, 19],
  [636297, 636297, 16, 16], // Elo
  [636368, 636368, 16, 16],
  [2200, 2204, 16, 19], // Mir
  [9792, 9792, 16, 16], // Troy
];

/** Length of an IBAN by country, from the SWIFT IBAN registry. */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 ' +
    'EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IR26 IS26 IT27 JO30 ' +
    'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 ' +
    'PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 ' +
    'UA29 VA22 VG24 XK20 YE30 ' +
    // Not in the registry, but in use in the same form.
    'AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
