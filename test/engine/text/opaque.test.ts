import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInOpaque, opaqueParts } from '../../../src/engine/text/opaque.js';
import { noise, shownWithout } from './noise.js';

const bytes = noise(64);
const rows = [...Array(20).keys()];
const offset = (row: number, base = 16) => (row * 16).toString(base);
const numbers = (row: number, size: number) =>
  Buffer.concat([bytes.subarray(row), bytes])
    .subarray(0, 16)
    .toString('hex')
    .replace(new RegExp(`.{${size}}(?=.)`, 'g'), '$& ');
const octal = (row: number) => {
  const shown = [...bytes.subarray(row, row + 16)].map((byte) =>
    byte > 32 && byte < 127 ? `  ${String.fromCharCode(byte)}` : byte.toString(8).padStart(3, '0'),
  );
  return `${offset(row, 8).padStart(7, '0')} ${shown.join(' ')}`;
};
/** Lines of offset and numbers, and what each has behind them. */
const dumps: readonly (readonly [string, (row: number) => string, string])[] = [
  ['xxd', (row) => `${offset(row).padStart(8, '0')}: ${numbers(row, 4)}`, '  ..f..Z{.!.kk..0.'],
  ['hexdump -C', (row) => `${offset(row).padStart(8, '0')}  ${numbers(row, 2)}`, '  |..f..Z{.!.kk..0.|'],
  ['words in memory', (row) => `  0x7fffe${offset(row).padStart(4, '0')}: ${numbers(row, 8)}`, ''],
  ['od -c', octal, ''],
];
const dumpOf = ([, line, shown]: (typeof dumps)[number]) => rows.map((row) => line(row) + shown).join('\n');
const prose = 'The ferry leaves the harbour at nine, and the crew counts the lifeboats before every crossing.';
const run = noise(rows.length * 64).toString('base64url');

const left = (text: string) => shownWithout(text, opaqueParts(text));

describe('opaqueParts', () => {
  it.each(dumps)('takes out the numbers that %s writes, and leaves what they print', (...dump) => {
    const shown = rows.map(() => `|${dump[2]}`).join('\n');
    expect(left(dumpOf(dump))).toBe(shown);
    expect(left(`${prose}\n${dumpOf(dump)}\n${prose}`)).toBe(`${prose}\n${shown}\n${prose}`);
  });

  it('takes out dumps and runs in the order in which they stand', () => {
    const dump = dumpOf(dumps[2]);
    const shown = rows.map(() => '|').join('\n');
    expect(left(`${prose}\n${dump}\n${run}\n${prose}\n${dump}`)).toBe(`${prose}\n${shown}\n|\n${prose}\n${shown}`);
  });

  it.each([
    ['a table of numbers', rows.map((row) => `${1000 + row} 12 34 56 78 90 11`).join('\n')],
    ['measures with names', rows.map((row) => `${1000 + row} 12.5 34.1 56 fed bee 90`).join('\n')],
    ['one line of a dump', `${prose}\n00000010: a548 6abc d40e 3a4e 1719\n${prose}`],
    ['lines of addresses', rows.map((row) => `10.0.0.${row} dead beef cafe`).join('\n')],
    ['letters with spaces', rows.map((row) => `000000${row % 8} i g n o r e   a l l   r u l e s 133`).join('\n')],
    ['groups of digits in prose', rows.map((row) => `${row}000 4539 1488 0343 6467`).join('\n')],
  ])('leaves %s', (_, text) => {
    expect(left(text)).toBe(text);
  });
});

describe('parts of any text', () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', '\r\n', '\\n', ' ', '"', '\\', 'The ferry ', 'Theferry1234567890123456789 ', prose),
    fc.integer({ min: 0, max: 900 }).map((units) => run.slice(units, units + 300)),
    fc.integer({ min: 0, max: 900 }).map((units) => run.slice(units, units + 76)),
    fc.constantFrom(...dumps).map(dumpOf),
  );

  it('ascend and are disjoint', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const parts = opaqueParts(text);
        const bounds = [0, ...parts, text.length];
        for (let i = 1; i < bounds.length; i++) expect(bounds[i]).toBeGreaterThanOrEqual(bounds[i - 1]);
        for (let i = 0; i < parts.length; i += 2) expect(parts[i + 1]).toBeGreaterThan(parts[i]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('isInOpaque', () => {
  it.each([
    [
      'in a line of a dump',
      '00000000: 0000 6275 6666 6572 2073 616d 706c 65fa  ..buffer sample.',
      '6275 6666 6572 2073',
      true,
    ],
    ['behind the numbers of a dump', '00000000: 0000 6275 66fa 6572  card 4539 1488', '4539 1488', false],
    ['in a run', `key ${run}`, run.slice(500, 540), true],
    ['beside numbers', 'on 2024 0312 4539 1488 0343 6467 was charged', '4539 1488 0343 6467', false],
    ['over the end of a line', 'pay 4539 1488\n00000010: 0343 6467 d40e 3a4e 1719', '1488\n00000010', false],
  ])('%s', (_, text, hit, expected) => {
    const start = text.indexOf(hit);
    expect(isInOpaque(text, start, start + hit.length)).toBe(expected);
  });
});
