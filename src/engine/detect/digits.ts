/** Longest hit that a validator of digits looks at, in UTF-16 units; anything longer is refused unread. */
const hitUnitsMax = 64;

/**
 * The digits of a number as people write it: white space, `-`, `.` and `/` between digits are dropped.
 * Anything else, or more than 64 units, gives the empty list, which no checksum accepts.
 */
export function digitsOf(hit: string): readonly number[] {
  if (hit.length > hitUnitsMax) return [];
  const digits: number[] = [];
  for (const character of hit) {
    if (character >= '0' && character <= '9') digits.push(character.charCodeAt(0) - 48);
    else if (!isSeparator(character)) return [];
  }
  return digits;
}

/** The hit in upper case without separators, or the empty string if it is longer than 64 units. */
export function compact(hit: string): string {
  if (hit.length > hitUnitsMax) return '';
  return [...hit.toUpperCase()].filter((character) => !isSeparator(character)).join('');
}

/** Sum of digit times weight; digits beyond the weights are left out. */
export function weightedSum(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * (digits[i] ?? 0), 0);
}

/** The same of the digit sums of the products, as the Luhn checksum adds them. */
export function weightedDigitSum(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => {
    const product = weight * digits[i];
    return sum + Math.floor(product / 10) + (product % 10);
  }, 0);
}

/** The number that digits `[start, end)` spell in base ten. */
export function numberAt(digits: readonly number[], start: number, end: number): number {
  return digits.slice(start, end).reduce((value, digit) => value * 10 + digit, 0);
}

/** True if every digit is the same: dummies such as 000-000-000 satisfy many checksums. */
export function allSame(digits: readonly number[]): boolean {
  return digits.every((digit) => digit === digits[0]);
}

/** True if the calendar (proleptic Gregorian) has that day. */
export function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= lengths[month - 1];
}

function isSeparator(character: string): boolean {
  return ' -./\t\n\r\u00a0\u2010\u2011\u2013\u202f'.includes(character);
}
