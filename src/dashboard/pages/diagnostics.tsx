import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldProblem } from '../client.js';
import type { Diagnostic } from '../wire.js';

/** What the compiler says of a place in the rules, or, without a code, the service of what no compiler can read. */
export type Said = FieldProblem & Partial<Diagnostic>;

/** What is said of the rules that are being edited. */
export const DiagnosticsContext = createContext<readonly Said[]>([]);

/** What it says of the field at this pointer, in one text; undefined where that is nothing. */
export function useDiagnostic(pointer: string): string | undefined {
  const own = useContext(DiagnosticsContext).filter((one) => one.pointer === pointer);
  if (own.length === 0) return undefined;
  return own.map((one) => wordsOf(one, one.character)).join('\n');
}

/** The same of this field and all within it. */
export function useDiagnosticsWithin(pointer: string): string | undefined {
  const own = useContext(DiagnosticsContext).filter(
    (one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`),
  );
  return own.length === 0 ? undefined : own.map((one) => wordsOf(one)).join('\n');
}

function wordsOf({ code, message }: Said, character = 0): string {
  if (code === undefined) return message;
  return `${code}${character > 0 ? ` at character ${character + 1}` : ''}: ${message}`;
}
