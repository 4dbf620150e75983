import { type TSchema, Type } from 'typebox';
import { Errors } from 'typebox/value';
import { pathOf, type YamlPath } from './yaml-path.js';

/** What is wrong with a value of a file, and where it stands; the message names the place. */
export interface SchemaProblem {
  readonly path: YamlPath;
  readonly message: string;
}

/**
 * Everything that a schema refuses in a value, once for each place. A value that may have several forms is judged by the one
 * form that it was meant in, as its keys and its type tell. (TypeBox's own list holds the errors of all forms, and of them
 * the first eight.) Throws where nothing is found: the value should have passed.
 */
export function schemaProblems(schema: TSchema, value: unknown): readonly SchemaProblem[] {
  const found = new Map<string, SchemaProblem>();
  look(schema, value, [], (path, message) => {
    const name = path.length === 0 ? 'the file' : path.join('.');
    const key = JSON.stringify(path);
    if (!found.has(key)) found.set(key, { path, message: `${name}: ${message}` });
  });
  if (found.size === 0) throw new Error('A value that no schema refuses was refused.');
  return [...found.values()];
}

type Report = (path: YamlPath, message: string) => void;

function look(schema: TSchema, value: unknown, path: YamlPath, report: Report): void {
  if (Type.IsUnion(schema)) {
    const form = formOf(schema.anyOf, value);
    if (typeof form === 'string') report(path, form);
    else look(form, value, path, report);
  } else if (Type.IsArray(schema) && Array.isArray(value)) {
    ofItself({ ...schema, items: {} }, value, path, report);
    for (const [index, item] of value.entries()) look(schema.items, item, [...path, index], report);
  } else if (Type.IsObject(schema) && isMapping(value)) {
    const children = Object.entries(schema.properties);
    ofItself({ ...schema, properties: Object.fromEntries(children.map(([key]) => [key, {}])) }, value, path, report);
    for (const [key, child] of children) {
      if (Object.hasOwn(value, key)) look(child, value[key], [...path, key], report);
    }
  } else {
    ofItself(schema, value, path, report);
  }
}

/** The form of a union that a value was meant in, or why that cannot be told. */
function formOf(forms: readonly TSchema[], value: unknown): TSchema | string {
  const mappings = forms.filter(Type.IsObject);
  const marks = mappings.map((form) => form.required?.[0] ?? '');
  if (isMapping(value) && mappings.length === 1) return mappings[0];
  if (isMapping(value) || mappings.length === forms.length) {
    const present = isMapping(value) ? mappings.filter((_, index) => Object.hasOwn(value, marks[index])) : [];
    return present.length === 1 ? present[0] : `must have one of ${marks.join(', ')}, and only one`;
  }
  const ofType = forms.find((form) => (Array.isArray(value) ? Type.IsArray(form) : typeof value === typeOf(form)));
  return ofType ?? `must be ${forms.map(typeOf).join(' or ')}`;
}

function typeOf(schema: TSchema): unknown {
  return Reflect.get(schema, 'type');
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the schema says of the value as a whole, and, of one without named children, of all that is in it. */
function ofItself(schema: TSchema, value: unknown, path: YamlPath, report: Report): void {
  for (const { keyword, instancePath, message, params } of Errors(schema, value)) {
    // Each key that is too many is an error of its own.
    if (keyword === 'additionalProperties') continue;
    report([...path, ...pathOf(instancePath)], wordsOf(keyword, message, params));
  }
}

function wordsOf(keyword: string, message: string, params: object): string {
  if (keyword === 'boolean') return 'there is no such key';
  const values: unknown = Reflect.get(params, 'allowedValues');
  return keyword === 'enum' && Array.isArray(values) ? `must be one of ${values.join(', ')}` : message;
}
