/** What can be wrong in rule files. Codes are stable: E errors keep the rules from loading, W warnings do not. */
export const diagnosticCodes = {
  E101: 'the file is not valid YAML',
  E102: 'a key is missing, unknown or of the wrong form',
  E103: 'the id does not belong to the policy of its pack',
  E104: 'the id is used twice',
  E105: 'the id was retired and is never used again',
  E106: 'the folder does not belong to the policy of its pack',
  E107: 'the file cannot be read',
  E201: 'the phrase cannot be parsed',
  E202: 'the regex cannot be parsed or RE2 refuses it',
  E203: 'there is no such validator',
  E204: 'the pattern matches the empty text',
  E205: 'there is no such word class',
  E206: 'the regex takes too long to compile',
  E207: 'an allowed phrase names no rule that there is',
  E208: 'a limit on the rules of an organization is exceeded',
  E209: 'patterns_of names no rule that there is',
  E210: 'patterns_of names a rule that has no patterns to share',
  E301: 'the rule does not hit its own example',
  E302: 'the rule marks other text than the example says',
  E303: 'the rule hits an example that it must not hit',
  E304: 'a part of a new rule is still to be filled in',
  E401: 'two profiles have the same id',
  E402: 'a profile names a model that there is not',
  E601: 'the model is damaged, foreign or of another format',
  E602: 'the model is too large, or there are too many',
  W501: 'no literal is required, so the regex runs on every message',
  W502: 'the regex has no bounded length, so it runs on whole messages',
  W503: 'the gate opens on more than 1 % of ordinary messages',
  W504: 'the regex takes long to compile, and much memory',
  W505: 'the pattern is read otherwise than it seems to be meant',
} as const;

export type DiagnosticCode = keyof typeof diagnosticCodes;

/** A coded problem at a place in a rule file. Lines and columns count from 1. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly code: DiagnosticCode;
  /** One sentence without the place and the code. */
  readonly message: string;
}

/** `file:line:column CODE message` */
export function formatDiagnostic({ file, line, column, code, message }: Diagnostic): string {
  return `${file}:${line}:${column} ${code} ${message}`;
}

/** Equal ones once: what is made of one pattern may say the same thing twice. */
export function distinctDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [formatDiagnostic(diagnostic), diagnostic])).values()];
}

/** By file, line, column, code; equal ones once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...distinctDiagnostics(diagnostics)].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
