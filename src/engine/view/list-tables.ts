import type { Span } from '../../domain/span.js';
import { type CellRoom, isName, nameMax, type Row, type Table, trimmed, unquoted } from './table.js';

/** Names in a list, and behind them the lists of values: the pattern ends where the first of these begins. */
interface ListForm {
  /** False where a text has none. */
  mayHold(text: string): boolean;
  /** The group `names` is the list of them; where it is left out, `table` tells which one has declared its own. */
  readonly names: RegExp;
  readonly open: string;
  readonly close: string;
  readonly quote: string;
}

/** `INSERT INTO … (names) VALUES (…), (…)`, without names behind a `CREATE TABLE … (…)`. A quote in a value is doubled. */
const insertion: ListForm = {
  mayHold: (text) => text.includes('(') && (text.includes('VALUES') || text.includes('values')),
  names:
    /\binsert\s{1,8}into\s{1,8}(?<table>[^\s()]{1,128})\s{0,8}(?:\((?<names>[^()]{1,4096})\)\s{0,8})?values\s{0,8}(?=\()/gi,
  open: '(',
  close: ')',
  quote: "'",
};

/** `"columns": [names], "rows": [[…], […]]`, as databases answer in JSON. */
const columns: ListForm = {
  mayHold: (text) => text.includes('[') && /"(?:column|field|header)/i.test(text),
  names:
    /"(?:columns?|fields?|headers?)"\s{0,8}:\s{0,8}\[(?<names>[^[\]]{1,4096})\]\s{0,8},\s{0,8}"\w{1,40}"\s{0,8}:\s{0,8}\[\s{0,16}(?=\[)/gi,
  open: '[',
  close: ']',
  quote: '"',
};

const forms = [insertion, columns];

export function mayHoldListTable(text: string): boolean {
  return forms.some(({ mayHold }) => mayHold(text));
}

/** Tables whose names stand in a list of their own, in SQL and JSON. Cost: linear in the text. */
export function findListTables(text: string, room: CellRoom): readonly Table[] {
  return forms.flatMap((form) => (form.mayHold(text) ? findInForm(text, form, room) : []));
}

function findInForm(text: string, form: ListForm, room: CellRoom): readonly Table[] {
  const tables: Table[] = [];
  const pattern = new RegExp(form.names);
  let declared: ReadonlyMap<string, readonly string[]> | undefined;
  for (let found = pattern.exec(text); found !== null && room.left > 0; found = pattern.exec(text)) {
    const { table = '', names: written } = found.groups ?? {};
    if (written === undefined) declared ??= declaredNames(text, room);
    const names = written === undefined ? (declared?.get(bare(table)) ?? []) : written.split(',').map(unquoted);
    const lists = listsOf(text, pattern.lastIndex, form, room);
    // No part of the text is read twice.
    if (lists.length > 0) pattern.lastIndex = lists[lists.length - 1].end;
    const rows = lists.filter(({ cells }) => cells.length === names.length);
    if (rows.length > 0 && names.every(isName)) tables.push({ names, rows });
  }
  return tables;
}

/** The names of columns of each table that a text creates, by the table's name. */
function declaredNames(text: string, room: CellRoom): ReadonlyMap<string, readonly string[]> {
  const declared = new Map<string, readonly string[]>();
  const pattern = new RegExp(creation);
  for (let found = pattern.exec(text); found !== null && room.left > 0; found = pattern.exec(text)) {
    const [list] = listsOf(text, pattern.lastIndex, insertion, room);
    pattern.lastIndex = list.end;
    const columns = list.cells.map(({ start, end }) => text.slice(start, Math.min(end, start + nameMax)));
    declared.set(
      bare(found[1]),
      columns.filter((column) => !constraint.test(column)).map((column) => unquoted(column.split(/\s/, 1)[0])),
    );
  }
  return declared;
}

const creation =
  /\bcreate\s{1,8}(?:temp\w{0,6}\s{1,8})?table\s{1,8}(?:if\s{1,8}not\s{1,8}exists\s{1,8})?([^\s()]{1,128})\s{0,8}(?=\()/gi;
/** What stands among columns and is none. */
const constraint = /^(?:primary|foreign|unique|constraint|check|key|index|fulltext|exclude|like)\b/i;

/** A table's name without its schema. */
function bare(table: string): string {
  return unquoted(table.slice(table.lastIndexOf('.') + 1)).toLowerCase();
}

/** Lists in brackets, one behind the other with commas between them. */
function listsOf(text: string, from: number, form: ListForm, room: CellRoom): readonly Row[] {
  const { open, quote } = form;
  const lists: Row[] = [];
  for (let at = from; text[at] === open && room.left > 0; ) {
    const cells: Span[] = [];
    const start = at + 1;
    let end = start;
    do {
      const cellStart = end + (cells.length > 0 ? 1 : 0);
      end = valueEnd(text, cellStart, form);
      const cell = trimmed(text, cellStart, end);
      const isQuoted = text[cell.start] === quote && text[cell.end - 1] === quote && cell.end - cell.start > 1;
      cells.push(isQuoted ? { start: cell.start + 1, end: cell.end - 1 } : cell);
      room.left--;
    } while (text[end] === ',' && room.left > 0);
    lists.push({ start, end, cells });
    at = end + 1;
    while (text[at] === ',' || text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  }
  return lists;
}

/** Units of a value at most. */
const valueMax = 8_192;

/** The next comma or closing bracket outside of quotes and brackets, or where a value is too long. */
function valueEnd(text: string, from: number, { open, close, quote }: ListForm): number {
  let depth = 0;
  const limit = Math.min(text.length, from + valueMax);
  for (let at = from; at < limit; at++) {
    const sign = text[at];
    if (sign === quote) {
      at++;
      while (at < limit && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
    } else if (sign === open) depth++;
    else if (sign === close && depth-- === 0) return at;
    else if (sign === ',' && depth === 0) return at;
  }
  return limit;
}
