import { formatAgo } from './format.js';

/** The one way from this page to the service: same origin, session cookie, JSON. */
export interface Client {
  get<T>(path: string, options?: GetOptions): Promise<T>;
  /** Any other method; `body` is sent as JSON. */
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, signal?: AbortSignal): Promise<T>;
  /** Token that proves to the service that a change comes from this page; set at sign-in. */
  setCsrfToken(token: string | null): void;
}

interface GetOptions {
  /** Left out where undefined or empty. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal;
  /** Asked by the page itself, so that a screen that nobody looks at does not stay signed in. */
  readonly unattended?: boolean;
}

/** An answer that is not a success, as the service words it, or the lack of any answer (status 0). */
export class Problem extends Error {
  readonly status: number;
  /** Names the kind of problem for programs; empty where the service gave none. */
  readonly type: string;
  readonly title: string;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldProblem[];

  constructor(
    status: number,
    title: string,
    detail: string,
    rest: Partial<Pick<Problem, 'type' | 'requestId' | 'fields'>> = {},
  ) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.type = rest.type ?? '';
    this.title = title;
    this.requestId = rest.requestId;
    this.fields = rest.fields ?? [];
  }
}

export interface FieldProblem {
  /** JSON pointer into the body, or `?name` of the query. */
  readonly pointer: string;
  readonly message: string;
}

const base = '/api/v1';
const waitMs = 20_000;

interface SessionEvents {
  /** The service no longer knows the session. Gives whether the same person has signed in again: then the request is repeated. */
  onSessionEnd(): Promise<boolean>;
  /** The session, its person or their role may be others than the page knows. Settles when it knows them. */
  onForbidden(problem: Problem): Promise<void>;
}

export function createClient({ onSessionEnd, onForbidden }: SessionEvents): Client {
  let csrfToken: string | null = null;

  async function call<T>(
    method: string,
    path: string,
    body: unknown,
    signal: AbortSignal | undefined,
    unattended = false,
  ): Promise<T> {
    const { response, text } = await reach(`${base}${path}`, {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(unattended ? { 'X-Merlon-Unattended': '1' } : {}),
        ...(method === 'GET' || csrfToken === null ? {} : { 'X-CSRF-Token': csrfToken }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])]),
    });
    if (response.ok) return readAnswer(text) as T;
    // Whoever signs in, signs out or asks who is signed in is told, and waits for nobody.
    const isOfPage = csrfToken !== null && path !== '/session';
    if (response.status === 401 && isOfPage && (await onSessionEnd()))
      return call(method, path, body, signal, unattended);
    const problem = readProblem(response, text);
    if (/:forbidden_(csrf|role|scope)$/.test(problem.type)) await onForbidden(problem);
    throw problem;
  }

  return {
    get: (path, { query = {}, signal, unattended } = {}) =>
      call('GET', `${path}${queryString(query)}`, undefined, signal, unattended),
    send: (method, path, body, signal) => call(method, path, body, signal),
    setCsrfToken: (token) => {
      csrfToken = token;
    },
  };
}

/** True where a request was given up by whoever asked for it. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Query string with its `?`, or nothing. */
export function queryString(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Where the network gave no whole answer, a problem says so; a request that was given up stays what it is. */
async function reach(url: string, init: RequestInit): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Problem(0, 'No answer', 'The service does not answer. It may be restarting, or the network is down.');
  }
}

function readAnswer(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new Problem(
      0,
      'No answer',
      'What came is not of the service: something on the way may have answered instead.',
    );
  }
}

function readProblem(response: Response, text: string): Problem {
  const { type, title, detail, request_id, errors } = parseObject(text);
  return new Problem(
    response.status,
    typeof title === 'string' ? title : `Status ${response.status}`,
    (typeof detail === 'string' ? detail : 'The service gave no reason.') + whenAgain(response),
    {
      ...(typeof type === 'string' ? { type } : {}),
      ...(typeof request_id === 'string' ? { requestId: request_id } : {}),
      fields: Array.isArray(errors) ? errors.filter(isFieldProblem) : [],
    },
  );
}

/** For whoever has tried too often; what failed for other reasons may be tried again at once. */
function whenAgain({ status, headers }: Response): string {
  const seconds = Number(headers.get('Retry-After'));
  if (status !== 429 || !(seconds > 0)) return '';
  return ` Try again ${formatAgo(new Date(Date.now() + seconds * 1_000).toISOString())}.`;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pointer' in value &&
    typeof value.pointer === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
