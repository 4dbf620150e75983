import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Diagnostic, DiagnosticCode } from './diagnostic.js';
import { schemaProblems } from './schema-problems.js';
import type { YamlPath } from './yaml-path.js';

/** A parsed YAML file that knows where each of its values stands. */
export interface YamlFile<T> {
  readonly file: string;
  readonly value: T;
  /** A problem at a value, or, with `index`, at that character of a text value. */
  diagnostic(code: DiagnosticCode, message: string, path: YamlPath, index?: number): Diagnostic;
}

/** A YAML alias may repeat its anchor this often at the most; the parser refuses more. */
const aliasCountMax = 100;

/** Parses and checks a file: either the value in its true type, or everything that is wrong with it. */
export function parseYamlFile<S extends TSchema>(
  file: string,
  text: string,
  schema: Validator<Record<never, TSchema>, S>,
): { readonly parsed?: YamlFile<Static<S>>; readonly diagnostics: readonly Diagnostic[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const syntax = [...document.errors, ...document.warnings].map(
    ({ pos, code, message }): Diagnostic => ({
      ...place(pos[0]),
      code: 'E101',
      // The parser's words are about functions of its own.
      message: code === 'MULTIPLE_DOCS' ? 'a second document begins here, and a file holds one' : firstLine(message),
    }),
  );
  if (syntax.length > 0) return { diagnostics: syntax };

  const diagnostic: YamlFile<unknown>['diagnostic'] = (code, message, path, index = 0) => ({
    ...place(offsetOf(document, path, index)),
    code,
    message,
  });
  const read = valueIn(document);
  if ('problem' in read) return { diagnostics: [{ ...place(read.offset), code: 'E101', message: read.problem }] };
  const { value } = read;
  if (schema.Check(value)) return { parsed: { file, value, diagnostic }, diagnostics: [] };
  return {
    diagnostics: schemaProblems(schema.Type(), value).map(({ path, message }) => diagnostic('E102', message, path)),
  };
}

interface BrokenAlias {
  readonly offset: number;
  readonly problem: string;
}

/** The parser finds out about aliases only when it makes values, by throwing, and without a place. */
function valueIn(document: Document): { readonly value: unknown } | BrokenAlias {
  let first: number | undefined;
  let broken: BrokenAlias | undefined;
  visit(document, {
    Alias: (_, alias, ancestors) => {
      const offset = alias.range?.[0] ?? 0;
      first ??= offset;
      const target = alias.resolve(document);
      if (target && !ancestors.includes(target)) return undefined;
      broken = { offset, problem: `the alias *${alias.source} ${target ? 'contains itself' : 'has no anchor'}` };
      return visit.BREAK;
    },
  });
  if (broken) return broken;
  try {
    return { value: document.toJS({ maxAliasCount: aliasCountMax }) };
  } catch (error) {
    if (first === undefined) throw error;
    return { offset: first, problem: `aliases repeat an anchor more than ${aliasCountMax} times` };
  }
}

/** Where a value starts in the file; the nearest enclosing one where it is missing. */
function offsetOf(document: Document, path: YamlPath, index: number): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = (node as { range?: readonly [number, number, number] } | undefined)?.range;
    if (!range) continue;
    const isInline = isScalar(node) && (node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE');
    const isPlain = isScalar(node) && node.type === 'PLAIN';
    if (length < path.length || !(isInline || isPlain)) return range[0];
    return Math.min(range[0] + index + (isInline && index > 0 ? 1 : 0), range[1]);
  }
  return 0;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0];
}
