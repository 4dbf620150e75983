import fc from 'fast-check';

/**
 * Random digits of that length that `accepts` takes: a random start is completed by trying check digits from
 * the end backwards (at most a hundred), so that the test needs no second implementation of the checksum.
 */
export function complete(
  accepts: (hit: string) => boolean,
  length: number,
  prefix: string,
  checkDigits = 1,
): fc.Arbitrary<string> {
  const free = length - prefix.length - checkDigits;
  return fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: free, maxLength: free })
    .map((digits) => {
      const start = prefix + digits.join('');
      const ends = Array.from({ length: 10 ** checkDigits }, (_, i) => String(i).padStart(checkDigits, '0'));
      return ends.map((end) => start + end).find((hit) => accepts(hit)) ?? '';
    })
    .filter((hit) => hit !== '');
}

/** A function that replaces one digit of a text by another digit; the same position and step for the same seed. */
export const changeOneDigit: fc.Arbitrary<(hit: string) => string> = fc
  .record({ position: fc.nat(), step: fc.integer({ min: 1, max: 9 }) })
  .map(({ position, step }) => (hit: string) => {
    const digits = [...hit.matchAll(/[0-9]/g)];
    const at = digits[position % digits.length].index;
    return hit.slice(0, at) + String((Number(hit[at]) + step) % 10) + hit.slice(at + 1);
  });
