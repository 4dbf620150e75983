/**
 * What a request goes through, in order: framing and route, token, the wait for its turn on a busy thread, all the work of one
 * without a body (`handle`), or else JSON, schema, scan and the handing over of its record, and the making and sending of the answer.
 * `pool` stands for all that happens elsewhere than on the serving thread, a commit too, from the hand-over to the return.
 */
export const stages = [
  'head',
  'auth',
  'wait',
  'handle',
  'parse',
  'validate',
  'scan',
  'record',
  'answer',
  'pool',
] as const;
export type Stage = (typeof stages)[number];

/** How a request ended: its HTTP status, or `aborted` when the client left before the answer. */
export type RequestOutcome = number | 'aborted';

/**
 * Traces of requests, for a collector that the operator named. What a trace holds is this closed set: method, route,
 * status, ids and times; no text, no token, and of a client's headers its request id alone.
 */
export interface Tracer {
  /**
   * The trace of a request that shall have one: where its `traceparent` (W3C Trace Context) says so, or, where it has
   * none, by lot. Undefined for all others, at the cost of a random number.
   */
  begin(traceparent: string | undefined, receivedUs: number): RequestTrace | undefined;
  /** Sends what waits. */
  close(): Promise<void>;
}

export interface RequestTrace {
  /** A part of the request, in the clock's microseconds. */
  stage(stage: Stage, beganUs: number, endedUs: number): void;
  /** The request is over. */
  end(request: {
    readonly method: string;
    /** Path of the route as written in the table. */
    readonly route: string;
    readonly requestId: string;
    readonly outcome: RequestOutcome;
    readonly scanId: string | undefined;
  }): void;
}

/** The parent that a `traceparent` header names. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const shape = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/**
 * Reads a `traceparent` header (W3C Trace Context, section 3.2); undefined for one that is malformed, of the forbidden
 * version `ff`, or all zeros. Later versions may have more parts; this one may not.
 */
export function readTraceParent(header: string | undefined): TraceParent | undefined {
  const parts = header === undefined ? null : shape.exec(header);
  if (parts === null) return undefined;
  const [, version, traceId, spanId, flags, rest] = parts;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
