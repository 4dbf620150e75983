import Type, { type Static } from 'typebox';
import { limits } from '../domain/limits.js';
import { cursor } from './schemas.js';

/** Query of every list of rows in their order of creation. */
export const listQuery = Type.Object(
  {
    per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.perPageMax, default: limits.perPageMax })),
    cursor: cursor('^[0-9]{1,15}-[0-9a-f-]{36}$'),
  },
  { additionalProperties: false },
);

/** Beside the rows of a page. */
export const listMeta = Type.Object({
  total: Type.Integer({ minimum: 0, description: 'Rows over all pages.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Pass it as `cursor` to go on after this page; null on the last page.',
  }),
});

/** The page that was asked for, of rows by time of creation, then id. Rows may come and go between two pages. */
export function listPage<Row extends { readonly id: string; readonly createdAt: number }, Item>(
  rows: readonly Row[],
  { cursor, per_page: perPage = limits.perPageMax }: Static<typeof listQuery>,
  toItem: (row: Row) => Item,
): { readonly data: readonly Item[]; readonly meta: { readonly total: number; readonly next_cursor: string | null } } {
  const dash = cursor?.indexOf('-') ?? 0;
  const after = cursor === undefined ? undefined : { at: Number(cursor.slice(0, dash)), id: cursor.slice(dash + 1) };
  const isLater = ({ createdAt, id }: Row) =>
    after === undefined || createdAt > after.at || (createdAt === after.at && id > after.id);
  const rest = rows.filter(isLater);
  const page = rest.slice(0, perPage);
  const last = page.at(-1);
  const next = last === undefined || rest.length === page.length ? null : `${last.createdAt}-${last.id}`;
  return { data: page.map(toItem), meta: { total: rows.length, next_cursor: next } };
}
