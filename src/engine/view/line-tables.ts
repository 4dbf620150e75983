import type { Span } from '../../domain/span.js';
import { isName, nameMax, type Row, type Table, trimmed } from './table.js';

/** Units of a line at most; longer ones are no rows. */
const lineMax = 8_192;
/** What may stand around a name, in units: quotes, stars, spaces. */
const aroundMax = 4;

/** What may set cells apart: in this order the first one that makes names of a line. Two spaces or more are a gap. */
const separators = ['\t', '|', ';', ',', '  '] as const;
type Separator = (typeof separators)[number];
const space = 0x20;
const quote = 0x22;

/** Lines between names and values: `|---|:--:|`, `+----+----+`. */
const ruled = /^[\s|+:=-]+$/;

/** False where a text has no lines, or nothing that sets cells apart. */
export function mayHoldLineTable(text: string): boolean {
  return text.includes('\n') && separators.some((separator) => text.includes(separator));
}

/**
 * Tables in lines, in order: CSV, tabs, bars, columns set apart by spaces. A line of short names has at least one line behind
 * it with as many cells; what goes on with as many belongs to it. Cost: of lines that cannot be names a few look-ups, else
 * linear.
 */
export function findLineTables(text: string): readonly Table[] {
  const tables: Table[] = [];
  const present = separators.filter((separator) => text.includes(separator));
  if (present.length === 0) return tables;
  for (let at = 0; at < text.length; ) {
    const line = lineAt(text, at);
    at = line.end + 1;
    for (const separator of present) {
      const names = namesOf(text, line, separator);
      const rows = names === undefined ? [] : rowsOf(text, at, separator, names.length);
      if (names === undefined || rows.length === 0) continue;
      tables.push({ names, rows });
      at = rows[rows.length - 1].end + 1;
      break;
    }
  }
  return tables;
}

function lineAt(text: string, start: number): Span {
  const end = text.indexOf('\n', start);
  return { start, end: end < 0 ? text.length : end };
}

function namesOf(text: string, line: Span, separator: Separator): readonly string[] | undefined {
  const cells = cellsOf(text, line, separator, nameMax + aroundMax);
  if (cells === undefined || cells.length < 2) return undefined;
  // In JSON what a text begins with stands in front of the first name.
  const names = cells.map(({ start, end }) => text.slice(start, end));
  names[0] = names[0].slice(names[0].lastIndexOf('"') + 1);
  return names.some((name) => name !== '') && names.every(isName) ? names : undefined;
}

function rowsOf(text: string, from: number, separator: Separator, columns: number): readonly Row[] {
  const rows: Row[] = [];
  for (let at = from; at < text.length; ) {
    const line = lineAt(text, at);
    const isRuled = isRuledOff(text, line);
    const cells = isRuled ? undefined : cellsOf(text, line, separator, lineMax);
    if (cells?.length === columns) rows.push({ ...line, cells });
    else if (!isRuled) break;
    at = line.end + 1;
  }
  return rows;
}

function isRuledOff(text: string, { start, end }: Span): boolean {
  return end > start && '|+:=-'.includes(text[start]) && end - start <= lineMax && ruled.test(text.slice(start, end));
}

/** The cells of a line; undefined where one holds more than `cellMax` units, or the line too many. What is quoted holds no separators. */
function cellsOf(text: string, { start, end }: Span, separator: Separator, cellMax: number): Span[] | undefined {
  if (end - start > lineMax) return undefined;
  const isGap = separator === '  ';
  const sign = separator.charCodeAt(0);
  const cells: Span[] = [];
  let from = isGap ? behindSpace(text, start) : start;
  while (from <= end) {
    const limit = Math.min(end, from + cellMax + 1);
    let to = quoteEnd(text, from, end);
    while (to < limit && !(text.charCodeAt(to) === sign && (!isGap || text.charCodeAt(to + 1) === space))) to++;
    if (to - from > cellMax) return undefined;
    cells.push(trimmed(text, from, to));
    from = isGap && to < end ? behindSpace(text, to) : to + 1;
  }
  // A line in bars has an empty cell on either side.
  if (separator === '|') {
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
