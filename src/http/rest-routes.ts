import { answer } from '../api/answer.js';
import { establishCaller, type Refusal } from '../api/credentials.js';
import { explainerOf, FoundErrors } from '../api/field-errors.js';
import { parseJsonObject, refuseOtherThanJson } from '../api/json-body.js';
import type {
  ApiContext,
  Call,
  Input,
  Operation,
  Reply,
  SecuredOperation,
  SessionOperation,
  SignInOperation,
} from '../api/operation.js';
import { problemReply } from '../api/problem.js';
import { readNoQuery } from '../api/query.js';
import { takeFromRate } from '../api/rate-limit.js';
import type { Answer, BodyReader, RequestHead, Route } from '../api/route.js';
import { establishSession, refuseForeignOrigin, sessionSecretOf } from '../api/session-credentials.js';

/** The table of operations as routes. Checks go in this order: caller, scope, content type, body, query, fields. */
export function restRoutes(operations: readonly Operation[], context: ApiContext): readonly Route[] {
  return operations.map((operation) => ({
    method: operation.method,
    path: operation.path,
    whileDraining: operation.scope === null,
    open: opener(operation, context),
  }));
}

function opener(operation: Operation, context: ApiContext): Route['open'] {
  switch (operation.scope) {
    case null:
      return (head) => answered(operation.answer(context, callOf(head)));
    case 'sign-in':
      return (head) => openSignIn(operation, context, head);
    case 'session':
      return (head) => openSession(operation, context, head);
    default:
      return (head) => openSecured(operation, context, head);
  }
}

type Opened = Answer | Promise<Answer> | BodyReader;

function openSignIn(operation: SignInOperation, context: ApiContext, head: RequestHead): Opened {
  refuseForeignOrigin(context.web, head);
  const client = { address: head.address(), sessionSecret: sessionSecretOf(context.web, head) };
  const call = callOf(head);
  return withInput(context, operation, head, (input) => operation.answer(context, call, input, client));
}

function openSession(operation: SessionOperation, context: ApiContext, head: RequestHead): Opened {
  const sessionSecret = sessionSecretOf(context.web, head);
  const caller = establishSession(context.sessions, context.web, head, sessionSecret);
  if ('challenge' in caller) return refused(caller, head);
  const client = { address: head.address(), sessionSecret };
  const call = callOf(head);
  return withInput(context, operation, head, (input) => operation.answer(context, call, caller, input, client));
}

/** A bearer token goes before a cookie: who sends one means it. */
function openSecured(operation: SecuredOperation, context: ApiContext, head: RequestHead): Opened {
  const authorization = head.header('authorization');
  const secret = authorization === undefined ? sessionSecretOf(context.web, head) : undefined;
  const caller =
    secret === undefined
      ? establishCaller(context.guard, authorization, operation.scope)
      : establishSession(context.sessions, context.web, head, secret);
  if ('challenge' in caller) return refused(caller, head);
  if (secret !== undefined && operation.anySession !== true) context.guard.authorize(caller, operation.scope);
  const refusal = takeFromRate(context.rateLimit, caller, head);
  if (refusal !== undefined) throw refusal;
  const call = callOf(head);
  return withInput(context, operation, head, (input) => operation.answer(context, call, caller, input));
}

function refused(caller: Refusal, head: RequestHead): Answer {
  return answer(problemReply(caller.error, head.requestId, [caller.challenge]));
}

/** Goes on with the body where the operation takes one. */
function withInput(
  context: ApiContext,
  operation: Operation,
  head: RequestHead,
  run: (input: Input) => Reply | Promise<Reply>,
): Opened {
  const { query, parameters } = head;
  const { stages } = context.metrics;
  stages.lap('auth');
  const read = (body: unknown) => {
    if (operation.query === undefined && query !== '') readNoQuery(query, wrongFields(operation, body));
    return answered(run({ query, parameters, body }));
  };
  if (operation.body === undefined) {
    const outcome = read(undefined);
    stages.lap('handle');
    return outcome;
  }
  refuseOtherThanJson(head);
  return (bytes) => {
    const body = parseJsonObject(bytes);
    stages.lap('parse');
    return read(body);
  };
}

/** What is wrong with a body, to be named together with a wrong query. */
function wrongFields({ body: described }: Operation, body: unknown): FoundErrors {
  const found = new FoundErrors();
  if (described !== undefined) explainerOf(described.schema)(body, '', found);
  return found;
}

/** What is kept of a head while a request waits: its headers are let go of, which were most of what the collector had to move. */
function callOf({ requestId, receivedUs, draining, abandoned }: RequestHead): Call {
  return { requestId, receivedUs, draining, abandoned };
}

/** An answer that is there stays free of promises. */
function answered(reply: Reply | Promise<Reply>): Answer | Promise<Answer> {
  return reply instanceof Promise ? reply.then(answer) : answer(reply);
}
