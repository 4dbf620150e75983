import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { ruleIdsOf } from '../rollup.js';
import { scanIdBytesLength } from '../scan-id.js';
import { encodeRow } from './rows.js';
import { markText, read32, rowAt, rowBytes, rowFlag, write16, write32, writeRow } from './scan-row.js';
import {
  countedFlag,
  rowOffset,
  sameBytes,
  segmentFormat,
  segmentHeaderBytes,
  segmentRowsMax,
} from './scan-segment.js';

/** A segment in the making. Bytes are all that it holds: records that wait are no work for the garbage collector. */
export interface SegmentBuilder {
  /** Records so far. */
  readonly rows: number;
  /** Encoded texts, by row. */
  readonly texts: ReadonlyMap<number, Buffer>;
  /** Time of creation of the oldest and the newest record. */
  readonly oldest: number;
  readonly newest: number;
  isFull(): boolean;
  /** Takes a record, which may change afterwards. Throws `StoreError` for one that cannot be stored. */
  add(record: ScanRecord): void;
  /** Keeps text beside the record that was added last. */
  addText(form: StoredText['form'], text: Buffer): void;
  /** Takes the record back that was added last. */
  dropLast(): void;
  /** Raises an id to that of the last record; false where the last record's is not above it. */
  raise(highest: Buffer): boolean;
  /** The bytes of the last record's id; valid until the next one is added. */
  lastId(): Buffer;
  /** Whether a record before the last one has its id. */
  isRepeated(): boolean;
  /** Whether a record has this id. */
  has(id: Buffer): boolean;
  /** The bytes of the segment. */
  build(isCounted?: boolean): Buffer;
}

const firstRows = 64;
const firstExtraBytes = 4_096;
/** Refused records leave names behind, too. */
const namesMax = 4 * segmentRowsMax;

/** An empty segment. */
export function createSegmentBuilder(rowsMax: number = segmentRowsMax): SegmentBuilder {
  let table = Buffer.alloc(rowOffset(Math.min(firstRows, rowsMax)));
  let extras = Buffer.allocUnsafeSlow(0);
  let extraBytes = 0;
  let rows = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  const texts = new Map<number, Buffer>();
  const places = new Map<string, number>();

  const place = (name: string): number => {
    let known = places.get(name);
    if (known === undefined) {
      known = places.size;
      places.set(name, known);
    }
    return known;
  };

  const addExtra = (bytes: number, write: (at: number) => number): { at: number; length: number } => {
    if (extraBytes + bytes > extras.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(firstExtraBytes, 2 * extras.length, extraBytes + bytes));
      larger.set(extras.subarray(0, extraBytes));
      extras = larger;
    }
    const at = extraBytes;
    const length = write(at) - at;
    extraBytes += length;
    return { at, length };
  };

  const addNumbers = ({ messageLengths, matchesTotal, matches }: ScanRecord) => {
    const text = matches.length === 0 ? undefined : encodeRow(matches);
    const rules = text ? ruleIdsOf(matches) : none;
    const most = 5 * (messageLengths.length + rules.length + 3) + (text?.length ?? 0);
    return addExtra(most, (start) => {
      let at = writeNumber(extras, start, rules.length);
      for (const rule of rules) at = writeNumber(extras, at, place(rule));
      at = writeNumber(extras, at, messageLengths.length);
      for (const length of messageLengths) at = writeNumber(extras, at, length);
      at = writeNumber(extras, at, matchesTotal);
      if (text) extras.set(text, at);
      return at + (text?.length ?? 0);
    });
  };

  const fill = (at: number, record: ScanRecord) => {
    const isWhole = writeRow(table, at, record, { place });
    const { messageLengths, matchesTotal, matches } = record;
    if (!isWhole && messageLengths.length === 1 && matchesTotal === 0 && matches.length === 0) {
      write32(table, at + rowAt.length, messageLengths[0]);
      return;
    }
    const whole = isWhole ? encodeRow(record) : undefined;
    const extra = whole ? addExtra(whole.length, (start) => start + whole.copy(extras, start)) : addNumbers(record);
    table[at + rowAt.flags] |= isWhole ? rowFlag.whole : rowFlag.extra;
    write32(table, at + rowAt.extra, extra.at);
    write32(table, at + rowAt.length, extra.length);
  };

  const builder: SegmentBuilder = {
    get rows() {
      return rows;
    },
    get oldest() {
      return oldest;
    },
    get newest() {
      return newest;
    },
    texts,
    isFull: () => rows >= rowsMax || places.size > namesMax,
    add(record) {
      const at = rowOffset(rows);
      if (at === table.length) table = Buffer.concat([table, Buffer.alloc(Math.min(rows, rowsMax - rows) * rowBytes)]);
      try {
        fill(at, record);
      } catch (error) {
        table.fill(0, at, at + rowBytes);
        throw error;
      }
      rows++;
      if (record.createdAt < oldest) oldest = record.createdAt;
      if (record.createdAt > newest) newest = record.createdAt;
    },
    addText(form, text) {
      markText(table, rowOffset(rows - 1), form);
      texts.set(rows - 1, text);
    },
    dropLast() {
      rows--;
      const at = rowOffset(rows);
      table.fill(0, at, at + rowBytes);
    },
    raise(highest) {
      const at = rowOffset(rows - 1);
      let i = 0;
      while (i < scanIdBytesLength && table[at + i] === highest[i]) i++;
      if (i === scanIdBytesLength || table[at + i] < highest[i]) return false;
      for (; i < scanIdBytesLength; i++) highest[i] = table[at + i];
      return true;
    },
    lastId() {
      const at = rowOffset(rows - 1);
      return table.subarray(at, at + scanIdBytesLength);
    },
    isRepeated() {
      const last = builder.lastId();
      for (let row = rows - 2; row >= 0; row--) if (sameBytes(table, rowOffset(row), last)) return true;
      return false;
    },
    has(id) {
      for (let row = rows - 1; row >= 0; row--) if (sameBytes(table, rowOffset(row), id)) return true;
      return false;
    },
    build(isCounted = false) {
      const tableBytes = rowOffset(rows);
      const names = encodeRow([...places.keys()]);
      const bytes = Buffer.allocUnsafeSlow(tableBytes + extraBytes + names.length);
      bytes.set(table.subarray(0, tableBytes));
      bytes.set(extras.subarray(0, extraBytes), tableBytes);
      bytes.set(names, tableBytes + extraBytes);
      for (let at = segmentHeaderBytes; at < tableBytes; at += rowBytes) {
        if ((bytes[at + rowAt.flags] & (rowFlag.extra | rowFlag.whole)) === 0) continue;
        write32(bytes, at + rowAt.extra, tableBytes + read32(bytes, at + rowAt.extra));
      }
      bytes[0] = segmentFormat;
      bytes[1] = isCounted ? countedFlag : 0;
      write16(bytes, 2, rows);
      write32(bytes, 4, tableBytes + extraBytes);
      return bytes;
    },
  };
  return builder;
}

const none: readonly string[] = [];

function writeNumber(target: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest >= 128) {
    target[at++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  target[at++] = rest;
  return at;
}
