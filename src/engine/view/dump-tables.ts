import type { Span } from '../../domain/span.js';
import { type CellRoom, isName, type Row, type Table, trimmed } from './table.js';

/** `COPY … (names) FROM stdin;`, as dumps of PostgreSQL have it: a row a line, tabs between the cells, `\\.` at the end. */
const head = /\bcopy\s{1,8}[^\s()]{1,128}\s{0,8}\(([^()]{1,4096})\)\s{1,8}from\s{1,8}stdin\b[^\n]{0,256}\n/gi;

/** Tables of dumps. Cost: linear in the text, where it holds one. */
export function findDumpTables(text: string, room: CellRoom): readonly Table[] {
  if (!/from\s+stdin/i.test(text)) return [];
  const tables: Table[] = [];
  const pattern = new RegExp(head);
  for (let found = pattern.exec(text); found !== null && room.left > 0; found = pattern.exec(text)) {
    const names = found[1].split(',').map((name) => name.replace(/^[\s"]+|[\s"]+$/g, ''));
    const rows: Row[] = [];
    let at = pattern.lastIndex;
    while (at < text.length && room.left > 0) {
      const lineFeed = text.indexOf('\n', at);
      const end = lineFeed < 0 ? text.length : lineFeed;
      const cells = cellsOf(text, at, end, names.length, room);
      if (cells === undefined) break;
      rows.push({ start: at, end, cells });
      at = end + 1;
    }
    // No part of the text is read twice.
    pattern.lastIndex = Math.max(pattern.lastIndex, Math.min(at, text.length));
    if (rows.length > 0 && names.every(isName)) tables.push({ names, rows });
  }
  return tables;
}

/** Undefined for a line with more cells or fewer, such as the one that ends the table. */
function cellsOf(text: string, from: number, end: number, count: number, room: CellRoom): readonly Span[] | undefined {
  const cells: Span[] = [];
  for (let start = from; start <= end && cells.length <= count; ) {
    const tab = text.indexOf('\t', start);
    const cellEnd = tab < 0 || tab > end ? end : tab;
    cells.push(trimmed(text, start, cellEnd));
    room.left--;
    start = cellEnd + 1;
  }
  return cells.length === count ? cells : undefined;
}
