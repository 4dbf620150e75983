import { describe, expect, it } from 'vitest';
import { allRoles } from '../../src/engine/program.js';
import { decodeProgram, ProgramFormatError } from '../../src/engine/program-layout.js';
import { createScanner } from '../../src/engine/scanner.js';
import { programOf } from './program-of.js';

const patterns = [{ phrase: 'two words' }, { regex: 'AKIA[0-9A-Z]{4}' }, { regex: '\\d{3}-\\d{2}' }];

function copyOf(
  shared: SharedArrayBuffer,
  length = shared.byteLength,
): { shared: SharedArrayBuffer; bytes: Uint8Array } {
  const copy = new SharedArrayBuffer(length);
  const bytes = new Uint8Array(copy);
  bytes.set(new Uint8Array(shared).subarray(0, length));
  return { shared: copy, bytes };
}

describe('decodeProgram', () => {
  it('opens what encodeProgram wrote, over the same memory', () => {
    const program = programOf(patterns);
    const opened = decodeProgram(copyOf(program.bytes).shared);
    const text = 'two words AKIA0000 123-45';
    const mask = new Uint8Array(3).fill(1);
    const matches = createScanner(opened).match(text, allRoles, mask).list;
    expect(matches).toEqual([
      { rule: 0, start: 0, end: 9 },
      { rule: 1, start: 10, end: 18 },
      { rule: 2, start: 19, end: 25 },
    ]);
    expect(opened.automaton.table.buffer).toBe(opened.bytes);
    expect(opened.hash).toBe(program.hash);
  });

  it.each([
    ['a foreign file', (bytes: Uint8Array) => bytes.set([0x7f, 0x45, 0x4c, 0x46]), /not a compiled program/],
    ['another format version', (bytes: Uint8Array) => bytes.set([99], 4), /format version 99/],
    ['a changed length', (bytes: Uint8Array) => bytes.set([bytes[8] ^ 1], 8), /length differs/],
    ['a changed checksum', (bytes: Uint8Array) => bytes.set([bytes[12] ^ 1], 12), /checksum differs/],
  ] as const)('refuses %s', (_, damage, message) => {
    const { shared, bytes } = copyOf(programOf(patterns).bytes);
    damage(bytes);
    expect(() => decodeProgram(shared)).toThrowError(message);
  });

  it('refuses a flipped bit anywhere', () => {
    const original = programOf(patterns).bytes;
    const step = Math.floor(original.byteLength / 200);
    let refused = 0;
    for (let at = 0; at < original.byteLength; at += step) {
      const { shared, bytes } = copyOf(original);
      bytes[at] ^= 0x10;
      expect(() => decodeProgram(shared), `byte ${at}`).toThrowError(ProgramFormatError);
      refused++;
    }
    expect(refused).toBeGreaterThan(150);
  });

  it.each([0, 8, 100, 5_000])('refuses a file cut off at %i bytes', (length) => {
    expect(() => decodeProgram(copyOf(programOf(patterns).bytes, length).shared)).toThrowError(ProgramFormatError);
  });

  it('gives equal rules equal hashes, and other rules others', () => {
    expect(programOf(patterns).hash).toBe(programOf(patterns).hash);
    expect(programOf(patterns).hash).not.toBe(programOf(patterns.slice(1)).hash);
  });
});
