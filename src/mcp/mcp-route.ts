import { randomUUID } from 'node:crypto';
import type { Header } from '../api/http-terms.js';
import { parseJsonBody, refuseOtherThanJson } from '../api/json-body.js';
import { takeFromRate } from '../api/rate-limit.js';
import type { Answer, BodyReader, RequestHead, Route } from '../api/route.js';
import { GuardError } from '../domain/errors.js';
import type { Principal } from '../domain/identity.js';
import { limits } from '../domain/limits.js';
import type { Guard } from '../guard/guard.js';
import type { RateLimit } from '../guard/rate-limit.js';
import { establishMcpCaller } from './credentials.js';
import { type FastCall, fastBody, type McpHeaders, mcpHeaderNames, recognizeCall } from './fast-path.js';
import type { HostCheck } from './hosts.js';
import { failureAnswer, type RpcId, rpcCodes, rpcError, rpcIdOf } from './json-rpc.js';
import { callTool, type ToolCall, type ToolContext, type ToolOutcome } from './scan-call.js';
import { headersOfCall } from './scan-headers.js';

export interface McpContext extends ToolContext {
  readonly guard: Guard;
  readonly hosts: HostCheck;
  /** Left out where requests are not limited. */
  readonly rateLimit?: RateLimit;
  /** False hands every request to the libraries: the plain twin of the fast path, for tests. */
  readonly fastPath?: boolean;
}

/**
 * `POST /mcp/guard`: the scan as the one tool of an MCP server, for clients of both eras. Checks go in this order:
 * host and origin, token, scope, content type, then the body. GET and DELETE have no route: there is no stream to
 * resume and no session to end, so the front end answers them 405.
 */
export function mcpRoute(context: McpContext): Route {
  return {
    method: 'POST',
    path: '/mcp/guard',
    whileDraining: false,
    open: (head) => openMcp(context, head),
    problem: (error, requestId, headers) => failureAnswer(error, null, requestId, headers),
  };
}

function openMcp(context: McpContext, head: RequestHead): Answer | Promise<Answer> | BodyReader {
  const foreign = context.hosts.foreign(head.header('host'), head.header('origin'));
  if (foreign !== undefined) return rpcError(403, 403, foreign, null);
  const caller = establishMcpCaller(context.guard, head);
  if ('challenge' in caller) return refuse(head, caller.error, [caller.challenge]);
  const refusal = takeFromRate(context.rateLimit, caller, head);
  return refusal === undefined ? openCall(context, caller, head) : refuse(head, refusal);
}

function openCall(context: McpContext, caller: Principal, head: RequestHead): BodyReader {
  context.metrics?.stages.lap('auth');
  refuseOtherThanJson(head);
  const headers = headersOf(head);
  const call = toolCall(context.guard, caller, head);
  return (bytes) => {
    let message: unknown;
    try {
      message = parseJsonBody(bytes);
      context.metrics?.stages.lap('parse');
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      return rpcError(400, rpcCodes.parseError, error.message, null);
    }
    if (Array.isArray(message)) {
      return rpcError(400, rpcCodes.invalidRequest, 'A body must be one message, not a batch.', null);
    }
    const fast = context.fastPath === false ? undefined : recognizeCall(headers, message);
    return fast === undefined ? answerSlowly(context, call, headers, message) : answerFast(context, call, fast);
  };
}

/**
 * 401, 403 and 429 tell the id of the request, which is in the body. Strangers may make us read no more than a small one of
 * announced length.
 */
function refuse(head: RequestHead, error: GuardError, headers: readonly Header[] = []): Answer | BodyReader {
  const answer = (id: RpcId) => failureAnswer(error, id, head.requestId, headers);
  const announced = Number(head.header('content-length') ?? Number.NaN);
  if (!(announced <= limits.refusedBodyBytesMax)) return answer(null);
  return (bytes) => {
    try {
      return answer(rpcIdOf(parseJsonBody(bytes)));
    } catch {
      return answer(null);
    }
  };
}

function headersOf(head: RequestHead): McpHeaders {
  const headers: Partial<Record<(typeof mcpHeaderNames)[number], string>> = {};
  for (const name of mcpHeaderNames) {
    const value = head.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

const uuidShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The request id of an MCP call is a UUID: the client's own where it sent one. */
function toolCall(guard: Guard, caller: Principal, head: RequestHead): ToolCall {
  return {
    requestId: uuidShape.test(head.requestId) ? head.requestId : randomUUID(),
    organizationId: caller.organizationId,
    userId: caller.userId,
    ...(caller.appUuid === undefined ? {} : { appUuid: caller.appUuid }),
    receivedUs: head.receivedUs,
    scan: (request) => guard.scan(caller, request),
    abandoned: head.abandoned,
  };
}

function answerFast(context: McpContext, call: ToolCall, fast: FastCall): Answer | Promise<Answer> {
  const answer = (outcome: ToolOutcome): Answer => ({
    status: 200,
    contentType: 'application/json',
    body: fastBody(fast, outcome.result),
    headers: headersOfCall(outcome),
  });
  const fail = (thrown: unknown) => failed(thrown, fast.id, call.requestId);
  try {
    const outcome = callTool(context, call, fast.input);
    return outcome instanceof Promise ? outcome.then(answer).catch(fail) : answer(outcome);
  } catch (error) {
    return fail(error);
  }
}

async function answerSlowly(
  context: McpContext,
  call: ToolCall,
  headers: McpHeaders,
  message: unknown,
): Promise<Answer> {
  const { answerWithSdk } = await import('./sdk-answer.js');
  const run = (input: unknown) => callTool(context, call, input);
  const abandoned = call.abandoned?.() ?? new AbortController().signal;
  return await answerWithSdk({ headers, message, abandoned, run }).catch((error: unknown) =>
    failed(error, rpcIdOf(message), call.requestId),
  );
}

/** No verdict is a failure of the request, with a status that nobody can take for one; bugs go on to the front end. */
function failed(thrown: unknown, id: RpcId, requestId: string): Answer {
  if (thrown instanceof GuardError) return failureAnswer(thrown, id, requestId);
  throw thrown;
}
