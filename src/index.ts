import { randomUUID } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { guardRequest } from './api/schemas.js';
import { createChecker } from './api/validate.js';
import { type GuardBody, guardBody } from './api/wire.js';
import { ConfigError, readEngine, shippedRulesFolder } from './config.js';
import { GuardError, invalidInput } from './domain/errors.js';
import { limits } from './domain/limits.js';
import type { Message } from './domain/message.js';
import type { Engine } from './engine/automaton/searcher.js';
import { createScanner } from './engine/scanner.js';
import { readBuildInfo } from './guard/build-info.js';
import { createEmbeddedScans } from './guard/embedded.js';
import type { ScanRequest } from './guard/guard.js';
import type { Redaction, Values } from './guard/placeholders.js';
import { createTextStream, type TextStream } from './guard/text-stream.js';
import { loadRulesApart } from './load-rules.js';
import { systemClock } from './telemetry/clock.js';

export type { GuardBody } from './api/wire.js';
export { type ErrorCode, type FieldError, GuardError, type SpentLimit } from './domain/errors.js';
export type { Message } from './domain/message.js';
export { type Redaction, restore, type Values } from './guard/placeholders.js';
export type { StreamStep, TextStream } from './guard/text-stream.js';
export type { Diagnostic } from './rules/diagnostic.js';
export { RulesError } from './rules/rules-error.js';

// `Omit` forgets that the schema is closed.
const libraryRequest = Type.Omit(guardRequest, ['app_uuid', 'project_id'], { additionalProperties: false });
const checkRequest = createChecker(libraryRequest, 'body');

/**
 * What of the result is wanted, and in which unit spans are given: the fields of the REST body. Whoever compiles with
 * `exactOptionalPropertyTypes` may hand on what is not set.
 */
export interface ScanOptions {
  /** Include the matches with their spans, texts and labels. */
  readonly payload?: boolean | undefined;
  /** Include one item for every scanned message and detector: whether it detected something. */
  readonly breakdown?: boolean | undefined;
  /** Include timing in microseconds, metadata of the rules that fired, what the learned model went by, and versions. */
  readonly dev_info?: boolean | undefined;
  /** Unit of `start` and `end`: UTF-16 units as JavaScript counts them (when left out), code points (`utf-32`) or bytes (`utf-8`). */
  readonly position_encoding?: 'utf-16' | 'utf-32' | 'utf-8' | undefined;
}

export interface GuardOptions {
  /** Id of a profile of the rules folder; `default` when left out. Shipped are `default`, `strict` and `observe`. */
  readonly profile?: string | undefined;
  /** Folder of rule packs and profiles; the shipped rules when left out, whatever `MERLON_RULES` says. */
  readonly rules?: string | undefined;
}

export type StreamOptions = ScanOptions & {
  /** Of the message that the text is; `assistant` when left out. */
  readonly role?: string | undefined;
  /** How much of the end of what has come waits for more, in UTF-16 units, because it may be the beginning of something; 128 when left out. */
  readonly held_back?: number | undefined;
};

/** A guard in this process: no server, no store, no token. */
export interface EmbeddedGuard {
  /**
   * Scans on the calling thread and answers at once, in the shape of the REST body. Throws `GuardError` with the
   * code `invalid_input` for messages or options of the wrong form, naming every invalid field.
   */
  scanSync(messages: readonly Message[], options?: ScanOptions): GuardBody;
  /**
   * The same, with large input given to the pool of worker threads, which is started when first needed; it waits there for its
   * turn, however long that takes. Rejects with `GuardError` (`worker_lost`) where a thread died under it.
   */
  scan(messages: readonly Message[], options?: ScanOptions): Promise<GuardBody>;
  /**
   * Scans a text while it comes, such as what a model says: what `add` gives back may be passed on at once. A scan is always one of
   * all that has come, so pieces may end anywhere, and the last one is `scanSync` of the whole; what has passed before a
   * later piece makes the text a risk has passed. Takes the time of two scans of a text of 500 units, and of up to 17 of a long one,
   * on the calling thread, and keeps the text. Throws `GuardError` (`invalid_input`) for options of the wrong form.
   */
  stream(options?: StreamOptions): TextStream<GuardBody>;
  /**
   * The messages with a placeholder such as `[EMAIL_ADDRESS_1]` in the place of all that the rules of LLM02 (sensitive information)
   * find, whatever profile, role and score; `restore` puts the values back. The same value has the same placeholder, also that of an
   * earlier call whose `values` are handed in. Scans on the calling thread; a text with more than `limits.matchesPerRuleMax` matches of
   * one rule is replaced as a whole. Throws `GuardError` (`invalid_input`) for messages or values of the wrong form.
   */
  redact(messages: readonly Message[], values?: Values): Redaction;
  /** Stops the worker threads, once what was asked for is answered. What is asked for afterwards throws `GuardError` (`draining`). */
  close(): Promise<void>;
}

/**
 * Opens the rules and gives a guard: a fraction of a second, and half a minute on a thread of its own where this build
 * has not compiled them before. Memory is given back when the guard is closed and let go of. Rejects with `GuardError`
 * (`invalid_input`) for an option that there is not or that is of the wrong form, for a profile that does not exist and for a wrong `MERLON_ENGINE`, and
 * with a `RulesError` that lists every problem for rules that do not compile.
 */
export async function createGuard(options: GuardOptions = {}): Promise<EmbeddedGuard> {
  checkOptions(options);
  const unknown = Object.keys(options).find((name) => !optionNames.some((known) => known === name));
  if (unknown !== undefined) {
    throw new GuardError('invalid_input', `There is no option ${unknown}; there are ${optionNames.join(', ')}.`, [
      { pointer: `/${unknown}`, message: 'is not known' },
    ]);
  }
  for (const name of optionNames) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'string') throw wrong(name, 'must be a string');
  }
  const engine = wantedEngine();
  const build = readBuildInfo();
  const { program, profiles } = await loadRulesApart(options.rules ?? shippedRulesFolder, build);
  const profile = profiles.find(({ id }) => id === (options.profile ?? 'default'));
  if (!profile) {
    const known = profiles.map(({ id }) => id).join(', ');
    throw new GuardError('invalid_input', `There is no such profile; there are ${known}.`, [
      { pointer: '/profile', message: `must be one of ${known}` },
    ]);
  }
  const scanner = createScanner(program, { engine });
  // Nobody else is served here, so what waits may wait.
  const pool = { queueMax: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY };
  const scans = createEmbeddedScans({ program, profile, scanner, engine, pool, clock: systemClock, build });
  const guard: EmbeddedGuard = {
    scanSync: (messages, scanOptions = {}) => {
      const receivedUs = systemClock.nowUs();
      return guardBody(scans.scanSync(scanRequest(checked(messages, scanOptions), receivedUs)));
    },
    scan: async (messages, scanOptions = {}) => {
      const receivedUs = systemClock.nowUs();
      const request = checked(messages, scanOptions);
      // Read again when the pool has answered, whatever the caller does with them meanwhile.
      const own = request.messages.map(({ role, content }) => ({ role, content }));
      return guardBody(await scans.scan(scanRequest({ ...request, messages: own }, receivedUs)));
    },
    stream: (streamOptions = {}) => {
      checkOptions(streamOptions);
      const { role = 'assistant', held_back, ...scanOptions } = streamOptions;
      const scanText = (content: string) => guard.scanSync([{ role, content }], scanOptions);
      if (held_back !== undefined && !(Number.isSafeInteger(held_back) && held_back >= 0)) {
        throw wrong('held_back', 'must be a whole number from 0 on');
      }
      // What is wrong with the options shows here, not in the middle of an answer.
      scanText('');
      return createTextStream(scanText, held_back);
    },
    redact: (messages, values = {}) => {
      const { messages: own } = checked(messages, {});
      if (typeof values !== 'object' || values === null || Array.isArray(values))
        throw wrong('values', 'must be an object');
      return scans.redact(own, values);
    },
    close: () => scans.close(),
  };
  return guard;
}

function wantedEngine(): Engine {
  try {
    return readEngine();
  } catch (error) {
    throw error instanceof ConfigError ? new GuardError('invalid_input', `${error.message}.`) : error;
  }
}

const optionNames = ['profile', 'rules'] as const satisfies readonly (keyof GuardOptions)[];

function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw wrong('options', 'must be an object');
  }
}

function checked(messages: readonly Message[], options: ScanOptions): Static<typeof libraryRequest> {
  checkOptions(options);
  // A request that is handed on as options would bring the messages of whoever wrote it.
  if (Object.hasOwn(options, 'messages')) throw wrong('messages', 'is no option: messages are the first argument');
  // Before all of them are looked at.
  if (Array.isArray(messages) && messages.length > limits.messagesMax) {
    throw wrong('messages', `must hold 1 to ${limits.messagesMax} items`);
  }
  const request = checkRequest({ ...options, messages });
  // The check passes over holes, which no JSON has.
  const hole = request.messages.findIndex((message: unknown) => message === undefined);
  if (hole >= 0) throw wrong(`messages/${hole}`, 'must be an object');
  return request;
}

function wrong(field: string, message: string): GuardError {
  return invalidInput([{ pointer: `/${field}`, message }]);
}

function scanRequest(request: Static<typeof libraryRequest>, receivedUs: number): ScanRequest {
  return {
    messages: request.messages,
    source: 'rest',
    requestId: randomUUID(),
    receivedUs,
    positionEncoding: request.position_encoding ?? 'utf-16',
    payload: request.payload ?? false,
    breakdown: request.breakdown ?? false,
    devInfo: request.dev_info ?? false,
  };
}
