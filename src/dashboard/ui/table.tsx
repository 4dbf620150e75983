import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly name: string;
  /** Numbers stand at the end of their column. */
  readonly end?: boolean;
  /** Its cells hold a few characters, to be kept in one line. */
  readonly short?: boolean;
  /** Shown to screen readers only: for columns of buttons. */
  readonly hideName?: boolean;
  cell(row: Row): ComponentChildren;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  /** Class of a row. */
  classOf?(row: Row): string;
}

/** A table; on a page that is not wide every row becomes a card, each cell with the name of its column. */
export function Table<Row>({ caption, columns, rows, keyOf, classOf }: Props<Row>) {
  return (
    <table class="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, end, hideName }) => (
            <th key={name} scope="col" class={end ? 'end' : ''}>
              {hideName ? <span class="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={classOf?.(row) ?? ''}>
            {columns.map(({ name, end, short, hideName, cell }) => (
              <td
                key={name}
                class={`${end ? 'end' : ''} ${short ? 'short' : ''}`}
                data-name={hideName ? undefined : name}
              >
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
