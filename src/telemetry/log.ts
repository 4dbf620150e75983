import { type DestinationStream, pino } from 'pino';
import type { ErrorCode } from '../domain/errors.js';
import type { PolicyCode } from '../domain/policy.js';
import type { LogLevel } from './log-level.js';
import { StandardError } from './standard-error.js';

/**
 * Everything that a log line may carry beside its message. The set is closed and holds ids, numbers and codes
 * only, so that a prompt or a token cannot be logged by passing a request or an error along. Text that a person
 * wrote goes through `LoggedText`, an exception through `describeError`.
 */
interface LogFields {
  readonly request_id?: string;
  readonly scan_id?: string;
  readonly user_id?: string;
  readonly organization_id?: string;
  readonly token_id?: string;
  readonly app_uuid?: string | null;
  readonly route?: string;
  readonly method?: string;
  /** HTTP status that was answered, by the service or to it. */
  readonly status?: number;
  readonly code?: ErrorCode;
  readonly duration_us?: number;
  readonly flagged?: boolean;
  readonly payload_count?: number;
  readonly policies?: readonly PolicyCode[];
  readonly count?: number;
  readonly host?: string;
  readonly port?: number;
  readonly signal?: string;
  readonly version?: string;
  readonly generation?: number;
  /** What is wrong in a file that the operator wrote, and where. */
  readonly problem?: LoggedText;
  /** Why the store fails, in its own words, which hold nothing of what is stored. */
  readonly reason?: LoggedText;
  readonly error?: LoggedError;
  /** Redacted beginnings of messages. */
  readonly previews?: readonly LoggedText[];
  /** What a client asked to have logged with its call. */
  readonly metadata?: LoggedText;
}

/** What is undefined is not written. */
type MaybeFields = { readonly [Name in keyof LogFields]: LogFields[Name] | undefined };

/**
 * A message that was written into the program: a `string` computed at run time is refused by the compiler,
 * because it could hold a prompt.
 */
type Fixed<Message extends string> = Message & (string extends Message ? never : Message);

/** Writes structured lines. Never throws; waits a second at most, see `StandardError`. */
export interface Logger {
  debug<Message extends string>(message: Fixed<Message>, fields?: MaybeFields): void;
  info<Message extends string>(message: Fixed<Message>, fields?: MaybeFields): void;
  warn<Message extends string>(message: Fixed<Message>, fields?: MaybeFields): void;
  error<Message extends string>(message: Fixed<Message>, fields?: MaybeFields): void;
  /** Whether lines of this level are written; lets hot code skip the making of fields. */
  writes(level: Exclude<LogLevel, 'silent'>): boolean;
}

/** A person's text that the caller vouches for: redacted, or meant for the log. Cut to `unitsMax` UTF-16 units. */
export class LoggedText {
  readonly #text: string;

  constructor(text: string, unitsMax: number) {
    this.#text = text.length > unitsMax ? `${text.slice(0, unitsMax)}…` : text;
  }

  toJSON(): string {
    return this.#text;
  }
}

/** An exception without its message, which may quote what it choked on. Made by `describeError` alone. */
export interface LoggedError {
  readonly name: string;
  /** System error code such as `ENOSPC`. */
  readonly code?: string;
  /** Stack frames, innermost first. */
  readonly frames: readonly string[];
}

const framesMax = 12;
const frameShape = /^ {4}at .+:\d+:\d+\)?$/;
const nameShape = /^[A-Za-z_$][\w$.]{0,63}$/;
const codeShape = /^[A-Z][A-Z0-9_]{0,63}$/;

/** What may be logged of anything thrown: class, system code and stack frames, never the message. */
export function describeError(thrown: unknown): LoggedError {
  if (!(thrown instanceof Error)) return { name: typeof thrown, frames: [] };
  const name = nameShape.test(thrown.name) ? thrown.name : 'Error';
  const code = 'code' in thrown && typeof thrown.code === 'string' && codeShape.test(thrown.code) ? thrown.code : null;
  return { name, ...(code === null ? {} : { code }), frames: stackFrames(thrown) };
}

/** A message may itself look like frames, so a stack counts only where its message can be cut off it. */
function stackFrames(error: Error): readonly string[] {
  const stack = error.stack ?? '';
  const messageAt = error.message === '' ? 0 : stack.indexOf(error.message);
  if (messageAt === -1) return [];
  const lines = stack.slice(messageAt + error.message.length).split('\n');
  const frames = lines.filter((line) => frameShape.test(line)).map((line) => line.trim().slice(3));
  return frames.slice(0, framesMax);
}

/** What one turn of the event loop may collect, in UTF-16 units, before it is written all the same. */
const collectedUnitsMax = 15 * 1024;

/**
 * A logger of JSON lines, by default on standard error. There, warnings and errors are written when the call returns, and
 * everything logged before with them; other lines at the end of the turn of the event loop that logged them, in one
 * write for all: a write for each line cost a busy MCP service a third of its requests. A crash can take the last
 * turn's lines, never an error's.
 */
export function createLogger(options: { readonly level: LogLevel; readonly destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: timeField(),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const collector = options.destination === undefined ? collectTurn(new StandardError(lostLines)) : undefined;
  const sink = pino(settings, options.destination ?? collector);
  return {
    debug: (message: string, fields: MaybeFields = {}) => sink.debug(fields, message),
    info: (message: string, fields: MaybeFields = {}) => sink.info(fields, message),
    warn: (message: string, fields: MaybeFields = {}) => {
      sink.warn(fields, message);
      collector?.flush();
    },
    error: (message: string, fields: MaybeFields = {}) => {
      sink.error(fields, message);
      collector?.flush();
    },
    writes: (level) => sink.isLevelEnabled(level),
  };
}

/** In the form of all others. */
function lostLines(count: number): string {
  const line = {
    level: 'warn',
    time: new Date().toISOString(),
    count,
    msg: 'log lines were lost: standard error took none',
  };
  return `${JSON.stringify(line)}\n`;
}

/** The field `time` of a line. A busy service writes many lines a millisecond, and each date in words takes half a microsecond. */
function timeField(): () => string {
  let now = -1;
  let field = '';
  return () => {
    const time = Date.now();
    if (time !== now) field = `,"time":"${new Date(time).toISOString()}"`;
    now = time;
    return field;
  };
}

/**
 * Passes lines on in one piece at the end of the turn of the event loop, or when asked. (The buffer of pino's own
 * destination would not do: its `flushSync` waits for the disk, which made the service slower than a write a line.)
 */
export function collectTurn(target: DestinationStream): DestinationStream & { flush(): void } {
  let lines = '';
  const flush = () => {
    if (lines === '') return;
    const written = lines;
    lines = '';
    target.write(written);
  };
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush);
      lines += line;
      if (lines.length > collectedUnitsMax) flush();
    },
    flush,
  };
}
