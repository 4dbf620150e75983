import { crc32 } from 'node:zlib';
import type { RuleNotes } from '../domain/rule-entry.js';
import {
  type Automaton,
  lengthMask,
  needleWord,
  needleWords,
  neighbourShift,
  tableAddress,
} from './automaton/automaton.js';
import { buildAutomata } from './automaton/build.js';
import { pageBytes } from './kernel-loader.js';
import { decodeModel, type Model, ModelFormatError } from './learned/model.js';
import { unitTable } from './learned/units.js';
import {
  gateWord,
  needlesByOutput,
  type OutputGroup,
  type Outputs,
  outputPerNeedle,
  outputWords,
  patternOf,
} from './outputs.js';
import { decodePatterns, encodePatterns, type PatternTable } from './pattern-table.js';
import { allRoles, detectorsOf, type PhraseWords, type Program, type ProgramRule, sharersOf } from './program.js';
import { anyNeighbour, neighboursOf } from './regex/neighbours.js';
import { phraseWordsOf } from './view/phrase-words.js';

/**
 * The bytes of a program, little-endian:
 *
 *     0  magic "MRLN"        4  format version        8  total length       12  CRC-32 of everything from 16 on
 *    16  offset and length of each section, in the order of `sectionNames`; then the sections, each at a multiple of 16
 *
 * The table of states comes first, at `tableAddress`, because its states name each other by address. Addresses count
 * from byte 0, so a program always lies at the start of its memory. `patterns` and `patternTexts` are a `PatternTable`.
 * `meta` is JSON: rules, the patterns' lists and the automata's numbers. The models lie one behind the other, each at a multiple of 16, and `units` is their table of
 * UTF-16 units; both sections are empty where there is no model. `texts` are the needles' units, one needle behind the other,
 * `phraseWords` (JSON) the words of the phrases, `spellings` how damaged spellings of them are told, and `notes` (JSON) what people read about the rules. What follows the program in the memory is scratch of the threads that search with it.
 */
const magic = 0x4e4c524d;
const formatVersion = 34;
const sectionNames = [
  'words',
  'classes',
  'needles',
  'starts',
  'records',
  'flanks',
  'patterns',
  'units',
  'models',
  'texts',
  'patternTexts',
  'phraseWords',
  'spellings',
  'notes',
  'meta',
] as const;

const headerBytes = 16 + sectionNames.length * 8;

/** One class for each UTF-16 unit. */
const classBytes = 0x10000 * 2;

interface Meta {
  readonly hash: string;
  readonly rules: readonly ProgramRule[];
  readonly patternLists: PatternTable['lists'];
  /** Their flanks' addresses count from the start of the flanks, plus one; 0 for none. */
  readonly digits: Outputs['digits'];
  readonly textStart: Outputs['textStart'];
  readonly automata: readonly Omit<Automaton, 'classes' | 'words' | 'needleRecords'>[];
  /** By their places in the section. */
  readonly models: readonly { readonly name: string; readonly at: number; readonly length: number }[];
}

/** The bytes are not a program that this version wrote: foreign, damaged, or of another format version. */
export class ProgramFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramFormatError';
  }
}

/** Room for the scratch of all threads, in pages; a thread takes its share, some 2 MB, by growing the memory. */
const scratchPagesMax = 16_384;

/** What a program is made of. Without outputs each needle is its own. */
export interface ProgramParts extends Pick<Program, 'hash' | 'rules' | 'patterns' | 'needles'> {
  /** Rows of an automaton with more bytes are paged; the default is as fast as it gets. */
  readonly rowBytes?: number;
  /** With bare numbers of gates. Its flank addresses count from the start of `flanks`, plus one; 0 for none. */
  readonly outputs?: Outputs;
  readonly flanks?: Uint8Array;
  readonly models?: readonly ModelBytes[];
  /** One for each rule. */
  readonly notes?: readonly RuleNotes[];
}

/** A model as `encodeModel` wrote it, under the name of its file. */
export interface ModelBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Roles of messages in which some rule wants each needle: its own rules and those that share their patterns. All where
 * there are no rules.
 */
function rolesByNeedle({ rules, patterns, needles }: ProgramParts, { starts, records }: Outputs): Uint8Array {
  const sharers = sharersOf(rules);
  const rolesOf = patterns.map(({ rule }) =>
    (sharers[rule] ?? []).reduce((bits, sharer) => bits | rules[sharer].roles, rules[rule].roles),
  );
  return Uint8Array.from(needles, (_, needle) => {
    let bits = 0;
    for (let output = starts[needle]; output < starts[needle + 1]; output++) {
      bits |= rolesOf[patternOf({ records }, output)] ?? allRoles;
    }
    return bits;
  });
}

/** What may stand beside each needle, as bits of its form: what the flank of one of its outputs does not refuse at once. */
function neighboursByNeedle({ starts, records }: Outputs, flanks: Uint8Array): Int32Array {
  const known = new Map([[0, anyNeighbour]]);
  const ofFlank = (place: number): number => {
    const bits = known.get(place) ?? neighboursOf(flanks, place - 1);
    known.set(place, bits);
    return bits;
  };
  return Int32Array.from({ length: starts.length - 1 }, (_, needle) => {
    let before = 0;
    let after = 0;
    for (let at = starts[needle] * outputWords; at < starts[needle + 1] * outputWords; at += outputWords) {
      before |= ofFlank(records[at + 2]);
      after |= ofFlank(records[at + 3]);
    }
    return (before << neighbourShift.before) | (after << neighbourShift.after);
  });
}

/** Where only needles were given there are no patterns. */
const ungated = { gateCount: 1, windowUnits: 0 };

/** Lays a compiled ruleset out in shared memory. The result is never written again. */
export function encodeProgram(parts: ProgramParts): WebAssembly.Memory {
  const { outputs = outputPerNeedle(parts.needles.length), flanks = new Uint8Array(0), models = [] } = parts;
  const { list, words, needleRecords } = buildAutomata(parts.needles, parts.rowBytes, rolesByNeedle(parts, outputs));
  const neighbours = neighboursByNeedle(outputs, flanks);
  for (let needle = 0; needle < parts.needles.length; needle++) {
    needleRecords[needle * needleWords + needleWord.form] |= neighbours[needle];
    needleRecords[needle * needleWords + needleWord.outputsFrom] = outputs.starts[needle];
    needleRecords[needle * needleWords + needleWord.outputsTo] = outputs.starts[needle + 1];
  }
  const patterns = encodePatterns(parts.patterns);
  const { spellings, ...phraseWords } = phraseWordsOf(parts);
  const meta: Meta = {
    hash: parts.hash,
    rules: parts.rules,
    patternLists: patterns.lists,
    digits: outputs.digits,
    textStart: outputs.textStart,
    automata: list.map(({ classes, words: _, needleRecords: __, ...numbers }) => numbers),
    models: placeModels(models),
  };
  const sections: Record<(typeof sectionNames)[number], Uint8Array> = {
    words: bytesOf(words.subarray(tableAddress / 4)),
    classes: Buffer.concat(list.map(({ classes }) => bytesOf(classes))),
    needles: bytesOf(needleRecords),
    starts: bytesOf(outputs.starts),
    records: bytesOf(outputs.records),
    flanks,
    patterns: bytesOf(patterns.records),
    units: models.length === 0 ? new Uint8Array(0) : bytesOf(unitTable()),
    models: Buffer.concat(models.flatMap(({ bytes }) => [bytes, new Uint8Array(align(bytes.length) - bytes.length)])),
    texts: Buffer.from(parts.needles.join(''), 'utf16le'),
    patternTexts: patterns.texts,
    phraseWords: jsonBytes(phraseWords),
    spellings: bytesOf(spellings),
    notes: jsonBytes(parts.notes ?? []),
    meta: jsonBytes(meta),
  };
  if (headerBytes > tableAddress) throw new Error('the header reaches into the table of states');
  const offsets: number[] = [];
  let total = tableAddress;
  for (const name of sectionNames) {
    offsets.push(align(total));
    total = align(total) + sections[name].length;
  }
  const memory = allocate(align(total));
  const bytes = new Uint8Array(memory.buffer);
  const header = new DataView(memory.buffer);
  header.setUint32(0, magic, true);
  header.setUint32(4, formatVersion, true);
  header.setUint32(8, align(total), true);
  sectionNames.forEach((name, index) => {
    header.setUint32(16 + index * 8, offsets[index], true);
    header.setUint32(20 + index * 8, sections[name].length, true);
    bytes.set(sections[name], offsets[index]);
  });
  const flanksAt = offsets[sectionNames.indexOf('flanks')];
  const records = new Int32Array(memory.buffer, offsets[sectionNames.indexOf('records')], outputs.records.length);
  const needleOf = needlesByOutput(outputs);
  for (let at = 0; at < records.length; at += outputWords) {
    const length = needleRecords[needleOf[at / outputWords] * needleWords + needleWord.form] & lengthMask;
    records[at + 1] = gateWord(records[at + 1], parts.patterns[records[at]] ?? ungated, length);
    if (records[at + 2] !== 0) records[at + 2] += flanksAt - 1;
    if (records[at + 3] !== 0) records[at + 3] += flanksAt - 1;
  }
  header.setUint32(12, checksum(bytes, align(total)), true);
  return memory;
}

/** Shared memory for a program of so many bytes, to be written to its start. */
export function memoryFor(byteLength: number): WebAssembly.Memory {
  return allocate(Math.max(byteLength, tableAddress));
}

/**
 * Opens the program at the start of a memory without copying its tables. Throws `ProgramFormatError`. Five milliseconds, and
 * as many again or more for its checksum, which `isChecked` leaves out: of a memory that another thread has opened.
 */
export function decodeProgram(memory: WebAssembly.Memory, isChecked = false): Program {
  const shared = memory.buffer;
  const header = new DataView(shared);
  if (header.getUint32(0, true) !== magic) throw new ProgramFormatError('not a compiled program');
  const version = header.getUint32(4, true);
  if (version !== formatVersion) throw new ProgramFormatError(`format version ${version}, expected ${formatVersion}`);
  const total = header.getUint32(8, true);
  if (total < tableAddress || total > shared.byteLength) throw new ProgramFormatError('length differs: cut off?');
  const bytes = new Uint8Array(shared);
  if (!isChecked && header.getUint32(12, true) !== checksum(bytes, total))
    throw new ProgramFormatError('checksum differs: damaged');

  const section = (name: (typeof sectionNames)[number]): [offset: number, length: number] => {
    const at = 16 + sectionNames.indexOf(name) * 8;
    return [header.getUint32(at, true), header.getUint32(at + 4, true)];
  };
  const bytesIn = (name: (typeof sectionNames)[number]): Uint8Array => {
    const [at, length] = section(name);
    return bytes.subarray(at, at + length);
  };
  const json = (name: 'meta' | 'notes' | 'phraseWords'): unknown =>
    // Copied out of the shared memory, which strings are not made of.
    JSON.parse(Buffer.from(bytesIn(name).slice().buffer).toString('latin1'));
  const meta = json('meta') as Meta;
  const words = (name: 'needles' | 'starts' | 'records' | 'patterns' | 'spellings') => {
    const [at, length] = section(name);
    return new Int32Array(shared, at, length / 4);
  };
  const needleRecords = words('needles');
  let needles: readonly string[] | undefined;
  const flankAt = (place: number) => (place === 0 ? 0 : section('flanks')[0] + place - 1);
  const groupOf = (group: OutputGroup): OutputGroup => ({
    ...group,
    before: flankAt(group.before),
    after: flankAt(group.after),
  });
  const [classesAt] = section('classes');
  const [unitsAt, unitsLength] = section('units');
  const [modelsAt] = section('models');
  // States are addresses in the whole memory.
  const table = new Int32Array(shared, 0, total >> 2);
  return {
    memory,
    bytesLength: total,
    hash: meta.hash,
    rules: meta.rules,
    patterns: decodePatterns({
      records: words('patterns'),
      texts: bytesIn('patternTexts'),
      lists: meta.patternLists,
    }),
    detectors: detectorsOf(meta.rules),
    // In tens of thousands of strings, which only tools ask for.
    get needles() {
      needles ??= cutTexts(section('texts'), shared, needleRecords);
      return needles;
    },
    outputs: {
      starts: words('starts'),
      records: words('records'),
      digits: meta.digits.map(groupOf),
      textStart: groupOf(meta.textStart),
    },
    get words() {
      return { ...(json('phraseWords') as Omit<PhraseWords, 'spellings'>), spellings: words('spellings') };
    },
    get notes() {
      return json('notes') as readonly RuleNotes[];
    },
    bytes: bytes.subarray(0, total),
    models: meta.models.map(({ name, at, length }) => ({
      name,
      model: openModel(bytes.subarray(modelsAt + at, modelsAt + at + length)),
    })),
    units: new Uint32Array(shared, unitsAt, unitsLength / 4),
    automata: meta.automata.map((numbers, index) => ({
      ...numbers,
      classes: new Uint16Array(shared, classesAt + index * classBytes, classBytes / 2),
      words: table,
      needleRecords,
    })),
  };
}

function cutTexts(
  [from, length]: readonly [number, number],
  shared: ArrayBufferLike,
  needleRecords: Int32Array,
): readonly string[] {
  const all = Buffer.from(new Uint8Array(shared, from, length)).toString('utf16le');
  let end = 0;
  return Array.from({ length: needleRecords.length / needleWords }, (_, needle) => {
    const start = end;
    end += (needleRecords[needle * needleWords + needleWord.form] & lengthMask) >> 1;
    return all.slice(start, end);
  });
}

function allocate(byteLength: number): WebAssembly.Memory {
  const pages = Math.ceil(byteLength / pageBytes);
  return new WebAssembly.Memory({ initial: pages, maximum: pages + scratchPagesMax, shared: true });
}

function placeModels(models: readonly ModelBytes[]): Meta['models'] {
  let next = 0;
  return models.map(({ name, bytes: { length } }) => {
    const at = next;
    next += align(length);
    return { name, at, length };
  });
}

function openModel(bytes: Uint8Array): Model {
  try {
    return decodeModel(bytes);
  } catch (error) {
    if (error instanceof ModelFormatError) throw new ProgramFormatError(`a model: ${error.message}`);
    throw error;
  }
}

/** In ASCII, which is read in half the time that UTF-8 takes: every thread that scans reads the largest of them when it begins. */
function jsonBytes(value: unknown): Uint8Array {
  const escaped = JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(escaped, 'latin1');
}

function bytesOf(array: Uint16Array | Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function checksum(bytes: Uint8Array, total: number): number {
  return crc32(bytes.subarray(16, total));
}

function align(offset: number): number {
  return (offset + 15) & ~15;
}
