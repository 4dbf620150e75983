import { rowsOf } from './line-tables.js';
import { type CellRoom, isName, type Table, unquoted } from './table.js';

/** `COPY … (names) FROM stdin;`, as dumps of PostgreSQL have it: a row a line, tabs between the cells, `\\.` at the end. */
const head = /\bcopy\s{1,8}[^\s()]{1,128}\s{0,8}\(([^()]{1,4096})\)\s{1,8}from\s{1,8}stdin\b[^\n]{0,256}\n/gi;
const tab = 0x09;

/** False where a text has none. */
export function mayHoldDumpTable(text: string): boolean {
  return text.includes('stdin') || text.includes('STDIN');
}

/** Tables of dumps, as programs write them, which spell `stdin` in one case. Cost: linear in the text, where it holds one. */
export function findDumpTables(text: string, room: CellRoom): readonly Table[] {
  if (!mayHoldDumpTable(text)) return [];
  const tables: Table[] = [];
  const pattern = new RegExp(head);
  for (let found = pattern.exec(text); found !== null && room.left > 0; found = pattern.exec(text)) {
    const names = found[1].split(',').map(unquoted);
    const rows = rowsOf(text, pattern.lastIndex, tab, names.length, room);
    // No part of the text is read twice.
    if (rows.length > 0) pattern.lastIndex = rows[rows.length - 1].end;
    if (rows.length > 0 && names.every(isName)) tables.push({ names, rows });
  }
  return tables;
}
