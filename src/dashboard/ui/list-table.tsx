import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount, formatNumber } from '../format.js';
import { Field } from './field.js';
import { Empty } from './states.js';
import { type Column, Table } from './table.js';

/** Rows that are put on the page at a time. */
const rowsStep = 100;
/** A list of so many is not searched: it is seen at a glance. */
const glanceMax = 20;

interface Props<Row> {
  readonly caption: string;
  /** What one of the rows is called. */
  readonly one: string;
  readonly columns: readonly Column<Row>[];
  /** Newest first. */
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  classOf?(row: Row): string;
  /** What is searched. */
  textOf(row: Row): string;
  /** A choice to leave the other rows out. */
  readonly only?: { readonly label: string; holds(row: Row): boolean };
  /** No more rows than this were asked for, the oldest: a list that has as many says so. */
  readonly cutAt: number;
}

/** The table of a list that was read whole: searched where it is long, and shown a part at a time. */
export function ListTable<Row>({ one, rows, textOf, only, cutAt, ...table }: Props<Row>) {
  const [search, setSearch] = useState('');
  const [narrowed, setNarrowed] = useState(false);
  const [rowsMax, setRowsMax] = useState(rowsStep);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button may be gone: what is read next is the first row that it brought.
    const row = box.current?.querySelectorAll<HTMLElement>('tbody tr')[rowsMax - rowsStep];
    if (rowsMax === rowsStep || row === undefined) return;
    row.tabIndex = -1;
    row.focus();
  }, [rowsMax]);
  const words = search.trim().toLowerCase();
  const found = rows.filter(
    (row) => (!narrowed || only === undefined || only.holds(row)) && textOf(row).toLowerCase().includes(words),
  );
  return (
    <div ref={box}>
      {rows.length === cutAt && (
        <p class="note">
          Only the oldest {formatNumber(cutAt)} are listed. A script can read all of them from the API.
        </p>
      )}
      {rows.length > glanceMax && (
        <search class="filters">
          <Field label="Search" class="two">
            {(control) => (
              <input
                {...control}
                type="search"
                value={search}
                onInput={(event) => setSearch(event.currentTarget.value)}
              />
            )}
          </Field>
          {only !== undefined && (
            <div class="actions">
              <label class="check">
                <input
                  type="checkbox"
                  checked={narrowed}
                  onChange={(event) => setNarrowed(event.currentTarget.checked)}
                />
                <span>{only.label}</span>
              </label>
            </div>
          )}
        </search>
      )}
      {rows.length > glanceMax && (
        <p class="quiet count" role="status">
          {found.length < rows.length && `${formatNumber(found.length)} of `}
          {formatCount(rows.length, one)}
        </p>
      )}
      {found.length === 0 ? <Empty title={`No ${one} fits.`} /> : <Table {...table} rows={found.slice(0, rowsMax)} />}
      {found.length > rowsMax && (
        <div class="pager">
          <button type="button" onClick={() => setRowsMax(rowsMax + rowsStep)}>
            Show {Math.min(rowsStep, found.length - rowsMax)} more
          </button>
        </div>
      )}
    </div>
  );
}
