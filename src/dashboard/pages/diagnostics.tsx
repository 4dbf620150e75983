import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Diagnostic } from '../wire.js';

/** What the compiler says of the rules that are being edited. */
export const DiagnosticsContext = createContext<readonly Diagnostic[]>([]);

/** What it says of the field at this pointer, in one text; undefined where that is nothing. */
export function useDiagnostic(pointer: string): string | undefined {
  const own = useContext(DiagnosticsContext).filter((one) => one.pointer === pointer);
  if (own.length === 0) return undefined;
  return own
    .map(
      ({ code, character, message }) => `${code}${character > 0 ? ` at character ${character + 1}` : ''}: ${message}`,
    )
    .join('\n');
}

/** The same of this field and all within it. */
export function useDiagnosticsWithin(pointer: string): string | undefined {
  const own = useContext(DiagnosticsContext).filter(
    (one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`),
  );
  return own.length === 0 ? undefined : own.map(({ code, message }) => `${code}: ${message}`).join('\n');
}
