import type { GuardError } from '../domain/errors.js';
import type { Header, Method, PathParameters } from './http-terms.js';

/**
 * What is served, said without naming a server: the rows that a front end (uWebSockets.js today) is given. REST and
 * MCP both come as routes; the front end knows neither.
 */
export interface Route {
  readonly method: Method;
  /** An exact path, one with parameters (`/tokens/{id}`, each a whole segment), or a beginning of paths that ends in `/*`. */
  readonly path: string;
  /** Served also while the service is draining. */
  readonly whileDraining: boolean;
  /**
   * Looks at the head before any of the body was read, and answers at once or tells how to go on with the body.
   * A thrown or rejected `GuardError` is answered as a problem, anything else as 500.
   */
  open(head: RequestHead): Answer | Promise<Answer> | BodyReader;
  /** The form in which its clients expect errors, those that the front end finds by itself, too; a problem document when left out. */
  problem?(error: GuardError, requestId: string, headers?: readonly Header[]): Answer;
}

/**
 * Goes on with the whole body. The bytes are valid during the call only: what is needed later must be copied or
 * decoded before it returns.
 */
export type BodyReader = (body: Uint8Array) => Answer | Promise<Answer>;

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly parameters: PathParameters;
  /** Raw, without `?`; empty when there is none. */
  readonly query: string;
  /** The client's own, if it is fit to be repeated, else a new UUID. */
  readonly requestId: string;
  /** When the head arrived, in the clock's microseconds. */
  readonly receivedUs: number;
  /** True once the service has begun to shut down. */
  readonly draining: boolean;
  /**
   * The value of a header by its lowercase name; several of one name are joined by `, `. Undefined when absent.
   * Valid during `open` only.
   */
  header(name: string): string | undefined;
  /** All of them, for who passes the request on. */
  headers(): readonly (readonly [name: string, value: string])[];
  /** IP address of the client, as text: the connection's, or where proxies are trusted, what they tell. Valid during `open` only. */
  address(): string;
  /** Takes headers that the answer carries beside its own, whatever it will be: also an error that is thrown, or the front end's own. */
  readonly answer: { carry(headers: readonly Header[]): void };
  /** A signal that is aborted when the client leaves before its answer. Made when first asked for. */
  readonly abandoned: () => AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Empty for an answer without a body. */
  readonly contentType: string;
  readonly body: string | Uint8Array;
  /** Beside those that every response carries. Names and values come from the program, never from a client. */
  readonly headers: readonly Header[];
  /** Value of `Cache-Control`; `no-store` when left out. */
  readonly cacheControl?: string;
}
