import { problemAnswer } from '../api/answer.js';
import type { Answer, RequestHead, Route } from '../api/route.js';
import { errorFor, GuardError } from '../domain/errors.js';

/** A request that one thread read and another one answers: what its head says, as data. */
export interface ForwardedRequest extends Omit<RequestHead, 'header' | 'headers' | 'address' | 'abandoned' | 'answer'> {
  readonly route: Pick<Route, 'method' | 'path'>;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly address: string;
  readonly body?: Uint8Array;
}

type Described = Pick<Route, 'method' | 'path' | 'whileDraining'>;

/** A route as another thread serves it. Its body is read here, up to the limit, before anything is looked at there. */
export function forwardedRoute(
  { method, path, whileDraining }: Described,
  ask: (request: ForwardedRequest) => Promise<Answer>,
): Route {
  return {
    method,
    path,
    whileDraining,
    open: (head) => {
      const request: ForwardedRequest = {
        route: { method, path },
        method: head.method,
        path: head.path,
        parameters: head.parameters,
        query: head.query,
        requestId: head.requestId,
        receivedUs: head.receivedUs,
        draining: head.draining,
        headers: head.headers(),
        address: head.address(),
      };
      const isChunked = head.header('transfer-encoding') !== undefined;
      if (!isChunked && Number(head.header('content-length') ?? 0) === 0) return ask(request);
      // The bytes are the front end's again after this call.
      return (bytes) => ask({ ...request, body: bytes.slice() });
    },
  };
}

/** Answers what other threads forward. Whatever is thrown becomes the answer; `failed` is told of bugs. */
export function createForwardedAnswers(
  routes: readonly Route[],
  failed: (error: unknown, requestId: string) => void,
): (request: ForwardedRequest) => Promise<Answer> {
  const byName = new Map(routes.map((route) => [nameOf(route), route]));
  return async (request) => {
    try {
      const route = byName.get(nameOf(request.route));
      if (!route) throw new GuardError('unknown_path', 'There is nothing at this path.');
      const opened = route.open(headOf(request));
      return await (typeof opened === 'function' ? opened(request.body ?? new Uint8Array()) : opened);
    } catch (error) {
      const cause = error instanceof GuardError ? error.cause : error;
      if (cause !== undefined) failed(cause, request.requestId);
      return problemAnswer(errorFor(error), request.requestId);
    }
  };
}

function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function headOf({ headers, address, ...request }: ForwardedRequest): RequestHead {
  const byName = new Map(headers);
  return {
    ...request,
    headers: () => headers,
    header: (name) => byName.get(name),
    address: () => address,
    // Asked for only where requests are limited, and there all is done on one thread.
    answer: { carry: () => undefined },
    // Nobody tells this thread that the client has left: what it asked for is finished.
    abandoned: () => new AbortController().signal,
  };
}
