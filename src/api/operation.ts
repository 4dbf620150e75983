import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../domain/errors.js';
import type { Principal, Scope } from '../domain/identity.js';
import type { Administration } from '../guard/administration.js';
import type { Explain } from '../guard/explain.js';
import type { Guard } from '../guard/guard.js';
import type { OrganizationProfiles } from '../guard/organization-profiles.js';
import type { OrganizationRules } from '../guard/organization-rules.js';
import type { PreviewChanges } from '../guard/preview.js';
import type { RateLimit } from '../guard/rate-limit.js';
import type { RuleBook } from '../guard/rule-book.js';
import type { RuleHits } from '../guard/rule-hits.js';
import type { SessionPrincipal, Sessions } from '../guard/sessions.js';
import type { Clock } from '../telemetry/clock.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { Header, Method, PathParameters, WebSettings } from './http-terms.js';

/** One row of the table of operations: everything that a transport or the OpenAPI document needs to know. */
export type Operation = PublicOperation | SignInOperation | SessionOperation | SecuredOperation;

/** Answers anybody, also while the service is draining. Its query string is not looked at. */
export interface PublicOperation extends OperationDescription {
  readonly scope: null;
  answer(context: ApiContext, call: Call): Reply | Promise<Reply>;
}

/** Answers anybody whose request does not come from a foreign page. */
export interface SignInOperation extends OperationDescription {
  readonly scope: 'sign-in';
  answer(context: ApiContext, call: Call, input: Input, client: Client): Reply | Promise<Reply>;
}

/** Answers a person who is signed in; no token opens it. */
export interface SessionOperation extends OperationDescription {
  readonly scope: 'session';
  answer(
    context: ApiContext,
    call: Call,
    principal: SessionPrincipal,
    input: Input,
    client: Client,
  ): Reply | Promise<Reply>;
}

/** Answers a caller whose token, or whose role where there is a session, has the scope. */
export interface SecuredOperation extends OperationDescription {
  readonly scope: Scope;
  /** Open to sessions of every role: the handler looks at the role, and shows people what is theirs. */
  readonly anySession?: true;
  /** Throws or rejects with `GuardError`. A scan that is answered at once makes no promise. */
  answer(context: ApiContext, call: Call, principal: Principal, input: Input): Reply | Promise<Reply>;
}

interface OperationDescription {
  /** Unique; also the `operationId` of the OpenAPI document. */
  readonly id: string;
  readonly method: Method;
  /** May hold parameters: `/api/v1/tokens/{id}`. */
  readonly path: string;
  /** What the parameters of the path are, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly description: string;
  /** Schema of the JSON body; an operation without one reads no body. */
  readonly body?: { readonly schema: TSchema; readonly examples: Readonly<Record<string, unknown>> };
  /** Schema of the query parameters; a secured operation without one refuses every parameter. */
  readonly query?: TObject;
  readonly responses: readonly ResponseDescription[];
  /** The problems that it may answer beside those of every operation. */
  readonly errors: readonly ErrorCode[];
}

export interface ResponseDescription {
  readonly status: number;
  readonly description: string;
  readonly contentType: string;
  readonly schema: TSchema;
  readonly headers: readonly ('X-Scan-Id' | 'X-Scan-Recorded' | 'Server-Timing' | 'Retry-After' | 'Set-Cookie')[];
  readonly example?: unknown;
}

/** What the operations work with; made once by the composition root. */
export interface ApiContext {
  readonly guard: Guard;
  readonly explain: Explain;
  readonly preview: PreviewChanges;
  readonly ruleBook: RuleBook;
  readonly ruleHits: RuleHits;
  readonly customRules: OrganizationRules;
  readonly profiles: OrganizationProfiles;
  readonly sessions: Sessions;
  /** Reads and publishes the rule files anew. Rejects with `GuardError`, and then nothing has changed. */
  reload(): Promise<{ readonly generation: number; readonly rules: number; readonly profiles: number }>;
  /** Administration of the caller's own organization, on the caller's behalf. Throws `StoreError`. */
  administration(principal: Principal, requestId: string): Administration;
  readonly web: WebSettings;
  /** Of the program. */
  readonly version: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Left out where requests are not limited. */
  readonly rateLimit?: RateLimit;
  /** The metrics of all threads in the Prometheus text format. */
  renderMetrics(): Promise<string>;
  /** How busy the service is now. Cheap; no I/O. */
  load(): Promise<Load>;
  /** Asked by `/readyz`. Cheap; reads the store only where it has changed. */
  health(): Health;
}

export interface Load extends ThreadLoad {
  /** Scans that wait for a thread of the pool. */
  readonly queueDepth: number;
  readonly poolThreads: number;
}

/** Of one thread of the front end, or of all of them together. */
export interface ThreadLoad {
  /** Requests that are being answered. */
  readonly inFlight: number;
  /** Share of the last seconds in which the thread was busy, 0 to 1; of several threads the mean. */
  readonly busy: number;
}

export interface Health {
  /** `degraded`: verdicts are given, but something beside them (the store) fails, or `default` stands in for a profile. */
  readonly status: 'ready' | 'degraded' | 'unavailable';
  /** One sentence each, fit for anybody to read; empty when ready. */
  readonly reasons: readonly string[];
}

/** One request, as far as every operation may know it. */
export interface Call {
  readonly requestId: string;
  /** When its head arrived, in the clock's microseconds. */
  readonly receivedUs: number;
  /** True once the service has begun to shut down. */
  readonly draining: boolean;
  /** See `RequestHead`. */
  readonly abandoned: () => AbortSignal;
}

/** What a request says beside its credentials. */
export interface Input {
  /** Values of the path's parameters, as sent, but UUIDs in lower case. */
  readonly parameters: PathParameters;
  /** The raw query string, without `?`; empty when there is none. */
  readonly query: string;
  /** The parsed JSON object; undefined for an operation without a body. */
  readonly body: unknown;
}

/** Where a request comes from. */
interface Client {
  readonly address: string;
  /** Value of the session cookie that came along, valid or not. */
  readonly sessionSecret: string | undefined;
}

/** An answer before it is written: a wire object, or text as it is. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: object | string;
  /** Beside `Content-Type` and those that every response carries. */
  readonly headers: readonly Header[];
}

export function jsonReply(body: object | string, headers: readonly Header[] = [], status = 200): Reply {
  return { status, contentType: 'application/json', body, headers };
}
