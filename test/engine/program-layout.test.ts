import { describe, expect, it } from 'vitest';
import { decodeModel } from '../../src/engine/learned/model.js';
import { unitTable } from '../../src/engine/learned/units.js';
import { allRoles, type Program } from '../../src/engine/program.js';
import { decodeProgram, encodeProgram, memoryFor, ProgramFormatError } from '../../src/engine/program-layout.js';
import { createScanner } from '../../src/engine/scanner.js';
import { modelOf, programWith } from './learned/model-of.js';
import { programOf } from './program-of.js';

const patterns = [{ phrase: 'two words' }, { regex: 'AKIA[0-9A-Z]{4}' }, { regex: '\\d{3}-\\d{2}' }];

function copyOf(program: Program, length = program.bytesLength): Uint8Array {
  return new Uint8Array(program.memory.buffer).slice(0, length);
}

function memoryHolding(program: Uint8Array): WebAssembly.Memory {
  const memory = memoryFor(program.length);
  new Uint8Array(memory.buffer).set(program);
  return memory;
}

describe('decodeProgram', () => {
  it('opens what encodeProgram wrote, over the same memory', () => {
    const program = programOf(patterns);
    const opened = decodeProgram(memoryHolding(copyOf(program)));
    const text = 'two words AKIA0000 123-45';
    const mask = new Uint8Array(3).fill(1);
    const matches = createScanner(opened).match(text, allRoles, mask).list;
    expect(matches).toEqual([
      { rule: 0, start: 0, end: 9 },
      { rule: 1, start: 10, end: 18 },
      { rule: 2, start: 19, end: 25 },
    ]);
    for (const { words } of opened.automata)
      expect(words.byteLength, 'the table is the memory').toBe(opened.bytesLength);
    expect(opened.automata).toHaveLength(1);
    expect(opened.hash).toBe(program.hash);
  });

  it.each([
    ['a foreign file', (bytes: Uint8Array) => bytes.set([0x7f, 0x45, 0x4c, 0x46]), /not a compiled program/],
    ['another format version', (bytes: Uint8Array) => bytes.set([99], 4), /format version 99/],
    ['a changed length', (bytes: Uint8Array) => bytes.set([0xff, 0xff, 0xff, 0x7f], 8), /length differs/],
    ['a changed checksum', (bytes: Uint8Array) => bytes.set([bytes[12] ^ 1], 12), /checksum differs/],
  ] as const)('refuses %s', (_, damage, message) => {
    const bytes = copyOf(programOf(patterns));
    damage(bytes);
    expect(() => decodeProgram(memoryHolding(bytes))).toThrowError(message);
  });

  it('keeps the texts of needles, of whatever units', () => {
    const needles = ['a b', 'ключ', '😀', '\ud83d', '忽略', 'z'];
    const program = decodeProgram(encodeProgram({ hash: '', rules: [], patterns: [], needles }));
    expect(program.needles).toEqual(needles);
    expect(program.needles, 'cut once').toBe(program.needles);
  });

  it('opens models where they lie, at multiples of 16, with one table of units', () => {
    const bytes = [modelOf({ texts: ['one'] }), modelOf({ texts: ['two words'], headCount: 3, gramBuckets: 4 })];
    const program = programWith({ a: bytes[0], b: bytes[1] });
    expect(program.models.map(({ name }) => name)).toEqual(['a', 'b']);
    program.models.forEach(({ model }, index) => {
      const { tags, entries, ...rest } = decodeModel(bytes[index]);
      expect(model).toMatchObject(rest);
      expect([...model.tags]).toEqual([...tags]);
      expect([...model.entries]).toEqual([...entries]);
      expect(model.tags.buffer).toBe(program.memory.buffer);
      expect(model.tags.byteOffset % 16).toBe(0);
      expect(model.entries.byteOffset % 16).toBe(0);
    });
    expect(program.units).toEqual(unitTable());
    expect(program.units.buffer).toBe(program.memory.buffer);
    expect(programOf(patterns)).toMatchObject({ models: [], units: new Uint32Array(0) });
  });

  it('refuses a program with a model that it cannot read', () => {
    expect(() => programWith({ a: new Uint8Array(64) })).toThrowError(ProgramFormatError);
  });

  it('refuses a flipped bit anywhere', () => {
    const original = programOf(patterns);
    const step = Math.floor(original.bytesLength / 200);
    let refused = 0;
    for (let at = 0; at < original.bytesLength; at += step) {
      const bytes = copyOf(original);
      bytes[at] ^= 0x10;
      expect(() => decodeProgram(memoryHolding(bytes)), `byte ${at}`).toThrowError(ProgramFormatError);
      refused++;
    }
    expect(refused).toBeGreaterThan(150);
  });

  it.each([0, 8, 100, 5_000])('refuses a file cut off at %i bytes', (length) => {
    expect(() => decodeProgram(memoryHolding(copyOf(programOf(patterns), length)))).toThrowError(ProgramFormatError);
  });

  it('gives equal rules equal hashes, and other rules others', () => {
    expect(programOf(patterns).hash).toBe(programOf(patterns).hash);
    expect(programOf(patterns).hash).not.toBe(programOf(patterns.slice(1)).hash);
  });
});
