import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validators } from '../../../src/engine/detect/validators.js';
import { changeOneDigit, complete } from './digit-properties.js';

const cases: readonly [validator: string, hit: string, accepted: boolean][] = [
  ['luhn', '7992739871 3', true],
  ['luhn', '79927398710', false],
  ['luhn', '0000-0000-0000', false],
  ['luhn', '', false],
  ['luhn', '18 x', false],
  ['card', '4539 1488 0343 6467', true],
  ['card', '4539-1488-0343-6468', false],
  ['card', '5555555555554444', true],
  ['card', '2223003122003222', true],
  ['card', '378282246310005', true],
  ['card', '3782 822463 10005', true],
  ['card', '6011111111111117', true],
  ['card', '3530111333300000', true],
  ['card', '30569309025904', true],
  ['card', '6200000000000005', true],
  // Two numbers beside each other.
  ['card', '453914880 3436467', false],
  // Luhn holds, but no network issues the prefix or the length.
  ['card', '1234567890123452', false],
  ['card', '453914880343646', false],
  ['card', '9999999999999995', false],
  ['iban', 'GB82 WEST 1234 5698 7654 32', true],
  ['iban', 'gb82west12345698765432', true],
  ['iban', 'DE89370400440532013000', true],
  ['iban', 'FR14 2004 1010 0505 0001 3M02 606', true],
  ['iban', 'NO93 8601 1117 947', true],
  ['iban', 'MT84 MALT 0110 0001 2345 MTLC AST0 01S', true],
  ['iban', 'DE88370400440532013000', false],
  ['iban', 'DE8937040044053201300', false],
  ['iban', 'ZZ89370400440532013000', false],
  ['iban', 'DE89', false],
  ['pl-nrb', '27 1140 2004 0000 3002 0135 5387', true],
  ['pl-nrb', '28 1140 2004 0000 3002 0135 5387', false],
  ['hu-account', '11773016-62055881-39407714', true],
  ['hu-account', '11773016-48201175', true],
  ['hu-account', '11773016-62055881-39407715', false],
  ['hu-account', '11773017-48201175', false],
  ['hu-account', '00000000-00000000', false],
  ['ar-cbu', '0170099240000123450982', true],
  ['ar-cbu', '0170099340000123450982', false],
  ['ar-cbu', '0170099240000123450983', false],
  ['us-aba', '111000025', true],
  ['us-aba', '021000021', true],
  ['us-aba', '0210-0002-1', true],
  ['us-aba', '021000022', false],
  ['us-aba', '991000029', false],
  ['us-aba', '000000000', false],
];

describe('payment validators', () => {
  it.each(cases)('%s of "%s" is %s', (validator, hit, accepted) => {
    expect(validators.get(validator)?.(hit)).toBe(accepted);
  });

  it.each([
    ['luhn', 16, ''],
    ['card', 16, '4'],
    ['us-aba', 9, '02'],
  ])('%s rejects every change of one digit', (validator, length, prefix) => {
    const accepts = validators.get(validator);
    if (accepts === undefined) throw new Error(`no validator ${validator}`);
    fc.assert(
      fc.property(complete(accepts, length, prefix), changeOneDigit, (hit, change) => {
        expect(accepts(hit)).toBe(true);
        expect(accepts(change(hit))).toBe(false);
      }),
    );
  });

  it.each([
    ['"author_id": "30569309025904"', '30569309025904', false],
    ['id=30569309025904', '30569309025904', false],
    ['"paid": "30569309025904"', '30569309025904', true],
    ['{"id": 4, "card": "30569309025904"}', '30569309025904', true],
    ['id: 3056 930902 5904', '3056 930902 5904', true],
  ])('card in %j: %s is %s', (text, hit, accepted) => {
    expect(validators.get('card')?.(hit, text, text.indexOf(hit))).toBe(accepted);
  });

  it('card takes no number of a list of which few look like cards', () => {
    const card = '4539148803436467';
    const others = ['8123409871234981', '3312349871234981', '9123409871234907', '7723409871234112', '6923409871234113'];
    const accepts = (numbers: readonly string[]) => {
      const text = numbers.join('\n');
      return validators.get('card')?.(card, text, text.indexOf(card));
    };
    expect(accepts([...others, card])).toBe(false);
    expect(accepts([card, ...others.slice(0, 3)])).toBe(true);
    expect(accepts([card, '5555555555554444', ...others])).toBe(true);
    expect(accepts([card, ...others.map((number) => number.slice(0, 10))])).toBe(true);
    expect(accepts([card, 'x'.repeat(700), ...others])).toBe(true);
  });

  it('iban rejects every change of one digit after the country', () => {
    const accepts = validators.get('iban');
    if (accepts === undefined) throw new Error('no validator iban');
    const account = fc.stringMatching(/^[0-9]{18}$/);
    fc.assert(
      fc.property(account, changeOneDigit, (digits, change) => {
        const keys = Array.from({ length: 97 }, (_, i) => String(i + 2).padStart(2, '0'));
        const valid = keys.map((key) => key + digits).filter((rest) => accepts(`DE${rest}`));
        expect(valid).toHaveLength(1);
        expect(accepts(`DE${change(valid[0])}`)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});
