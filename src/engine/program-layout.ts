import { crc32 } from 'node:zlib';
import type { Automaton } from './automaton/automaton.js';
import { relocate } from './automaton/build.js';
import { pageBytes } from './automaton/kernel.js';
import type { Detector, NeedleUse, Program, ProgramPattern, ProgramRule } from './program.js';

/**
 * The bytes of a program, little-endian:
 *
 *     0  magic "MRLN"        4  format version        8  total length       12  CRC-32 of everything from 16 on
 *    16  offset and length of each section, in the order of `sectionNames`; then the sections, each at a multiple of 8
 *
 * The first section is JSON (UTF-8): rules, patterns, needles and the automaton's numbers. The others are the
 * automaton's arrays. Addresses in them count from byte 0, so a program always lies at the start of its memory.
 * What follows it in the memory is scratch of the threads that search with it.
 */
const magic = 0x4e4c524d;
const formatVersion = 4;
const sectionNames = ['meta', 'classes', 'lengths', 'words'] as const;
const headerBytes = 16 + sectionNames.length * 8;

interface Meta {
  readonly hash: string;
  readonly rules: readonly ProgramRule[];
  readonly patterns: readonly ProgramPattern[];
  readonly needles: readonly string[];
  readonly automaton: Pick<Automaton, 'classCount' | 'stateCount' | 'rowCount' | 'needleCount' | 'spaceClass'>;
}

/** The bytes are not a program that this version wrote: foreign, damaged, or of another format version. */
export class ProgramFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramFormatError';
  }
}

/** Room for the scratch of all threads, in pages; a thread takes its share by growing the memory. */
const scratchPagesMax = 4_096;

/** Lays a compiled ruleset out in shared memory. The result is never written again. */
export function encodeProgram(
  parts: Pick<Program, 'hash' | 'rules' | 'patterns' | 'needles' | 'automaton'>,
): WebAssembly.Memory {
  const { classCount, stateCount, rowCount, needleCount, spaceClass } = parts.automaton;
  const meta: Meta = {
    hash: parts.hash,
    rules: parts.rules,
    patterns: parts.patterns,
    needles: parts.needles,
    automaton: { classCount, stateCount, rowCount, needleCount, spaceClass },
  };
  const sections = sectionNames.map((name) =>
    name === 'meta' ? new TextEncoder().encode(JSON.stringify(meta)) : bytesOf(parts.automaton[name]),
  );
  const offsets: number[] = [];
  let total = headerBytes;
  for (const section of sections) {
    offsets.push(align(total));
    total = align(total) + section.length;
  }
  // The table's states name each other by address, which is known only now; it is the last section.
  sections[sections.length - 1] = bytesOf(relocate(parts.automaton, offsets[offsets.length - 1]));

  const memory = allocate(align(total));
  const bytes = new Uint8Array(memory.buffer);
  const header = new DataView(memory.buffer);
  header.setUint32(0, magic, true);
  header.setUint32(4, formatVersion, true);
  header.setUint32(8, align(total), true);
  sections.forEach((section, index) => {
    header.setUint32(16 + index * 8, offsets[index], true);
    header.setUint32(20 + index * 8, section.length, true);
    bytes.set(section, offsets[index]);
  });
  header.setUint32(12, checksum(bytes, align(total)), true);
  return memory;
}

/** Shared memory that holds a copy of a program's bytes, as read from a file. */
export function memoryOf(bytes: Uint8Array): WebAssembly.Memory {
  const memory = allocate(Math.max(bytes.length, headerBytes));
  new Uint8Array(memory.buffer).set(bytes);
  return memory;
}

/** Opens the program at the start of a memory without copying its tables. Throws `ProgramFormatError`. */
export function decodeProgram(memory: WebAssembly.Memory): Program {
  const shared = memory.buffer;
  const header = new DataView(shared);
  if (header.getUint32(0, true) !== magic) throw new ProgramFormatError('not a compiled program');
  const version = header.getUint32(4, true);
  if (version !== formatVersion) throw new ProgramFormatError(`format version ${version}, expected ${formatVersion}`);
  const total = header.getUint32(8, true);
  if (total < headerBytes || total > shared.byteLength) throw new ProgramFormatError('length differs: cut off?');
  const bytes = new Uint8Array(shared);
  if (header.getUint32(12, true) !== checksum(bytes, total)) throw new ProgramFormatError('checksum differs: damaged');

  const section = (name: (typeof sectionNames)[number]): [offset: number, length: number] => {
    const at = 16 + sectionNames.indexOf(name) * 8;
    return [header.getUint32(at, true), header.getUint32(at + 4, true)];
  };
  const [metaAt, metaLength] = section('meta');
  const meta = JSON.parse(new TextDecoder().decode(bytes.slice(metaAt, metaAt + metaLength))) as Meta;
  const [classesAt, classesLength] = section('classes');
  const [lengthsAt, lengthsLength] = section('lengths');
  const [root] = section('words');
  return {
    memory,
    bytesLength: total,
    hash: meta.hash,
    rules: meta.rules,
    patterns: meta.patterns,
    detectors: detectorsOf(meta.rules),
    needles: meta.needles,
    usesOfNeedle: usesOf(meta.patterns, meta.needles.length),
    automaton: {
      ...meta.automaton,
      root,
      classes: new Uint16Array(shared, classesAt, classesLength / 2),
      lengths: new Int32Array(shared, lengthsAt, lengthsLength / 4),
      // States are addresses in the whole memory.
      words: new Int32Array(shared, 0, total >> 2),
    },
  };
}

function allocate(byteLength: number): WebAssembly.Memory {
  const pages = Math.ceil(byteLength / pageBytes);
  return new WebAssembly.Memory({ initial: pages, maximum: pages + scratchPagesMax, shared: true });
}

function detectorsOf(rules: readonly ProgramRule[]): readonly Detector[] {
  const byId = new Map<string, Detector>();
  for (const { policy, label } of rules) byId.set(`${policy}:${label}`, { policy, label });
  return [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, detector]) => detector);
}

function usesOf(patterns: readonly ProgramPattern[], needleCount: number): readonly (readonly NeedleUse[])[] {
  const uses: NeedleUse[][] = Array.from({ length: needleCount }, () => []);
  patterns.forEach(({ gates }, pattern) => {
    gates.forEach((needles, gate) => {
      for (const { needle, borders } of needles) uses[needle].push({ pattern, gate, borders });
    });
  });
  return uses;
}

function bytesOf(array: Uint16Array | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function checksum(bytes: Uint8Array, total: number): number {
  return crc32(bytes.subarray(16, total));
}

function align(offset: number): number {
  return (offset + 7) & ~7;
}
