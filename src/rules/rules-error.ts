import { type Diagnostic, formatDiagnostic } from './diagnostic.js';

/**
 * The rules do not compile, or there are none; the message holds every error, one a line. In a file of its own, because it is part of
 * the library: with `load.ts` its declarations would ask for types of Node and WebAssembly.
 */
export class RulesError extends Error {
  /** The errors, where they lie in files. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(message: string, diagnostics: readonly Diagnostic[] = []) {
    super(message);
    this.name = 'RulesError';
    this.diagnostics = diagnostics;
  }
}

/** Of errors that lie in files. */
export function rulesErrorOf(errors: readonly Diagnostic[]): RulesError {
  return new RulesError(errors.map(formatDiagnostic).join('\n'), errors);
}
