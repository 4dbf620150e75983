import type { Span } from '../../domain/span.js';
import { type CellRoom, isName, type Row, type Table, trimmed } from './table.js';

const insertion = /\binsert\s{1,8}into\s{1,8}[^\s()]{1,128}\s{0,8}\(([^()]{1,4096})\)\s{0,8}values\s{0,8}(?=\()/gi;

/** False where nothing is put into a table. */
export function mayHoldInsertion(text: string): boolean {
  return text.includes('(') && (text.includes('VALUES') || text.includes('values'));
}

/** What `INSERT INTO … (names) VALUES (…), (…)` puts into the columns of a table. Cost: linear in the text. */
export function findInsertions(text: string, room: CellRoom): readonly Table[] {
  if (!mayHoldInsertion(text)) return [];
  const tables: Table[] = [];
  const pattern = new RegExp(insertion);
  for (let found = pattern.exec(text); found !== null && room.left > 0; found = pattern.exec(text)) {
    const names = found[1].split(',').map((name) => name.replace(/^[\s"`[]+|[\s"`\]]+$/g, ''));
    const tuples = tuplesOf(text, pattern.lastIndex, room);
    // No part of the text is read twice.
    if (tuples.length > 0) pattern.lastIndex = tuples[tuples.length - 1].end;
    const rows = tuples.filter(({ cells }) => cells.length === names.length);
    if (rows.length > 0 && names.every(isName)) tables.push({ names, rows });
  }
  return tables;
}

/** Lists in brackets, one behind the other with commas between them. */
function tuplesOf(text: string, from: number, room: CellRoom): readonly Row[] {
  const tuples: Row[] = [];
  for (let at = from; text[at] === '(' && room.left > 0; ) {
    const cells: Span[] = [];
    const start = at + 1;
    let end = start;
    do {
      const cellStart = end + (cells.length > 0 ? 1 : 0);
      end = valueEnd(text, cellStart);
      const cell = trimmed(text, cellStart, end);
      const isQuoted = text[cell.start] === "'" && text[cell.end - 1] === "'" && cell.end - cell.start > 1;
      cells.push(isQuoted ? { start: cell.start + 1, end: cell.end - 1 } : cell);
      room.left--;
    } while (text[end] === ',' && room.left > 0);
    tuples.push({ start, end, cells });
    at = end + 1;
    while (text[at] === ',' || text[at] === ' ' || text[at] === '\n' || text[at] === '\r') at++;
  }
  return tuples;
}

/** Units of a value at most. */
const valueMax = 8_192;

/** The next comma or closing bracket outside of quotes and brackets, or where a value is too long. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  const limit = Math.min(text.length, from + valueMax);
  for (let at = from; at < limit; at++) {
    const sign = text[at];
    if (sign === "'") {
      at++;
      while (at < limit && text[at] !== "'") at++;
    } else if (sign === '(') depth++;
    else if (sign === ')' && depth-- === 0) return at;
    else if (sign === ',' && depth === 0) return at;
  }
  return limit;
}
