import { limits } from './limits.js';

/**
 * Every failure that a caller can meet, in one table: HTTP status, title, and whether to try again.
 * The table is tested against the API reference. Bugs are not in here: they are assertions and answer 500.
 */
export const errorTable = {
  body_not_json: { status: 400, title: 'Body is not valid JSON' },
  unauthorized: { status: 401, title: 'Not authenticated' },
  forbidden_scope: { status: 403, title: 'Token lacks the scope' },
  forbidden_role: { status: 403, title: 'Role does not allow this' },
  forbidden_origin: { status: 403, title: 'Foreign origin' },
  forbidden_csrf: { status: 403, title: 'CSRF token missing or wrong' },
  forbidden_app: { status: 403, title: 'Forbidden' },
  unknown_app: { status: 404, title: 'Not found' },
  unknown_id: { status: 404, title: 'Not found' },
  unknown_path: { status: 404, title: 'No such path' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type' },
  invalid_input: { status: 422, title: 'Invalid input' },
  rate_limited: { status: 429, title: 'Too many requests', retry: true },
  internal: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Overloaded', retry: true },
  deadline: { status: 503, title: 'Deadline missed', retry: true },
  worker_lost: { status: 503, title: 'Scan lost', retry: true },
  draining: { status: 503, title: 'Shutting down', retry: true },
  store_unavailable: { status: 503, title: 'Store unavailable', retry: true },
  rules_unavailable: { status: 503, title: 'Rules not ready', retry: true },
} as const satisfies Record<string, { status: number; title: string; retry?: boolean }>;

export type ErrorCode = keyof typeof errorTable;

/** One invalid field: a JSON pointer (RFC 6901) into the body, or `?name` for a query parameter. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
  /** Code of a diagnostic, where the field is part of a rule. */
  readonly code?: string;
}

/** A limit of so many attempts in a window that has nothing left, by its name on the wire. */
export interface SpentLimit {
  readonly name: string;
  readonly attempts: number;
  readonly windowSeconds: number;
}

/**
 * A caller's mistake or a spent limit. `detail` is shown to the caller and never quotes message content; `cause` is
 * for the log, which leaves its message out.
 */
export class GuardError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  /** For `Retry-After`, where another wait than the usual one is due. */
  readonly retryAfterSeconds: number | undefined;
  /** For the rate headers of an answer, where it does not have those of the token. */
  readonly spent: SpentLimit | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    fields: readonly FieldError[] = [],
    options: ErrorOptions & { readonly retryAfterSeconds?: number; readonly spent?: SpentLimit } = {},
  ) {
    // An answer, not a bug: nobody reads where it was made, and a flood of refusals would pay for telling.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'GuardError';
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.spent = options.spent;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** What was thrown, as a caller may see it: of anything but a `GuardError` only that it happened. */
export function errorFor(thrown: unknown): GuardError {
  return thrown instanceof GuardError ? thrown : new GuardError('internal', 'An internal error occurred.');
}

/**
 * The `invalid_input` that names these fields, one or more. `total` counts those that are wrong and not listed, too; beyond
 * `limits.problemErrorsCountedMax` it only says that there are more.
 */
export function invalidInput(fields: readonly FieldError[], total: number = fields.length): GuardError {
  const [first] = fields;
  if (first === undefined) throw new Error('A value was refused without a reason.');
  if (total === 1) return new GuardError('invalid_input', `${first.pointer} ${first.message}.`, fields);
  if (total > limits.problemErrorsCountedMax) {
    const many = `More than ${limits.problemErrorsCountedMax} fields are invalid.`;
    return new GuardError('invalid_input', `${many} Only the first ${fields.length} are listed.`, fields);
  }
  const unlisted = total - fields.length;
  const rest = unlisted === 0 ? '' : ` Only the first ${fields.length} are listed; ${unlisted} more are not.`;
  return new GuardError('invalid_input', `${total} fields are invalid.${rest}`, fields);
}

/** What is wrong with a cursor, however it is wrong: made up, of other filters, or given to another organization. */
export const wrongCursor = 'is not one that this list gave with these filters';
