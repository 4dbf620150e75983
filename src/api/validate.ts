import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { invalidInput } from '../domain/errors.js';
import { explainerOf, FoundErrors, queryRoot } from './field-errors.js';

/**
 * Checks a value against a schema and gives it back typed. Throws `invalid_input` with every invalid field
 * (`limits.problemErrorsMax` of them; the detail tells the number of the others, up to a bound). Names fields, never quotes values.
 * `found` holds what was found wrong before, which is then reported together with the rest.
 */
export type Checker<Schema extends TSchema> = (value: unknown, found?: FoundErrors) => Static<Schema>;

/**
 * The checker of a request schema, compiled when it is first used: a millisecond each, and a start would wait for twenty
 * of them. `place` decides how fields are named: `/messages/0/role` in a body,
 * `?per_page` in a query. Cost of a check that passes: some 70 ns for a body of one message.
 */
export function createChecker<Schema extends TSchema>(schema: Schema, place: 'body' | 'query'): Checker<Schema> {
  let validator: Validator<Record<never, never>, Schema> | undefined;
  let explain: ReturnType<typeof explainerOf> | undefined;
  return (value, found) => {
    if (found === undefined || found.total === 0) {
      validator ??= Compile(schema);
      if (validator.Check(value)) return value;
    }
    const all = found ?? new FoundErrors();
    explain ??= explainerOf(schema);
    explain(value, place === 'query' ? queryRoot : '', all);
    throw invalidInput(all.fields, all.total);
  };
}
