import type { Answer } from '../api/route.js';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { McpHeaders } from './fast-path.js';
import { answerHandshakeEra } from './handshake-era.js';
import { inPlainWords, rpcCodes, rpcError, rpcIdOf } from './json-rpc.js';
import { forLibraries, givenArguments, looseCallIn, missingName } from './loose-call.js';
import { answerModernEra, isHandshakeEra } from './modern-era.js';
import type { ToolOutcome } from './scan-call.js';
import { headersOfCall } from './scan-headers.js';
import type { RunTool } from './wire.js';

/*
 * Requests that the fast path does not take, answered by the protocol libraries. This module is loaded with the first
 * such request: the libraries take some 300 ms and 10 MB, which a service without MCP clients does not spend.
 */

export interface SdkRequest {
  readonly headers: McpHeaders;
  /** The parsed body: one JSON value that is no array. */
  readonly message: unknown;
  readonly abandoned: AbortSignal;
  run(input: unknown): ToolOutcome | Promise<ToolOutcome>;
}

/** Rejects with what the tool threw, and with `deadline` where the library does not answer. */
export async function answerWithSdk({ headers, message, abandoned, run }: SdkRequest): Promise<Answer> {
  let outcome: ToolOutcome | undefined;
  let failure: { readonly thrown: unknown } | undefined;
  const call = looseCallIn(message);
  const runTool: RunTool = async (input) => {
    try {
      outcome = await run(givenArguments(input));
      return outcome.result;
    } catch (thrown) {
      failure = { thrown };
      throw new Error('The call failed.');
    }
  };
  const request = new Request('http://localhost/mcp/guard', {
    method: 'POST',
    headers: new Headers({ ...headers }),
    signal: abandoned,
  });
  const isHandshake = await isHandshakeEra(request, message);
  const missing = call && (isHandshake || call.params) ? missingName(call) : undefined;
  if (missing !== undefined) return rpcError(200, rpcCodes.invalidParams, missing, rpcIdOf(message));
  const passed = forLibraries(message, call);
  const response = await inTime(
    isHandshake ? answerHandshakeEra(request, passed, runTool) : answerModernEra(request, passed, runTool),
  );
  const told = await inTime(response.text());
  if (failure !== undefined) throw failure.thrown;
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body: outcome === undefined && told.startsWith('{') ? JSON.stringify(inPlainWords(JSON.parse(told))) : told,
    headers: [...headersOf(response), ...headersOfCall(outcome)],
  };
}

/** Only `Allow` is the library's to set; what concerns the connection is the front end's. */
function headersOf(response: Response): Answer['headers'] {
  const allow = response.headers.get('allow');
  return allow === null ? [] : [['Allow', allow]];
}

/** The libraries wait without bound for an answer that does not come; a caller must not. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new GuardError('deadline', 'The request took too long.');
    timer = setTimeout(() => reject(error), limits.mcpAnswerMs);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
