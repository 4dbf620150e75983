import { answer } from '../api/answer.js';
import { establishCaller } from '../api/credentials.js';
import { parseJsonObject } from '../api/json-body.js';
import type { ApiContext, Call, Operation, PublicOperation, Reply, SecuredOperation } from '../api/operation.js';
import { problemReply } from '../api/problem.js';
import { readNoQuery } from '../api/query.js';
import type { Answer, BodyReader, RequestHead, Route } from '../api/route.js';
import { GuardError } from '../domain/errors.js';

/** The table of operations as routes. Checks go in this order: token, scope, content type, body, query, fields. */
export function restRoutes(operations: readonly Operation[], context: ApiContext): readonly Route[] {
  return operations.map((operation) => ({
    method: operation.method,
    path: operation.path,
    whileDraining: operation.scope === null,
    open: (head) =>
      operation.scope === null ? openPublic(operation, context, head) : openSecured(operation, context, head),
  }));
}

function openPublic(operation: PublicOperation, context: ApiContext, head: RequestHead): Answer | Promise<Answer> {
  return answered(operation.answer(context, callOf(head)));
}

function openSecured(
  operation: SecuredOperation,
  context: ApiContext,
  head: RequestHead,
): Answer | Promise<Answer> | BodyReader {
  const caller = establishCaller(context.guard, head.header('authorization'), operation.scope);
  if ('challenge' in caller) return answer(problemReply(caller.error, head.requestId, [caller.challenge]));
  const run = (body: unknown) => {
    if (operation.query === undefined) readNoQuery(head.query);
    return answered(operation.answer(context, callOf(head), caller, { query: head.query, body }));
  };
  if (operation.body === undefined) return run(undefined);
  refuseOtherThanJson(head);
  return (bytes) => run(parseJsonObject(bytes));
}

function callOf({ requestId, receivedUs, draining }: RequestHead): Call {
  return { requestId, receivedUs, draining };
}

/** An answer that is there stays free of promises. */
function answered(reply: Reply | Promise<Reply>): Answer | Promise<Answer> {
  return reply instanceof Promise ? reply.then(answer) : answer(reply);
}

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/** JSON is UTF-8 (RFC 8259 section 8.1), so another charset would be read as what it is not. */
function refuseOtherThanJson(head: RequestHead): void {
  const type = head.header('content-type');
  if (type === undefined) {
    throw new GuardError('unsupported_media_type', 'The Content-Type header is missing; it must be application/json.');
  }
  if (type !== 'application/json' && !jsonType.test(type)) {
    throw new GuardError('unsupported_media_type', 'The Content-Type must be application/json in UTF-8.');
  }
  const coding = head.header('content-encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new GuardError('unsupported_media_type', 'The body must not be compressed.');
  }
}
