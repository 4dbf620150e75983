import type { Span } from '../../domain/span.js';
import { type CellRoom, isName, nameMax, type Row, type Table, trimmed } from './table.js';

/** Units of a line at most; longer ones are no rows. */
const lineMax = 8_192;
/** Units of a name with what may stand around it: quotes, stars, spaces. */
const nameCellMax = nameMax + 4;

const lineFeed = 0x0a;
const space = 0x20;
const quote = 0x22;
const colon = 0x3a;
const bar = 0x7c;
/** What may set cells apart; a space stands for a gap of two or more. */
const separators = '\t|;, ';

/** What a unit of ASCII is to a line of names. */
const kind = { other: 0, separator: 1, space: 2, quote: 3, never: 4 } as const;
const kinds = new Uint8Array(0x80);
for (const sign of separators) kinds[sign.charCodeAt(0)] = sign === ' ' ? kind.space : kind.separator;
for (const sign of '{}[]<>=\\') kinds[sign.charCodeAt(0)] = kind.never;
kinds[quote] = kind.quote;

/** Lines between names and values: `|---|:--:|`, `+----+----+`. */
const ruled = /^[\s|+:=-]+$/;
/** What such a line begins with. */
const rules = '|+:=-';

/** False where a text has no line of names above one that can be values. */
export function mayHoldLineTable(text: string): boolean {
  return text.includes('\n') && nextNames(text, 0) !== undefined;
}

/**
 * Tables in lines, in order: CSV, tabs, bars, columns set apart by spaces. A line of short names has at least one line behind
 * it with as many cells; what goes on with as many belongs to it. Cost: of lines that cannot be names their first units, else
 * linear.
 */
export function findLineTables(text: string, room: CellRoom): readonly Table[] {
  const tables: Table[] = [];
  for (let next = nextNames(text, 0); next !== undefined && room.left > 0; ) {
    const { names, separator, isIndented, end } = next;
    const rows = rowsOf(text, end + 1, separator, names.length, room, isIndented);
    if (rows.length > 0) tables.push({ names, rows });
    next = nextNames(text, (rows.at(-1)?.end ?? end) + 1);
  }
  return tables;
}

interface Names {
  readonly names: readonly string[];
  /** What sets them apart. */
  readonly separator: number;
  /** They stand further right than a line begins, set apart by spaces: rows may have a number of their own before the first. */
  readonly isIndented: boolean;
  /** Of their line. */
  readonly end: number;
}

/** The first line of names from `at` on with a line behind it that can be values. */
function nextNames(text: string, at: number): Names | undefined {
  for (let start = at; start < text.length; ) {
    const line = lineAt(text, start);
    start = line.end + 1;
    // Most lines of prose have an empty one behind them, or none.
    if (start >= text.length || text.charCodeAt(start) === lineFeed) continue;
    const beginning = beginningOf(text, line);
    if (beginning === undefined || !mayBeRow(text, start, beginning.separator)) continue;
    const { from, separator } = beginning;
    const names = namesOf(text, { start: from, end: line.end }, separator);
    const isIndented = separator === space && text.startsWith('  ', from);
    if (names !== undefined) return { names, separator, isIndented, end: line.end };
  }
  return undefined;
}

function lineAt(text: string, start: number): Span {
  const end = text.indexOf('\n', start);
  return { start, end: end < 0 ? text.length : end };
}

interface Beginning {
  readonly from: number;
  /** The first sign that sets cells apart. */
  readonly separator: number;
}

/**
 * Where names can begin in a line; undefined where nothing sets cells apart, or for longer than a name is nothing does, or where it
 * holds what names never do. In JSON names begin behind the quote that opens their text. Read unit by unit, because most lines end here.
 */
function beginningOf(text: string, { start, end }: Span): Beginning | undefined {
  let from = start;
  let cell = start;
  let separator = 0;
  let isCode = false;
  for (let at = start; at < end; at++) {
    if (at - cell > nameCellMax) return undefined;
    const unit = text.charCodeAt(at);
    const now = unit < 0x80 ? kinds[unit] : kind.other;
    if (now === kind.other) continue;
    if (now === kind.never) isCode = true;
    else if (now === kind.quote) {
      if (!isValueOfJson(text, at)) continue;
      from = at + 1;
      cell = from;
      separator = 0;
      isCode = false;
    } else if (now === kind.space && at === cell) cell++;
    else if (now === kind.separator || text.charCodeAt(at + 1) === space) {
      if (separator === 0) separator = unit;
      if (unit === separator) cell = at + 1;
    }
  }
  return isCode || separator === 0 ? undefined : { from, separator };
}

/** False where the line that begins at `from` neither rules a table off nor holds what sets cells apart. */
function mayBeRow(text: string, from: number, separator: number): boolean {
  if (rules.includes(text[from])) return true;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === separator) return true;
    if (unit === lineFeed) return false;
  }
  return false;
}

function isValueOfJson(text: string, quoteAt: number): boolean {
  const before = text.charCodeAt(quoteAt - 1);
  return before === colon || (before === space && text.charCodeAt(quoteAt - 2) === colon);
}

function namesOf(text: string, line: Span, separator: number): readonly string[] | undefined {
  const cells = cellsOf(text, line, separator, nameCellMax);
  if (cells === undefined || cells.length < 2) return undefined;
  const names = cells.map(({ start, end }) => text.slice(start, end));
  return names.some((name) => name !== '') && names.every(isName) ? names : undefined;
}

/**
 * Lines from `from` on with as many cells as there are columns, over lines that rule them off; up to the first that has not. Where
 * `mayCount` is set, a cell at the beginning of a line that is one too many counts the rows, as data frames are printed.
 */
export function rowsOf(
  text: string,
  from: number,
  separator: number,
  columns: number,
  room: CellRoom,
  mayCount = false,
): readonly Row[] {
  const rows: Row[] = [];
  for (let at = from; at < text.length && room.left > 0; ) {
    const line = lineAt(text, at);
    const isRuled = isRuledOff(text, line);
    const cells = isRuled ? undefined : cellsOf(text, line, separator, lineMax);
    room.left -= cells?.length ?? 0;
    if (mayCount && cells?.length === columns + 1 && text.charCodeAt(at) !== space) cells.shift();
    if (cells?.length === columns) rows.push({ ...line, cells });
    else if (!isRuled) break;
    at = line.end + 1;
  }
  return rows;
}

function isRuledOff(text: string, { start, end }: Span): boolean {
  return end > start && rules.includes(text[start]) && end - start <= lineMax && ruled.test(text.slice(start, end));
}

/** The cells of a line; undefined where one holds more than `cellMax` units, or the line too many. What is quoted holds no separators. */
function cellsOf(text: string, { start, end }: Span, separator: number, cellMax: number): Span[] | undefined {
  if (end - start > lineMax) return undefined;
  const isGap = separator === space;
  const cells: Span[] = [];
  let from = isGap ? behindSpace(text, start) : start;
  while (from <= end) {
    const limit = Math.min(end, from + cellMax + 1);
    let to = quoteEnd(text, from, end);
    while (to < limit && !(text.charCodeAt(to) === separator && (!isGap || text.charCodeAt(to + 1) === space))) to++;
    if (to - from > cellMax) return undefined;
    cells.push(trimmed(text, from, to));
    from = isGap && to < end ? behindSpace(text, to) : to + 1;
  }
  // A line in bars has an empty cell on either side.
  if (separator === bar) {
    if (cells.length > 2 && isEmpty(cells[0])) cells.shift();
    if (cells.length > 2 && isEmpty(cells[cells.length - 1])) cells.pop();
  }
  return cells;
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === space) at++;
  return at;
}

/** Where the quotes end that a cell begins with; where it begins if there are none. */
function quoteEnd(text: string, from: number, end: number): number {
  if (text.charCodeAt(from) !== quote) return from;
  for (let at = text.indexOf('"', from + 1); at >= 0 && at < end; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== quote) return at + 1;
  }
  return from;
}

function isEmpty({ start, end }: Span): boolean {
  return start === end;
}
