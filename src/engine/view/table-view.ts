import { limits } from '../../domain/limits.js';
import { findDumpTables, mayHoldDumpTable } from './dump-tables.js';
import { findHtmlTables, mayHoldHtmlTable } from './html-tables.js';
import { viewBit } from './kinds.js';
import { findLineTables, mayHoldLineTable } from './line-tables.js';
import { findListTables, mayHoldListTable } from './list-tables.js';
import type { Table } from './table.js';
import { type View, type ViewBudget, ViewBuilder } from './view.js';

/** Columns whose values are of interest without a digit in them. */
const secretName =
  /pass|pwd|secret|token|key|cred|\bpin\b|kennwort|contrase|clave|senha|parola|heslo|has[lł]o|wachtwoord|l[oö]senord|adgangskode|jelsz|пароль|סיסמ|كلمة|密码|密碼|パスワード|비밀번호/i;
const digit = /\p{Nd}/u;

/** False where a text holds no table of any kind. */
export function mayHoldTable(text: string): boolean {
  return mayHoldLineTable(text) || mayHoldHtmlTable(text) || mayHoldListTable(text) || mayHoldDumpTable(text);
}

/** All tables of a text, in order; of two that overlap the first. */
function tablesOf(text: string): readonly Table[] {
  const room = { left: limits.tableCellsMax };
  const found = [
    ...findHtmlTables(text, room),
    ...findListTables(text, room),
    ...findDumpTables(text, room),
    ...findLineTables(text, room),
  ];
  let end = 0;
  return found
    .sort((a, b) => a.rows[0].start - b.rows[0].start)
    .filter(({ rows }) => {
      const isBehind = rows[0].start >= end;
      if (isBehind) end = rows[rows.length - 1].end;
      return isBehind;
    });
}

/**
 * The text with each number of a table behind the name of its column (`PPSN: 5743021U`), on a line of its own: so all rules find it that
 * look for a value behind its name. The name takes no room in the text that is read: a match that holds it begins with the value. Large
 * tables are read so only in part: `limits.tableCellsMax` cells, and as far as half of what is left of the budget. Undefined without tables.
 */
export function tableView(parent: View, budget: ViewBudget): View | undefined {
  const builder = new ViewBuilder(parent, budget);
  let left = budget.unitsLeft >> 1;
  for (const table of tablesOf(parent.text)) left = readTable(parent.text, table, left, builder);
  return builder.finish(parent.depth + 1);
}

function readTable(text: string, { names, rows }: Table, room: number, builder: ViewBuilder): number {
  const isSecret = names.map((name) => secretName.test(name));
  let left = room;
  let position = rows[0].start;
  for (const { cells } of rows) {
    for (const [column, { start, end }] of cells.entries()) {
      if (names[column] === '' || !(isSecret[column] || digit.test(text.slice(start, end)))) continue;
      const label = `\n${names[column]}: `;
      left -= label.length + end - start;
      if (left < 0) return 0;
      builder.kinds = viewBit('table');
      builder.replace(position, start);
      builder.putBeside(label, start);
      position = end;
    }
  }
  const { end } = rows[rows.length - 1];
  if (position > rows[0].start) {
    builder.replace(position, end);
    builder.putBeside('\n', end);
  }
  return left;
}
