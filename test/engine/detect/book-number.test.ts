import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { impossibleIsbn } from '../../../src/engine/detect/book-number.js';
import { changeOneDigit } from './digit-properties.js';

describe('impossibleIsbn', () => {
  it.each(['978-0-14-044913-6', '9780140268867', '0-306-40615-2', '0 8044 2957 x', '979-10-90636-07-1'])(
    'leaves %s, which a book can have',
    (hit) => expect(impossibleIsbn(hit)).toBe(false),
  );

  it.each([
    ['a wrong check digit', '978-0-14-044913-3'],
    ['a wrong check digit of ten', '0-306-40615-X'],
    ['no book land', '977-0-14-044913-6'],
    ['twelve digits', '978-0-14-044913'],
    ['an X in the middle', '978-9-99999-999-99-X-1'],
    ['fifteen digits', '979-8-000-00000-00000-7'],
  ])('tells a number with %s', (_, hit) => expect(impossibleIsbn(hit)).toBe(true));

  it('says nothing of what is longer than a number', () => expect(impossibleIsbn('1'.repeat(33))).toBe(false));

  it('tells every change of one digit of a number that holds', () =>
    fc.assert(
      fc.property(fc.constantFrom('9780140449136', '9780140268867', '0306406152'), changeOneDigit, (isbn, change) =>
        impossibleIsbn(change(isbn)),
      ),
    ));
});
