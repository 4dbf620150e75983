import { verhoeffHolds, weightedSumHolds } from './checksum.js';
import { allSame, compact, digitsOf, isDate, numberAt, weightedSum } from './digits.js';

/** An Indian Aadhaar number: twelve digits, the first 2 to 9, Verhoeff (UIDAI). Finds every change of one digit. */
export function aadhaar(hit: string): boolean {
  const digits = digitsOf(hit.replaceAll(':', ' '));
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
  if (!beginsWithKrDate(digits)) return false;
  const kind = digits[6];
  const remainder = weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11;
  // Registered foreigners (5 to 8) use the same sum with the check digit moved on by two.
  const shift = kind >= 5 && kind <= 8 ? 13 : 11;
  return digits[12] === (shift - remainder) % 10;
}

/**
 * A South Korean registration number that need not have a check digit: foreigners' (5 to 8), and those of whoever was born since they
 * are issued without one, in October 2020. Form and date alone, so only for what is written as such a number is, with its dash.
 */
export function krRrnWithoutCheck(hit: string): boolean {
  const digits = digitsOf(hit);
  if (!beginsWithKrDate(digits)) return false;
  const kind = digits[6];
  return (kind >= 5 && kind <= 8) || ((kind === 3 || kind === 4) && numberAt(digits, 0, 4) >= 2_010);
}

/** True of thirteen digits that begin with a day of the century that the seventh tells. */
function beginsWithKrDate(digits: readonly number[]): boolean {
  const kind = digits[6];
  const century = kind === 0 || kind === 9 ? 1800 : [3, 4, 7, 8].includes(kind) ? 2000 : 1900;
  const day = () => isDate(century + numberAt(digits, 0, 2), numberAt(digits, 2, 4), numberAt(digits, 4, 6));
  return digits.length === 13 && day();
}

/** A Japanese individual number: check digit of MIC Ordinance 85 of 2014, article 5. */
export function jpMyNumber(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 12 || allSame(digits)) return false;
  const remainder = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[11] === (remainder < 2 ? 0 : 11 - remainder);
}

/** An Australian business number: eleven digits, one off the first, weights 10 1 3 … 19 modulo 89 (ABR). */
export function abn(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 11 || digits[0] === 0) return false;
  return (weightedSum(digits, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0;
}

/** An Australian company number: weights 8 to 1 modulo 10 (ASIC). */
export function acn(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 9 || allSame(digits)) return false;
  return digits[8] === (10 - (weightedSum(digits, [8, 7, 6, 5, 4, 3, 2, 1]) % 10)) % 10;
}

/** An Australian Medicare card number: first digit 2 to 6, weights 1 3 7 9 1 3 7 9 modulo 10 (Services Australia). */
export function auMedicare(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length < 10 || digits.length > 11 || digits[0] < 2 || digits[0] > 6) return false;
  return digits[8] === weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10;
}

/** A New Zealand IRD number: range, weights 3 2 7 6 5 4 3 2 modulo 11, second set where that leaves ten (Inland Revenue). */
export function nzIrd(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 8 && digits.length !== 9) return false;
  const padded = digits.length === 8 ? [0, ...digits] : digits;
  const number = numberAt(padded, 0, 9);
  if (number < 10_000_000 || number > 150_000_000) return false;
  const check = (weights: readonly number[]) => (11 - (weightedSum(padded, weights) % 11)) % 11;
  const first = check([3, 2, 7, 6, 5, 4, 3, 2]);
  return padded[8] === (first < 10 ? first : check([7, 4, 3, 2, 5, 2, 7, 6]));
}

/**
 * A Singaporean NRIC or FIN: weights 2 7 6 5 4 3 2, four more for T and G, three more for M, and the check letter of
 * the series (ICA; the letters are published widely, not by ICA itself).
 */
export function nric(hit: string): boolean {
  const parts = /^([STFGM])([0-9]{7})([A-Z])$/.exec(compact(hit));
  if (!parts) return false;
  const shift = { S: 0, F: 0, T: 4, G: 4, M: 3 }[parts[1]] ?? 0;
  const remainder = (weightedSum(digitsOf(parts[2]), [2, 7, 6, 5, 4, 3, 2]) + shift) % 11;
  if (parts[1] === 'M') return 'KLJNPQRTUWX'[10 - remainder] === parts[3];
  return ('ST'.includes(parts[1]) ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK')[remainder] === parts[3];
}

/**
 * A Singaporean entity number of a business, a company or another entity: the letter at the end is a weighted sum modulo 11 (ACRA;
 * weights and letters are published widely, not by ACRA itself).
 */
export function uen(hit: string): boolean {
  const body = hit.slice(0, -1);
  const letter = hit.at(-1);
  if (/^[0-9]{8}[A-Z]$/.test(hit)) {
    return 'XMKECAWLJDB'[weightedSum(digitsOf(body), [10, 4, 9, 3, 8, 2, 7, 1]) % 11] === letter;
  }
  if (/^(?:19|20)[0-9]{7}[A-Z]$/.test(hit)) {
    return 'ZKCMDNERGWH'[weightedSum(digitsOf(body), [10, 8, 6, 4, 9, 7, 5, 3, 1]) % 11] === letter;
  }
  if (!/^[RST][0-9]{2}[A-Z]{2}[0-9]{4}[A-Z]$/.test(hit)) return false;
  const values = Array.from(body, (character) => uenSigns.indexOf(character));
  return !values.includes(-1) && uenSigns[(weightedSum(values, [4, 3, 5, 3, 10, 2, 2, 5, 7]) + 6) % 11] === letter;
}

/** Without the letters that are taken for digits. */
const uenSigns = 'ABCDEFGHJKLMNPQRSTUVWX0123456789';

/** An Indian vehicle's registration: a state, its office, a series and a number (Central Motor Vehicles Rules, 50 and 51). No check digit. */
export function inVehicle(hit: string): boolean {
  const parts = /^([A-Z]{2})[0-9]{1,2}[A-Z]{1,3}[0-9]{4}$/.exec(hit);
  return parts !== null && indianStates.has(parts[1]);
}

const indianStates: ReadonlySet<string> = new Set(
  'AN AP AR AS BR CG CH DD DL DN GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL OD OR PB PY RJ SK TG TN TR TS UK UP WB'.split(
    ' ',
  ),
);

/** A Hong Kong identity card number: letters count 10 to 35, a missing first one 36, weights 9 to 1 modulo 11 (ImmD). */
export function hkid(hit: string): boolean {
  const parts = /^([A-Z]{1,2})([0-9]{6})([0-9A])$/.exec(compact(hit.replace(/[()]/g, '')));
  if (!parts) return false;
  const letters = Array.from(parts[1], (letter) => letter.charCodeAt(0) - 55);
  const values = [...(letters.length === 1 ? [36] : []), ...letters, ...digitsOf(parts[2])];
  const check = parts[3] === 'A' ? 10 : Number(parts[3]);
  return (weightedSum(values, [9, 8, 7, 6, 5, 4, 3, 2]) + check) % 11 === 0;
}

/** A Taiwanese identity number: region letter as two digits, weights 1 9 8 7 6 5 4 3 2 1 1 modulo 10 (MOI). */
export function twId(hit: string): boolean {
  const text = compact(hit);
  if (!/^[A-Z][1289][0-9]{8}$/.test(text)) return false;
  const region = 10 + 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(text[0]);
  const digits = [Math.floor(region / 10), region % 10, ...digitsOf(text.slice(1))];
  return weightedSum(digits, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}

/** A Thai identity number: thirteen digits, weights 13 to 2 modulo 11 modulo 10 (DOPA). */
export function thId(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 13 || digits[0] === 0 || allSame(digits)) return false;
  const sum = weightedSum(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return digits[12] === (11 - (sum % 11)) % 10;
}

/** A Malaysian MyKad number: date and place of birth code (Jabatan Pendaftaran Negara); it has no check digit. */
export function myKad(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 12 || !isDate(2000, numberAt(digits, 2, 4), numberAt(digits, 4, 6))) return false;
  const place = numberAt(digits, 6, 8);
  return place !== 0 && ![17, 18, 19, 20, 69, 70, 73, 80, 81, 94, 95, 96, 97].includes(place);
}

/** An Indonesian NIK: province from 11, date with 40 added to the day for women, serial (Dukcapil); no check digit. */
export function nik(hit: string): boolean {
  const digits = digitsOf(hit);
  if (digits.length !== 16 || numberAt(digits, 0, 2) < 11 || numberAt(digits, 12, 16) === 0) return false;
  return isDate(2000, numberAt(digits, 8, 10), numberAt(digits, 6, 8) % 40);
}

/** An Indian GSTIN: state, PAN, and the check character of ranks in base 36 weighted 1 and 2 in turn (GSTN). */
export function gstin(hit: string): boolean {
  const text = compact(hit);
  if (!/^[0-3][0-9][A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const product = Number.parseInt(text[i], 36) * (i % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return Number.parseInt(text[14], 36) === (36 - (sum % 36)) % 36;
}
