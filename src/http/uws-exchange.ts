import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { problemAnswer } from '../api/answer.js';
import type { Header } from '../api/http-terms.js';
import type { Answer, BodyReader, Route } from '../api/route.js';
import { errorFor, GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { Clock } from '../telemetry/clock.js';
import { describeError, type Logger } from '../telemetry/log.js';
import type { RouteMetrics } from '../telemetry/metrics.js';
import type { StageWatch } from '../telemetry/stages.js';
import type { RequestOutcome, RequestTrace, Stage } from '../telemetry/tracing.js';
import type { Admission, WaitingRequest } from './admission.js';
import { BodyBuffer } from './body-buffer.js';

/** What the exchanges of one server share. */
export interface ServerState {
  readonly clock: Clock;
  readonly log: Logger;
  readonly admission: Admission;
  readonly stages: StageWatch;
  readonly bodyBytesMax: number;
  readonly bodiesInFlightBytesMax: number;
  draining: boolean;
  /** Connections that are open. */
  connections: number;
  /** Exchanges that are neither answered nor aborted. */
  inFlight: number;
  /** Bytes of the bodies of those exchanges, and of their answers that are being written as the client reads. */
  bodyBytes: number;
  /** Called when `inFlight` has come down to 0. */
  onIdle(): void;
}

/** Who asks, for the answer's head, the log and the metrics. Set as far as it is known. */
export interface ExchangeLabels {
  readonly requestId: string;
  /** One of a closed set, see `RouteMetrics`. */
  readonly method: string;
  readonly route: Pick<Route, 'path' | 'problem'>;
  readonly metrics: RouteMetrics;
}

/** Longer bodies, in UTF-16 units or bytes, are written as fast as the client reads instead of all at once. */
const streamedLengthMin = 64 * 1024;
/** Of a long answer, what is written by itself where the connection is to close behind it: most sockets take so much at once. */
const lastPieceBytes = 4 * 1024;

/**
 * One request and its answer on a uWebSockets.js response. The response must not be touched after it was ended or
 * aborted, and an exception that escapes a handler ends the process: this class is where both are held.
 */
export class Exchange implements WaitingRequest {
  readonly receivedUs: number;
  readonly #server: ServerState;
  readonly #response: HttpResponse;
  #labels: ExchangeLabels;
  #heldBytes = 0;
  #answered = false;
  #settled = false;
  #isApart = false;
  /** Of a body that must be over before the answer: bytes that may still be dropped; 0 where there is none, or no more. */
  #unreadBytesMax = 0;
  /** Ends the wait for such a body. */
  #patience: NodeJS.Timeout | undefined;
  #leaving: AbortController | undefined;
  readonly #timed: boolean;
  #trace: RequestTrace | undefined;
  #scanId: string | undefined;
  /** What is left to do when its turn comes. */
  #waiting: { readonly reader: BodyReader; readonly body: Uint8Array; readonly sinceUs: number } | undefined;
  /** While it works in its turn, is kept apart or has a body to outlast, an answer is held, not sent. */
  #isInTurn = false;
  #held: Answer | undefined;
  #carried: readonly Header[] | undefined;

  /** Registers for aborts at once: nothing may throw before that. */
  constructor(server: ServerState, response: HttpResponse, labels: ExchangeLabels) {
    response.onAborted(() => this.#abandon());
    this.#server = server;
    this.#response = response;
    this.#labels = labels;
    this.receivedUs = server.clock.nowUs();
    this.#timed = server.stages.sample();
    server.inFlight++;
  }

  /** The request has a trace from now on, which is told what comes. */
  follow(trace: RequestTrace | undefined): void {
    this.#trace = trace;
  }

  /** Runs a part of the request that nothing else comes between, with the watch on its stages where they are timed. */
  watched(part: () => void): void {
    if (!this.#isWatched()) {
      part();
      return;
    }
    const { stages } = this.#server;
    stages.start(this.#timed, this.#trace);
    try {
      part();
    } finally {
      stages.stop();
    }
  }

  identify(labels: ExchangeLabels): void {
    this.#labels = labels;
  }

  carry(headers: readonly Header[]): void {
    this.#carried = headers;
  }

  /** Aborted when the client leaves before its answer, or has left already. */
  abandoned(): AbortSignal {
    this.#leaving ??= new AbortController();
    if (this.#settled) this.#leaving.abort();
    return this.#leaving.signal;
  }

  /**
   * For a request whose end is not sure: answers after the handler has returned, and closes the connection. As long as the
   * answer is owed, the library closes the connection as soon as it comes to another request on it, so that one hidden in
   * what follows the body never runs; an answer given inside the handler, even one that asks to close, would let it run.
   */
  keepApart(): void {
    this.#isApart = true;
  }

  /**
   * For a request whose connection is closed behind the answer: an answer that is there before the body is over waits for its
   * end, because a connection that is closed over unread bytes is reset, which can take the answer with it. What nobody reads
   * is dropped. Not for ever: up to `limits.unreadBodyBytesMax`, and while no more than `limits.unreadBodyPauseMs` pass
   * without a byte.
   */
  outlastBody(): void {
    this.#unreadBytesMax = limits.unreadBodyBytesMax;
    this.#response.onData((chunk, isLast) => this.#drop(chunk.byteLength, isLast));
  }

  #drop(bytes: number, isLast: boolean): void {
    this.#unreadBytesMax = isLast ? 0 : Math.max(0, this.#unreadBytesMax - bytes);
    if (this.#unreadBytesMax > 0) this.#patience?.refresh();
    else if (this.#held !== undefined) setImmediate(() => this.finish());
  }

  /** Reads the body and goes on with `reader`. `announced` is its length by the head, undefined when chunked. */
  readBody(announced: number | undefined, reader: BodyReader): void {
    if (announced !== undefined && announced > this.#server.bodyBytesMax) throw tooLarge(this.#server);
    let collected: BodyBuffer | undefined;
    this.#response.onData((chunk, isLast) => {
      if (this.#answered || this.#settled) {
        this.#drop(chunk.byteLength, isLast);
        return;
      }
      if (isLast) this.#unreadBytesMax = 0;
      try {
        const bytes = new Uint8Array(chunk);
        this.#hold(bytes.byteLength);
        if (isLast && collected === undefined) {
          this.#goOn(reader, bytes, false);
          return;
        }
        collected ??= new BodyBuffer(announced);
        collected.add(bytes);
        if (isLast) this.#goOn(reader, collected.view(), true);
      } catch (error) {
        collected = undefined;
        this.#letGo();
        this.fail(error);
      }
    });
  }

  /** Goes on without a body, now or in its turn. */
  takeTurn(open: () => Answer | Promise<Answer> | BodyReader): void {
    const reader: BodyReader = (body) => {
      const opened = open();
      return typeof opened === 'function' ? opened(body) : opened;
    };
    this.#goOn(reader, new Uint8Array(), true);
  }

  /** Goes on with a whole body, now or in its turn; bytes that are not ours are copied before they wait. */
  #goOn(reader: BodyReader, bytes: Uint8Array, owned: boolean): void {
    const { admission, clock } = this.#server;
    if (admission.mayRun(this.receivedUs, bytes.byteLength)) {
      this.watched(() => this.take(reader(bytes)));
      return;
    }
    const sinceUs = this.#isWatched() ? clock.nowUs() : 0;
    this.#waiting = { reader, body: owned ? bytes : Buffer.from(bytes), sinceUs };
    admission.wait(this, bytes.byteLength);
  }

  /** What waited for its turn; an answer that is there then is held until `finish`. */
  work(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (this.#settled || waiting === undefined) return;
    this.passed('wait', waiting.sinceUs);
    this.#isInTurn = true;
    try {
      this.watched(() => this.take(waiting.reader(waiting.body)));
    } catch (error) {
      this.fail(error);
    }
    this.#isInTurn = false;
  }

  finish(): void {
    const answer = this.#held;
    this.#held = undefined;
    if (answer === undefined || this.#settled) return;
    try {
      this.watched(() => this.#response.cork(() => this.#write(answer)));
    } catch (error) {
      this.fail(error);
    }
  }

  /** True where somebody wants to know how long its stages take. */
  #isWatched(): boolean {
    return this.#timed || this.#trace !== undefined;
  }

  /** Tells of a stage that lasted from then to now. */
  passed(stage: Stage, beganUs: number): void {
    if (!this.#isWatched()) return;
    this.#server.stages.add(stage, beganUs, this.#timed, this.#trace);
  }

  /** Sends an answer, now or when it comes. */
  take(outcome: Answer | Promise<Answer>): void {
    if (!(outcome instanceof Promise)) {
      this.send(outcome);
      return;
    }
    const beganUs = this.#server.clock.nowUs();
    const goOn = (part: () => void) => {
      try {
        this.passed('pool', beganUs);
        part();
      } catch (error) {
        this.fail(error);
      }
    };
    // One promise and no chain of them: hundreds of requests may wait for one commit.
    outcome.then(
      (answer) => goOn(() => this.watched(() => this.send(answer))),
      (error: unknown) => goOn(() => this.fail(error)),
    );
  }

  /** An error in the form that clients of the route expect. */
  problem(error: GuardError, headers: readonly Header[] = []): Answer {
    const { requestId, route } = this.#labels;
    return route.problem?.(error, requestId, headers) ?? problemAnswer(error, requestId, headers);
  }

  /** Answers with what was thrown. Never throws. */
  fail(thrown: unknown): void {
    const {
      requestId,
      route: { path: route },
      method,
    } = this.#labels;
    const cause = thrown instanceof GuardError ? thrown.cause : thrown;
    if (cause !== undefined) {
      this.#server.log.error('request failed', { request_id: requestId, route, method, error: describeError(cause) });
    }
    if (this.#settled) return;
    if (this.#answered) {
      this.#response.close();
      return;
    }
    try {
      this.send(this.problem(errorFor(thrown)));
    } catch (error) {
      this.#server.log.error('answer failed', { request_id: requestId, route, method, error: describeError(error) });
      if (!this.#settled) this.#response.close();
    }
  }

  /** Writes an answer; a second one, and one after an abort, is dropped. */
  send(answer: Answer): void {
    if (this.#answered || this.#settled) return;
    this.#answered = true;
    if (this.#trace !== undefined) this.#scanId = answer.headers.find(([name]) => name === 'X-Scan-Id')?.[1];
    if (this.#isInTurn) this.#held = answer;
    else if (this.#unreadBytesMax > 0) {
      this.#held = answer;
      this.#patience = setTimeout(() => this.finish(), limits.unreadBodyPauseMs).unref();
    } else if (this.#isApart) {
      this.#held = answer;
      setImmediate(() => this.finish());
    } else this.#response.cork(() => this.#write(answer));
  }

  /** One call for all headers: crossing into native code costs more than joining them. */
  #write(made: Answer): void {
    const response = this.#response;
    const answer = this.#hasRoomFor(made) ? made : this.problem(noRoom);
    const { body } = answer;
    const close = this.#isApart || this.#server.draining;
    const streamed = body.length >= streamedLengthMin;
    let head = `${this.#labels.requestId}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: ${answer.cacheControl ?? 'no-store'}`;
    if (answer.contentType !== '') head += `\r\nContent-Type: ${answer.contentType}`;
    for (const [name, value] of answer.headers) head += `\r\n${name}: ${value}`;
    if (this.#carried !== undefined) for (const [name, value] of this.#carried) head += `\r\n${name}: ${value}`;
    if (streamed && close) head += '\r\nConnection: close';
    if (answer.status !== 200) response.writeStatus(`${answer.status} ${STATUS_CODES[answer.status] ?? ''}`);
    response.writeHeader('X-Request-Id', head);
    if (this.#labels.method === 'HEAD' || answer.status === 304) {
      this.#endWithoutBody(answer, close);
    } else if (streamed) {
      this.#stream(answer.status, typeof body === 'string' ? Buffer.from(body) : body, close);
      return;
    } else {
      response.end(body, close);
    }
    this.#settle(answer.status);
  }

  /** A length given to the library counts there as a body that is still to come, so that the connection is of no more use and never ends. */
  #endWithoutBody({ status, body }: Answer, close: boolean): void {
    if (close) {
      this.#response.endWithoutBody(0, true);
      return;
    }
    if (status !== 304) this.#response.writeHeader('Content-Length', String(Buffer.byteLength(body)));
    this.#response.endWithoutBody();
  }

  /** Clients that read slowly must not have the service keep any number of long answers. */
  #hasRoomFor({ body: { length } }: Answer): boolean {
    const { bodyBytes, bodiesInFlightBytesMax } = this.#server;
    return length < streamedLengthMin || bodyBytes + length <= bodiesInFlightBytesMax;
  }

  /** Writes what the socket takes now, and the rest when it takes more; the exchange is in flight until then. */
  #stream(status: number, bytes: Uint8Array, close: boolean): void {
    this.#heldBytes += bytes.byteLength;
    this.#server.bodyBytes += bytes.byteLength;
    if (this.#endFrom(0, bytes, close)) {
      this.#settle(status);
      return;
    }
    this.#response.onWritable((offset) => {
      const isEnded = this.#endFrom(offset, bytes, close);
      if (isEnded) this.#settle(status);
      return isEnded;
    });
  }

  /**
   * True where all of the rest was taken. The library closes no connection behind an answer that is written piece by piece. On one
   * that is to close, nothing is read from before the last piece on: what a client sends then is no request, and ends with the idle
   * connection.
   */
  #endFrom(offset: number, bytes: Uint8Array, close: boolean): boolean {
    const response = this.#response;
    const lastAt = close ? Math.max(0, bytes.byteLength - lastPieceBytes) : bytes.byteLength;
    if (offset < lastAt) {
      const [isTaken, isEnded] = response.tryEnd(bytes.subarray(offset, lastAt), bytes.byteLength);
      if (isEnded || !isTaken || !close) return isEnded;
    }
    response.pause();
    const [, isEnded] = response.tryEnd(bytes.subarray(Math.max(offset, lastAt)), bytes.byteLength);
    if (!isEnded) response.resume();
    return isEnded;
  }

  #abandon(): void {
    const waited = !this.#settled;
    this.#settle('aborted');
    if (waited) this.#leaving?.abort();
  }

  #hold(bytes: number): void {
    const server = this.#server;
    this.#heldBytes += bytes;
    server.bodyBytes += bytes;
    if (this.#heldBytes > server.bodyBytesMax) throw tooLarge(server);
    if (server.bodyBytes > server.bodiesInFlightBytesMax) {
      throw new GuardError('overloaded', 'Too many request bodies are being read at once.');
    }
  }

  /** What was held counts no longer. */
  #letGo(): void {
    this.#server.bodyBytes -= this.#heldBytes;
    this.#heldBytes = 0;
  }

  #settle(outcome: RequestOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    const server = this.#server;
    const {
      requestId,
      route: { path: route },
      method,
      metrics,
    } = this.#labels;
    const durationUs = server.clock.nowUs() - this.receivedUs;
    this.#letGo();
    server.inFlight--;
    metrics.done(method, outcome, durationUs);
    server.stages.lap('answer');
    this.#trace?.end({ method, route, requestId, outcome, scanId: this.#scanId });
    if (server.log.writes('debug')) {
      const status = outcome === 'aborted' ? {} : { status: outcome };
      server.log.debug('request done', { request_id: requestId, route, method, duration_us: durationUs, ...status });
    }
    if (server.inFlight === 0) server.onIdle();
  }
}

const noRoom = new GuardError('overloaded', 'Too many long answers are being written at once.');

function tooLarge(server: ServerState): GuardError {
  return new GuardError('body_too_large', `The body is larger than ${server.bodyBytesMax} bytes.`);
}
