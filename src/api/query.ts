import Type, { type Static, type TObject } from 'typebox';
import { FoundErrors, queryRoot } from './field-errors.js';
import { createChecker } from './validate.js';

/**
 * Reads a raw query string (`application/x-www-form-urlencoded`, so `+` is a space) against a schema of whole
 * numbers, booleans and strings. Throws `invalid_input` that names all unknown, repeated, undecodable and invalid
 * parameters, together with what is in `found`.
 */
export type QueryReader<Schema extends TObject> = (query: string, found?: FoundErrors) => Static<Schema>;

export function createQueryReader<Schema extends TObject>(schema: Schema): QueryReader<Schema> {
  const check = createChecker(schema, 'query');
  const kinds = new Map(Object.entries(schema.properties));
  return (query, found = new FoundErrors()) => {
    const values = new Map<string, unknown>();
    const repeated = new Set<string>();
    for (const pair of query.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals === -1 ? pair : pair.slice(0, equals));
      const value = decode(equals === -1 ? '' : pair.slice(equals + 1));
      if (name === undefined || value === undefined) {
        found.add(found.pointer(queryRoot, name ?? pair), 'is not valid percent-encoded UTF-8');
      } else if (values.has(name)) {
        repeated.add(name);
      } else {
        values.set(name, typed(value, kinds.get(name)));
      }
    }
    for (const name of repeated) found.add(found.pointer(queryRoot, name), 'is given more than once');
    return check(Object.fromEntries(values), found);
  };
}

/** Refuses every parameter: for operations that take none, where one would silently have no effect. */
export const readNoQuery = createQueryReader(Type.Object({}, { additionalProperties: false }));

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * What cannot be read as the kind that its parameter wants stays text, which the check then refuses. A time holds
 * no space, so one in it is the `+` of an offset that was not percent-encoded.
 */
function typed(value: string, kind: unknown): unknown {
  if (Type.IsInteger(kind) && /^\d{1,300}$/.test(value)) return Number(value);
  if (Type.IsBoolean(kind) && (value === 'true' || value === 'false')) return value === 'true';
  if (Type.IsString(kind) && Reflect.get(kind, 'format') === 'date-time') return value.replace(' ', '+');
  return value;
}
