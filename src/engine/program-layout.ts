import { crc32 } from 'node:zlib';
import type { Automaton } from './automaton/automaton.js';
import type { Detector, Program, ProgramPattern, ProgramRule } from './program.js';

/**
 * The bytes of a program, little-endian:
 *
 *     0  magic "MRLN"        4  format version        8  total length       12  CRC-32 of everything from 16 on
 *    16  offset and length of each section, in the order of `sectionNames`; then the sections, each at a multiple of 8
 *
 * The first section is JSON (UTF-8): rules, patterns, needles and the automaton's numbers. The others are the
 * automaton's arrays.
 */
const magic = 0x4e4c524d;
const formatVersion = 1;
const sectionNames = ['meta', 'classes', 'table', 'edges', 'fail', 'rootRow', 'needleOf', 'suffixHit'] as const;
const headerBytes = 16 + sectionNames.length * 8;

type ArrayName = Exclude<(typeof sectionNames)[number], 'meta'>;

interface Meta {
  readonly hash: string;
  readonly rules: readonly ProgramRule[];
  readonly patterns: readonly ProgramPattern[];
  readonly needles: readonly string[];
  readonly automaton: Pick<Automaton, 'kind' | 'classCount' | 'stateCount' | 'needleCount' | 'spaceClass'>;
}

/** The bytes are not a program that this version wrote: foreign, damaged, or of another format version. */
export class ProgramFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramFormatError';
  }
}

/** Lays a compiled ruleset out in shared memory. The result is never written again. */
export function encodeProgram(
  parts: Pick<Program, 'hash' | 'rules' | 'patterns' | 'needles' | 'automaton'>,
): SharedArrayBuffer {
  const { kind, classCount, stateCount, needleCount, spaceClass } = parts.automaton;
  const meta: Meta = {
    hash: parts.hash,
    rules: parts.rules,
    patterns: parts.patterns,
    needles: parts.needles,
    automaton: { kind, classCount, stateCount, needleCount, spaceClass },
  };
  const sections = sectionNames.map((name) =>
    name === 'meta' ? new TextEncoder().encode(JSON.stringify(meta)) : bytesOf(parts.automaton[name]),
  );
  const total = sections.reduce((end, section) => align(end) + section.length, headerBytes);
  const shared = new SharedArrayBuffer(align(total));
  const bytes = new Uint8Array(shared);
  const header = new DataView(shared);
  header.setUint32(0, magic, true);
  header.setUint32(4, formatVersion, true);
  header.setUint32(8, shared.byteLength, true);
  let at = headerBytes;
  sections.forEach((section, index) => {
    at = align(at);
    header.setUint32(16 + index * 8, at, true);
    header.setUint32(20 + index * 8, section.length, true);
    bytes.set(section, at);
    at += section.length;
  });
  header.setUint32(12, checksum(bytes), true);
  return shared;
}

/** Opens a program over the given memory without copying its tables. Throws `ProgramFormatError`. */
export function decodeProgram(shared: SharedArrayBuffer): Program {
  const header = new DataView(shared);
  if (shared.byteLength < headerBytes || header.getUint32(0, true) !== magic) {
    throw new ProgramFormatError('not a compiled program');
  }
  const version = header.getUint32(4, true);
  if (version !== formatVersion) throw new ProgramFormatError(`format version ${version}, expected ${formatVersion}`);
  if (header.getUint32(8, true) !== shared.byteLength) throw new ProgramFormatError('length differs: cut off?');
  const bytes = new Uint8Array(shared);
  if (header.getUint32(12, true) !== checksum(bytes)) throw new ProgramFormatError('checksum differs: damaged');

  const section = (name: (typeof sectionNames)[number]): [offset: number, length: number] => {
    const at = 16 + sectionNames.indexOf(name) * 8;
    return [header.getUint32(at, true), header.getUint32(at + 4, true)];
  };
  const [metaAt, metaLength] = section('meta');
  const meta = JSON.parse(new TextDecoder().decode(bytes.slice(metaAt, metaAt + metaLength))) as Meta;
  const integers = (name: ArrayName): Int32Array => {
    const [offset, length] = section(name);
    return new Int32Array(shared, offset, length / 4);
  };
  const [classesAt, classesLength] = section('classes');
  return {
    bytes: shared,
    hash: meta.hash,
    rules: meta.rules,
    patterns: meta.patterns,
    detectors: detectorsOf(meta.rules),
    needles: meta.needles,
    patternsOfNeedle: invert(meta.patterns, meta.needles.length),
    automaton: {
      ...meta.automaton,
      classes: new Uint16Array(shared, classesAt, classesLength / 2),
      table: integers('table'),
      edges: integers('edges'),
      fail: integers('fail'),
      rootRow: integers('rootRow'),
      needleOf: integers('needleOf'),
      suffixHit: integers('suffixHit'),
    },
  };
}

function detectorsOf(rules: readonly ProgramRule[]): readonly Detector[] {
  const byId = new Map<string, Detector>();
  for (const { policy, label } of rules) byId.set(`${policy}:${label}`, { policy, label });
  return [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, detector]) => detector);
}

function invert(patterns: readonly ProgramPattern[], needleCount: number): readonly (readonly number[])[] {
  const lists: number[][] = Array.from({ length: needleCount }, () => []);
  patterns.forEach((pattern, index) => {
    for (const needle of pattern.needles) lists[needle].push(index);
  });
  return lists;
}

function bytesOf(array: Uint16Array | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(16));
}

function align(offset: number): number {
  return (offset + 7) & ~7;
}
