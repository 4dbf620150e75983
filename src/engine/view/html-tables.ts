import type { Span } from '../../domain/span.js';
import { type CellRoom, isName, type Row, type Table, trimmed } from './table.js';

/** Tags that tell where tables, rows and cells begin, and markup in the beginning of a cell. */
const tag = /<(\/table|tr|t[hd])(?:\s[^<>]{0,500})?>(?:\s*<(?:b|strong|em|i|code|span|p)(?:\s[^<>]{0,500})?>)*/gi;

/** False where no table can be. */
export function mayHoldHtmlTable(text: string): boolean {
  return text.includes('<') && /<tr/i.test(text);
}

/** Tables of HTML: a row of names, and the rows below it that have as many cells. Cost: linear in the text. */
export function findHtmlTables(text: string, room: CellRoom): readonly Table[] {
  if (!mayHoldHtmlTable(text)) return [];
  const tables: Table[] = [];
  let names: readonly string[] | undefined;
  let rows: Row[] = [];
  let cells: Span[] = [];
  const endRow = (): void => {
    if (cells.length === 0) return;
    if (names === undefined) names = namesOf(text, cells);
    else if (cells.length === names.length)
      rows.push({ start: cells[0].start, end: cells[cells.length - 1].end, cells });
    cells = [];
  };
  const endTable = (): void => {
    endRow();
    if (names !== undefined && rows.length > 0) tables.push({ names, rows });
    names = undefined;
    rows = [];
  };
  for (const { 0: whole, 1: name, index } of text.matchAll(tag)) {
    if (room.left <= 0) break;
    const kind = name.toLowerCase();
    if (kind === '/table') endTable();
    else if (kind === 'tr') endRow();
    else {
      room.left--;
      const start = index + whole.length;
      const end = text.indexOf('<', start);
      cells.push(trimmed(text, start, end < 0 ? text.length : end));
    }
  }
  endTable();
  return tables;
}

/** No names where one of them is none: then nobody knows what the columns hold. */
function namesOf(text: string, cells: readonly Span[]): readonly string[] {
  const names = cells.map(({ start, end }) => text.slice(start, end));
  return names.every(isName) ? names : names.map(() => '');
}
