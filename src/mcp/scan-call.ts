import { createChecker } from '../api/validate.js';
import { GuardError, invalidInput } from '../domain/errors.js';
import type { ScanRequest, ScanResult } from '../guard/guard.js';
import type { Redact } from '../guard/redactor.js';
import type { Logger } from '../telemetry/log.js';
import type { Metrics } from '../telemetry/metrics.js';
import { type CallIdentity, logFailure, logRequest, logVerdict } from './call-log.js';
import { type ScanArguments, scanArguments } from './schemas.js';
import { mistakeResult, type ToolResult, verdictResult } from './wire.js';

/** What every call works with. */
export interface ToolContext {
  readonly log: Logger;
  readonly redact: Redact;
  readonly metrics?: Pick<Metrics, 'scanDone' | 'stages'>;
}

/** One call of the tool, by whatever way it came. */
export interface ToolCall extends CallIdentity {
  /** When it was received, in the clock's microseconds. */
  readonly receivedUs: number;
  /** The operation behind the tool, already bound to the caller. */
  scan(request: ScanRequest): ScanResult | Promise<ScanResult>;
  abandoned?(): AbortSignal;
}

/** A result for the model; with the scan's id and duration where there was a scan. */
export interface ToolOutcome {
  readonly result: ToolResult;
  readonly scan?: { readonly id: string; readonly durationUs: number; readonly unrecorded: boolean };
}

const checkArguments = createChecker(scanArguments, 'body');

/**
 * Runs the tool and writes the two log entries of the call. What the model can mend (arguments, the application) is a
 * result with `isError`; throws or rejects with a `GuardError` where there is no verdict for another reason
 * (`overloaded`, `deadline` …), which a transport must answer as a failure of its own.
 */
export function callTool(context: ToolContext, call: ToolCall, input: unknown): ToolOutcome | Promise<ToolOutcome> {
  const { log, redact } = context;
  let request: ScanRequest;
  let metadata: ScanArguments['metadata'];
  try {
    const checked = checkArguments(argumentsOf(input));
    request = scanRequest(checked, call);
    metadata = checked.metadata;
  } catch (error) {
    logRequest(log, redact, call);
    return failed(context, call, error);
  }
  context.metrics?.stages.lap('validate');
  const logAsked = (done?: ScanResult) => logRequest(log, redact, call, request, metadata, done);
  let result: ScanResult | Promise<ScanResult>;
  try {
    result = call.scan(request);
  } catch (error) {
    logAsked();
    return failed(context, call, error);
  }
  if (!(result instanceof Promise)) {
    logAsked(result);
    return finished(context, call, result);
  }
  logAsked();
  return result.then(
    (late) => finished(context, call, late),
    (error: unknown) => failed(context, call, error),
  );
}

/** Arguments that were left out are none. Throws `invalid_input` for what is no object. */
function argumentsOf(input: unknown): object {
  const given = input ?? {};
  if (typeof given === 'object' && !Array.isArray(given)) return given;
  throw invalidInput([{ pointer: '/arguments', message: 'must be an object' }]);
}

function scanRequest(input: ScanArguments, call: ToolCall): ScanRequest {
  return {
    messages: input.messages.map(({ role, content }) => ({ role: role ?? 'user', content })),
    ...(input.app_uuid === undefined ? {} : { appUuid: input.app_uuid.toLowerCase() }),
    source: 'mcp',
    requestId: call.requestId,
    receivedUs: call.receivedUs,
    positionEncoding: 'utf-16',
    payload: input.payload ?? false,
    breakdown: input.breakdown ?? false,
    devInfo: input.dev_info ?? false,
    ...(call.abandoned === undefined ? {} : { abandoned: call.abandoned }),
  };
}

function finished(context: ToolContext, call: ToolCall, result: ScanResult): ToolOutcome {
  context.metrics?.scanDone('mcp', result);
  logVerdict(context.log, call, result);
  return {
    result: verdictResult(result),
    scan: { id: result.scanId, durationUs: result.durationUs, unrecorded: result.unrecorded === true },
  };
}

function failed(context: ToolContext, call: ToolCall, thrown: unknown): ToolOutcome {
  logFailure(context.log, call, thrown);
  if (thrown instanceof GuardError && isMendable(thrown)) return { result: mistakeResult(inWords(thrown)) };
  throw thrown;
}

function isMendable({ code }: GuardError): boolean {
  return code === 'invalid_input' || code === 'unknown_app' || code === 'forbidden_app';
}

/** Every invalid field by name, not its value. */
function inWords(error: GuardError): string {
  if (error.fields.length < 2) return error.message;
  return [error.message, ...error.fields.map(({ pointer, message }) => `${pointer} ${message}.`)].join('\n');
}
