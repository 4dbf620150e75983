import type { GuardError } from '../domain/errors.js';
import type { Header } from './http-terms.js';
import type { Reply } from './operation.js';
import { problemContentType, problemReply } from './problem.js';
import type { Answer } from './route.js';

/** A reply with its body as text. */
export function answer(reply: Reply): Answer {
  const { status, contentType, body, headers } = reply;
  return { status, contentType, body: typeof body === 'string' ? body : JSON.stringify(body), headers };
}

/** An error as a problem document. */
export function problemAnswer(error: GuardError, requestId: string, headers: readonly Header[] = []): Answer {
  return answer(problemReply(error, requestId, headers));
}

/**
 * The answer to a request whose head leaves open where its body ends. It is no row of the table of errors, because
 * no operation can meet it: the request never gets that far.
 */
export function malformedAnswer(detail: string, requestId: string): Answer {
  const title = 'Malformed request';
  const body = { type: 'urn:merlon:problem:malformed_request', title, status: 400, detail, request_id: requestId };
  return answer({ status: 400, contentType: problemContentType, body, headers: [] });
}
