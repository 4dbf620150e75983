import Type, { type TArray, type TEnum, type TObject, type TSchema, type TUnion } from 'typebox';
import { Check } from 'typebox/value';
import { type FieldError, wrongCursor } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import { storablePattern } from './schemas.js';

/**
 * Says in plain words what is wrong with a value, field by field. The compiled check decides; this only explains,
 * so it may be slow. (TypeBox's own list of errors is cut at a number that is global to the process, and words
 * things for the authors of schemas.)
 */
export type Explain = (value: unknown, pointer: string, found: FoundErrors) => void;

/**
 * Invalid fields: the first `limits.problemErrorsMax` of them, and how many there are in all, as far as
 * `limits.problemErrorsCountedMax`: who finds them stops looking then.
 */
export class FoundErrors {
  readonly fields: FieldError[] = [];
  total = 0;

  add(pointer: string, message: string): void {
    this.total++;
    if (this.fields.length < limits.problemErrorsMax) this.fields.push({ pointer, message });
  }

  /** True once there are so many that nobody needs to know how many more. */
  get isFull(): boolean {
    return this.total > limits.problemErrorsCountedMax;
  }

  /** The pointer to a field of the thing that `parent` points to; not made once no more fields are listed. */
  pointer(parent: string, key: string | number): string {
    return this.fields.length < limits.problemErrorsMax ? pointerTo(parent, key) : parent;
  }
}

/** Root of the query parameters; that of a body is the empty string (RFC 6901). */
export const queryRoot = '?';

/** Longest key that is repeated back, in UTF-16 units: a pointer is to name a field, not to return the body. */
const keyUnitsMax = 200;

function pointerTo(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}/${key}`;
  const name = key.length > keyUnitsMax ? `${key.slice(0, keyUnitsMax)}…` : key;
  if (parent === queryRoot) return `${queryRoot}${name}`;
  return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The explainer of a schema. Throws for kinds of schema that no request uses yet. */
export function explainerOf(schema: TSchema): Explain {
  if (Type.IsObject(schema)) return explainObject(schema);
  if (Type.IsArray(schema)) return explainArray(schema);
  if (Type.IsString(schema)) return explainValue(schema, isString, 'must be a string', stringWords(schema));
  if (Type.IsInteger(schema)) return explainValue(schema, isInteger, 'must be a whole number', rangeWords(schema));
  if (Type.IsNumber(schema)) return explainValue(schema, isNumber, 'must be a number', scoreWords(schema));
  if (Type.IsBoolean(schema)) return explainValue(schema, isBoolean, 'must be true or false', '');
  if (Type.IsEnum(schema))
    return explainValue(schema, isString, `must be one of ${list(schema)}`, `must be one of ${list(schema)}`);
  if (Type.IsUnion(schema)) return explainNullable(schema);
  throw new Error('There are no words yet for this kind of schema.');
}

function explainNullable({ anyOf }: TUnion): Explain {
  const explainers = anyOf.filter((schema) => !Type.IsNull(schema)).map(explainerOf);
  if (explainers.length !== 1) throw new Error('There are no words yet for a choice of several kinds.');
  return (value, pointer, found) => {
    if (value !== null) explainers[0](value, pointer, found);
  };
}

function explainObject(schema: TObject): Explain {
  const required = new Set<string>(schema.required);
  const properties = Object.entries(schema.properties).map(([key, child]) => ({ key, explain: explainerOf(child) }));
  const known = new Set(properties.map(({ key }) => key));
  const closed = Reflect.get(schema, 'additionalProperties') === false;
  return (value, pointer, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      found.add(pointer, 'must be an object');
      return;
    }
    for (const { key, explain } of properties) {
      if (Object.hasOwn(value, key)) explain(Reflect.get(value, key), found.pointer(pointer, key), found);
      else if (required.has(key)) found.add(found.pointer(pointer, key), 'is required');
    }
    const unknown = pointer === queryRoot ? 'is not a known parameter' : 'is not a known field';
    if (!closed) return;
    for (const key of Object.keys(value)) {
      if (found.isFull) return;
      if (!known.has(key)) found.add(found.pointer(pointer, key), unknown);
    }
  };
}

/** The items of an array that is too long are not looked at: the limit bounds the work, too. */
function explainArray(schema: TArray): Explain {
  const explainItem = explainerOf(schema.items);
  const least = keyword(schema, 'minItems') ?? 0;
  const most = keyword(schema, 'maxItems') ?? Number.POSITIVE_INFINITY;
  return (value, pointer, found) => {
    if (!Array.isArray(value)) {
      found.add(pointer, 'must be an array');
    } else if (value.length < least || value.length > most) {
      found.add(pointer, `must hold ${least} to ${most} items`);
    } else {
      for (const [index, item] of value.entries()) {
        if (found.isFull) return;
        explainItem(item, found.pointer(pointer, index), found);
      }
    }
  };
}

/** `kindWords` where the type is wrong, `valueWords` where the type is right and the schema still refuses. */
function explainValue(
  schema: TSchema,
  isKind: (value: unknown) => boolean,
  kindWords: string,
  valueWords: string | ((value: unknown) => string),
): Explain {
  return (value, pointer, found) => {
    if (!isKind(value)) found.add(pointer, kindWords);
    else if (!Check(schema, value)) found.add(pointer, typeof valueWords === 'string' ? valueWords : valueWords(value));
  };
}

const isString = (value: unknown) => typeof value === 'string';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isNumber = (value: unknown) => typeof value === 'number';
const isInteger = (value: unknown) => Number.isInteger(value);

const formatWords: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  cursor: wrongCursor,
  'date-time': 'must be a date and time with an offset from UTC, such as 2026-01-31T08:00:00Z',
};

/** Of a text that is too long or too short and of the right form, only its length is told. */
function stringWords(schema: TSchema): (value: unknown) => string {
  const pattern: unknown = Reflect.get(schema, 'pattern');
  const words = lengthWords(schema);
  if (typeof pattern !== 'string' || Reflect.has(schema, 'format')) return () => words;
  const ofForm = Type.String({ pattern });
  const formWords = pattern === storablePattern ? storableWords : `must have the form ${pattern}`;
  return (value) => (Check(ofForm, value) ? words : formWords);
}

const storableWords = 'must not hold NUL or half of a surrogate pair';

function lengthWords(schema: TSchema): string {
  const format: unknown = Reflect.get(schema, 'format');
  if (typeof format === 'string' && format in formatWords) return formatWords[format];
  const most = keyword(schema, 'maxLength');
  if (most === undefined && keyword(schema, 'minLength') === 1) return 'must not be empty';
  return `must be ${keyword(schema, 'minLength') ?? 0} to ${most ?? 'any number of'} characters long`;
}

function rangeWords(schema: TSchema): string {
  const least = keyword(schema, 'minimum') ?? 0;
  const most = keyword(schema, 'maximum');
  return most === undefined ? `must be ${least} or more` : `must be ${least} to ${most}`;
}

function scoreWords(schema: TSchema): string {
  return `must be above ${keyword(schema, 'exclusiveMinimum') ?? 0}, up to ${keyword(schema, 'maximum') ?? 'any'}`;
}

function list(schema: TEnum): string {
  return schema.enum.join(', ');
}

function keyword(schema: TSchema, name: string): number | undefined {
  const value: unknown = Reflect.get(schema, name);
  return typeof value === 'number' ? value : undefined;
}
