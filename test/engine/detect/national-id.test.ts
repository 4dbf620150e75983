import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validators } from '../../../src/engine/detect/validators.js';
import { changeOneDigit, complete } from './digit-properties.js';

const cases: readonly [validator: string, hit: string, accepted: boolean][] = [
  ['us-ssn', '536-22-8714', true],
  ['us-ssn', '536228714', true],
  ['us-ssn', '000-22-8714', false],
  ['us-ssn', '666-22-8714', false],
  ['us-ssn', '900-22-8714', false],
  ['us-ssn', '536-00-8714', false],
  ['us-ssn', '536-22-0000', false],
  ['us-ssn', '078-05-1120', false],
  ['us-ssn', '536-22-871', false],
  ['cpf', '529.982.247-25', true],
  ['cpf', '52998224725', true],
  ['cpf', '529.982.247-26', false],
  ['cpf', '111.111.111-11', false],
  ['cnpj', '11.222.333/0001-81', true],
  ['cnpj', '12.ABC.345/01DE-35', true],
  ['cnpj', '11.222.333/0001-82', false],
  ['cnpj', '00.000.000/0000-00', false],
  ['sin', '130 692 544', true],
  ['sin', '130 692 545', false],
  ['sin', '046 454 286', false],
  ['dni', '12345678Z', true],
  ['dni', '12.345.678-Z', true],
  ['dni', 'x1234567l', true],
  ['dni', '12345678A', false],
  ['dni', '00000000T', false],
  ['codice-fiscale', 'RSSMRA85T10A562S', true],
  ['codice-fiscale', 'RSSMRA85T10A562T', false],
  ['codice-fiscale', 'RSSMRA85Q10A562S', false],
  ['nir', '2 69 05 49 588 157 80', true],
  ['nir', '2 69 05 49 588 157 81', false],
  ['nir', '5 69 05 49 588 157 80', false],
  ['steuer-id', '86 095 742 719', true],
  ['steuer-id', '65929970489', true],
  ['steuer-id', '86095742718', false],
  ['steuer-id', '12345678903', false],
  ['nhs', '943 476 5919', true],
  ['nhs', '943 476 5918', false],
  ['nhs', '000 000 0000', false],
  ['bsn', '111222333', true],
  ['bsn', '1112.22.333', true],
  ['bsn', '111222334', false],
  ['pesel', '44051401359', true],
  ['pesel', '02270803624', true],
  ['pesel', '44051401358', false],
  ['pesel', '44053201351', false],
  ['aadhaar', '2341 2341 2346', true],
  ['aadhaar', '2341 2341 2345', false],
  ['aadhaar', '1341 2341 2346', false],
  ['tfn', '123 456 782', true],
  ['tfn', '123 456 783', false],
  ['cn-resident', '11010519491231002X', true],
  ['cn-resident', '11010519491231002x', true],
  ['cn-resident', '110105194912310021', false],
  ['cn-resident', '11010519491331002X', false],
  ['jp-my-number', '1234 5678 9018', true],
  ['jp-my-number', '1234 5678 9019', false],
  ['kr-rrn', '900101-1234568', true],
  ['kr-rrn', '900101-1234567', false],
  ['kr-rrn', '901301-1234568', false],
];

describe('national identity validators', () => {
  it.each(cases)('%s of "%s" is %s', (validator, hit, accepted) => {
    expect(validators.get(validator)?.(hit)).toBe(accepted);
  });

  it.each([
    ['sin', 9, '5', 1],
    ['nhs', 10, '4', 1],
    ['bsn', 9, '1', 1],
    ['tfn', 9, '3', 1],
    ['aadhaar', 12, '7', 1],
    ['steuer-id', 11, '1', 1],
    ['pesel', 11, '440514', 1],
    ['cn-resident', 18, '11010519491231', 1],
    ['nir', 15, '26905', 2],
  ])('%s rejects every change of one digit', (validator, length, prefix, checkDigits) => {
    const accepts = validators.get(validator);
    if (accepts === undefined) throw new Error(`no validator ${validator}`);
    fc.assert(
      fc.property(complete(accepts, length, prefix, checkDigits), changeOneDigit, (hit, change) => {
        expect(accepts(hit)).toBe(true);
        expect(accepts(change(hit))).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('takes any text at a bounded cost', () => {
    const names = [...validators.keys()];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string({ maxLength: 200, unit: 'binary' }), (name, hit) => {
        expect(typeof validators.get(name)?.(hit)).toBe('boolean');
      }),
    );
    const long = '1'.repeat(1_000_000);
    expect(names.filter((name) => validators.get(name)?.(long))).toEqual([]);
  });
});
