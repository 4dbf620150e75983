import pc from 'picocolors';
import { systemCodeOf } from '../domain/system-error.js';

/** Wrong usage of a command: exit code 2, the message names the argument. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** What is said of a file that cannot be opened; `argument` named it. */
export function unreadable(path: string, error: unknown, argument = 'FILE'): UsageError {
  return new UsageError(`${argument}: ${path} cannot be read (${systemCodeOf(error)})`);
}

/** The same of a file that cannot be written. */
export function unwritable(path: string, error: unknown, argument = '--out'): UsageError {
  return new UsageError(`${argument}: ${path} cannot be written (${systemCodeOf(error)})`);
}

/** Results go to standard output … */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** … and everything else to standard error. It quotes file names and the like, and has no colours. */
export function note(line: string): void {
  process.stderr.write(`${visible(line)}\n`);
}

/** Names as part of a sentence; of more than twenty, which nobody reads, the others are counted as so many more of `what`. */
export function listed(names: readonly string[], what: string): string {
  const rest = names.length > namesMax ? ` and ${names.length - namesMax} more ${what}` : '';
  return `${names.slice(0, namesMax).join(', ')}${rest}`;
}

const namesMax = 20;

/** Foreign text never steers the terminal: control and bidi characters other than tab and line feed are spelt out. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Colours for standard output: off where it is no terminal or `NO_COLOR` is set. */
export const colors = pc.createColors(pc.isColorSupported && process.stdout.isTTY === true);

/** Columns padded to their widest cell, two spaces apart; the last one is not padded. Cells may be foreign text. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(visible));
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column].length))) ?? [];
  return rows
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]))).join('  '),
    )
    .join('\n');
}
