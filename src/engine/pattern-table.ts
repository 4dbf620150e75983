import { detections, type ProgramPattern, type Reach } from './program.js';

/**
 * Patterns as numbers and bytes: some six thousand of them are read in two milliseconds by each thread, where their JSON took
 * fifty. The texts of patterns, two thirds of all, are read where they are asked for.
 */
export interface PatternTable {
  /** `recordWords` for each pattern; see `record`. */
  readonly records: Int32Array;
  /** UTF-8: the text of each pattern, its phrase or its source, one behind the other. */
  readonly texts: Uint8Array;
  /** What patterns name by number, each once. */
  readonly lists: readonly (readonly string[])[];
}

/** Words of a record. `textEnd` is in bytes; of the lists `unlessBefore` and `unlessAfter` are one more, 0 for none. */
const record = {
  rule: 0,
  flags: 1,
  gateCount: 2,
  windowUnits: 3,
  before: 4,
  after: 5,
  textEnd: 6,
  validate: 7,
  unless: 8,
  unlessBefore: 9,
  unlessAfter: 10,
} as const;
const recordWords = 11;

const flag = { ignoreCase: 1, bordered: 2, isPhrase: 4 } as const;
const kinds = ['exact', 'gated', 'ungated'] as const satisfies readonly ProgramPattern['kind'][];
const kindShift = 4;
const kindMask = 3;
/** Above it: what code finds instead, by its place among `detections`, plus one. */
const detectShift = 6;

export function encodePatterns(patterns: readonly ProgramPattern[]): PatternTable {
  const records = new Int32Array(patterns.length * recordWords);
  const numbers = new Map<string, number>();
  const lists: (readonly string[])[] = [];
  const numberOf = (list: readonly string[]): number => {
    const key = JSON.stringify(list);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, lists.length);
    return lists.push(list) - 1;
  };
  const texts: Buffer[] = [];
  let textEnd = 0;
  patterns.forEach((pattern, index) => {
    const text = Buffer.from(pattern.phrase ?? pattern.source);
    texts.push(text);
    textEnd += text.length;
    records.set(
      [
        pattern.rule,
        flagsOf(pattern),
        pattern.gateCount,
        pattern.windowUnits,
        pattern.reach.before,
        pattern.reach.after,
        textEnd,
        numberOf(pattern.validate),
        numberOf(pattern.unless),
        pattern.unlessBefore === undefined ? 0 : numberOf(pattern.unlessBefore) + 1,
        pattern.unlessAfter === undefined ? 0 : numberOf(pattern.unlessAfter) + 1,
      ],
      index * recordWords,
    );
  });
  return { records, texts: Buffer.concat(texts), lists };
}

function flagsOf({ ignoreCase, bordered, phrase, kind, detect }: ProgramPattern): number {
  return (
    (ignoreCase ? flag.ignoreCase : 0) |
    (bordered ? flag.bordered : 0) |
    (phrase === undefined ? 0 : flag.isPhrase) |
    (kinds.indexOf(kind) << kindShift) |
    (detect === undefined ? 0 : (detections.indexOf(detect) + 1) << detectShift)
  );
}

/** The patterns of a table, which they go on reading. */
export function decodePatterns(table: PatternTable): readonly ProgramPattern[] {
  const count = table.records.length / recordWords;
  return Array.from({ length: count }, (_, index) => new TablePattern(table, index * recordWords));
}

class TablePattern implements ProgramPattern {
  readonly rule: number;
  readonly kind: ProgramPattern['kind'];
  readonly ignoreCase: boolean;
  readonly bordered: boolean;
  readonly gateCount: number;
  readonly windowUnits: number;
  readonly reach: Reach;
  readonly validate: readonly string[];
  readonly unless: readonly string[];
  readonly unlessBefore: readonly string[] | undefined;
  readonly unlessAfter: readonly string[] | undefined;
  readonly detect: ProgramPattern['detect'];
  readonly #table: PatternTable;
  readonly #at: number;

  constructor(table: PatternTable, at: number) {
    const { records, lists } = table;
    const flags = records[at + record.flags];
    this.rule = records[at + record.rule];
    this.kind = kinds[(flags >> kindShift) & kindMask];
    this.ignoreCase = (flags & flag.ignoreCase) !== 0;
    this.bordered = (flags & flag.bordered) !== 0;
    this.gateCount = records[at + record.gateCount];
    this.windowUnits = records[at + record.windowUnits];
    this.reach = { before: records[at + record.before], after: records[at + record.after] };
    this.validate = lists[records[at + record.validate]];
    this.unless = lists[records[at + record.unless]];
    this.unlessBefore = lists[records[at + record.unlessBefore] - 1];
    this.unlessAfter = lists[records[at + record.unlessAfter] - 1];
    this.detect = detections[(flags >> detectShift) - 1];
    this.#table = table;
    this.#at = at;
  }

  get source(): string {
    return this.#isPhrase() ? '' : this.#text();
  }

  get phrase(): string | undefined {
    return this.#isPhrase() ? this.#text() : undefined;
  }

  #isPhrase(): boolean {
    return (this.#table.records[this.#at + record.flags] & flag.isPhrase) !== 0;
  }

  #text(): string {
    const { records, texts } = this.#table;
    const from = this.#at === 0 ? 0 : records[this.#at - recordWords + record.textEnd];
    // Copied out of shared memory, which strings are not made of.
    return Buffer.from(texts.subarray(from, records[this.#at + record.textEnd])).toString();
  }
}
