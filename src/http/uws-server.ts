import type { AppDescriptor, HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { malformedAnswer } from '../api/answer.js';
import type { RequestHead, Route } from '../api/route.js';
import { GuardError } from '../domain/errors.js';
import { limits } from '../domain/limits.js';
import type { Clock } from '../telemetry/clock.js';
import type { Logger } from '../telemetry/log.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { Tracer } from '../telemetry/tracing.js';
import { type AdmissionOptions, createAdmission, overloaded } from './admission.js';
import { findListenFault } from './listen-fault.js';
import { announcedLength, clientAddress, framingFault, RequestHeaders, requestIdOf } from './request-head.js';
import { createRouteTable, type RouteMatch } from './route-table.js';
import { Exchange, type ServerState } from './uws-exchange.js';
import { loadUws } from './uws-library.js';

export interface FrontEndOptions {
  readonly routes: readonly Route[];
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Left out where nothing is traced. */
  readonly tracer?: Tracer;
  readonly clock: Clock;
  readonly bodyBytesMax?: number;
  readonly bodiesInFlightBytesMax?: number;
  readonly drainMs?: number;
  /** How requests wait for their turn on this thread. */
  readonly admission?: Pick<AdmissionOptions, 'waitMsMax' | 'freeBytes' | 'turnUs' | 'together'>;
  /** Proxies in front whose `X-Forwarded-For` is believed, one entry each; 0 when left out. */
  readonly proxies?: number;
}

/** An application that serves routes, on the thread that made it. */
export interface FrontEnd {
  readonly descriptor: () => AppDescriptor;
  /** Deals connections out to the application of another thread, too. */
  share(descriptor: AppDescriptor): void;
  /** Gives the port. Rejects when the address cannot be listened on. */
  listen(host: string, port: number): Promise<number>;
  /** Refuses new requests with 503 and resolves when the running ones are finished, at most after `drainMs`. */
  quiesce(): Promise<void>;
  /**
   * What comes behind `quiesce`, on all threads at once: takes no new connections, and resolves when those that are open have
   * got an answer to what was on its way, at most after `limits.drainLingerMs`.
   */
  linger(): Promise<void>;
  /** Closes all connections and what listens. Idempotent. */
  close(): void;
}

/**
 * Serves routes over HTTP/1.1 with uWebSockets.js. A connection that is idle, or sends its request too slowly, is closed by
 * the library after some 10 seconds.
 */
export async function createFrontEnd(options: FrontEndOptions): Promise<FrontEnd> {
  const { log, metrics, clock } = options;
  const uws = await loadUws();
  const app = uws.App();
  const state: ServerState = {
    clock,
    log,
    stages: metrics.stages,
    admission: createAdmission({ clock, connections: () => state.connections, ...options.admission }),
    bodyBytesMax: options.bodyBytesMax ?? limits.bodyBytesMax,
    bodiesInFlightBytesMax: options.bodiesInFlightBytesMax ?? limits.bodiesInFlightBytesMax,
    draining: false,
    connections: 0,
    inFlight: 0,
    bodyBytes: 0,
    onIdle: () => undefined,
  };
  metrics.watch('in_flight', () => state.inFlight);
  metrics.watch('inline_queue', () => state.admission.waiting);
  metrics.watch('inline_wait_seconds', () => state.admission.waitUs / 1_000_000);
  const countConnection = (_response: HttpResponse, change: number) => {
    state.connections += change;
  };
  app.filter(countConnection);
  app.any('/*', requestHandler(state, options));
  let closed = false;
  let listening: us_listen_socket | undefined;
  const close = () => {
    if (!closed) app.close();
    closed = true;
  };
  let isShared = false;
  let quiet: Promise<void> | undefined;
  return {
    descriptor: () => app.getDescriptor(),
    share: (descriptor) => {
      if (!isShared) app.addChildAppDescriptor(app.getDescriptor());
      isShared = true;
      app.addChildAppDescriptor(descriptor);
    },
    listen: async (host, port) => {
      const socket = await new Promise<us_listen_socket | false>((resolve) => {
        app.listen(host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, resolve);
      });
      if (socket !== false) {
        listening = socket;
        return uws.us_socket_local_port(socket);
      }
      close();
      throw new Error(`Cannot listen on ${host}:${port}: ${await findListenFault(host, port)}.`);
    },
    quiesce: () => {
      quiet ??= becomeQuiet(state, options.drainMs ?? limits.drainMs);
      return quiet;
    },
    linger: async () => {
      // Behind a look for what wants to connect, all of which is taken: what nobody has taken yet is reset with what listens. The turn
      // that this began in may be past its look, so that there is one only in the turn behind it.
      await nextTurn();
      await nextTurn();
      if (listening && !closed) uws.us_listen_socket_close(listening);
      listening = undefined;
      await becomeSilent(state);
    },
    close,
  };
}

/** The handler of every request, whatever its method and path. Never throws. */
function requestHandler(
  state: ServerState,
  { routes, metrics, proxies = 0, tracer }: FrontEndOptions,
): (response: HttpResponse, request: HttpRequest) => void {
  const find = createRouteTable(routes);
  const routeMetrics = new Map([...new Set(routes.map(({ path }) => path))].map((path) => [path, metrics.route(path)]));
  const route = { path: 'unmatched' };
  const unmatched = { requestId: 'unknown', method: otherMethod, route, metrics: metrics.route(route.path) };
  return (response, request) => {
    const exchange = new Exchange(state, response, unmatched);
    try {
      const headers = new RequestHeaders();
      request.forEach((name, value) => {
        headers.add(name, value);
      });
      const method = request.getCaseSensitiveMethod();
      const path = request.getUrl();
      const match = find(method, path);
      const requestId = requestIdOf(headers);
      const route = match.kind === 'unknown' ? unmatched.route : match.route;
      const metrics = routeMetrics.get(route.path) ?? unmatched.metrics;
      exchange.identify({ requestId, method: methodLabel(method), route, metrics });
      const fault = framingFault(headers);
      if (fault !== undefined) {
        exchange.keepApart();
        exchange.send(malformedAnswer(fault, requestId));
        return;
      }
      const head = {
        method,
        path,
        parameters: match.kind === 'route' ? match.parameters : {},
        query: request.getQuery() || '',
        requestId,
        receivedUs: exchange.receivedUs,
        draining: state.draining,
        header: (name: string) => headers.get(name),
        headers: () => headers.entries(),
        address: () => clientAddress(remoteAddress(response), headers, proxies),
        answer: exchange,
        abandoned: signalOf(exchange),
      };
      if (tracer !== undefined) exchange.follow(tracer.begin(head.header('traceparent'), exchange.receivedUs));
      exchange.passed('head', exchange.receivedUs);
      const announced = announcedLength(headers);
      // The library takes whatever follows the last chunk, as trailers do, for the next request.
      if (announced === undefined) exchange.keepApart();
      if (announced === undefined || (announced > 0 && state.draining)) exchange.outlastBody();
      exchange.watched(() => serve(exchange, match, head, announced, state));
    } catch (error) {
      exchange.fail(error);
    }
  };
}

function serve(
  exchange: Exchange,
  match: RouteMatch,
  head: RequestHead,
  announced: number | undefined,
  { admission }: ServerState,
): void {
  if (match.kind === 'unknown') throw new GuardError('unknown_path', 'There is nothing at this path.');
  if (match.kind === 'wrong_method') {
    const error = new GuardError('method_not_allowed', `This path takes ${match.allow}.`);
    exchange.send(exchange.problem(error, [['Allow', match.allow]]));
    return;
  }
  if (head.draining && !match.route.whileDraining) {
    throw new GuardError('draining', 'The service is shutting down.');
  }
  if (!match.route.whileDraining && admission.isFull()) {
    exchange.fail(overloaded);
    return;
  }
  const open = () => match.route.open(head);
  // What asks for much without a body, as the overview does, waits its turn like everything else.
  if (announced === 0 && !match.route.whileDraining) {
    exchange.takeTurn(open);
    return;
  }
  const opened = open();
  if (typeof opened === 'function') exchange.readBody(announced, opened);
  else exchange.take(opened);
}

/** Made out here: a function of the handler's would keep all that the handler knows, headers and all, as long as the request waits. */
function signalOf(exchange: Exchange): () => AbortSignal {
  return () => exchange.abandoned();
}

function remoteAddress(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString('latin1');
}

const otherMethod = 'other';
const methodLabels: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Methods that nobody has are counted together, or a client could make as many time series as it likes. */
function methodLabel(method: string): string {
  return methodLabels.has(method) ? method : otherMethod;
}

/** How often it is looked whether all connections are gone. */
const lingerLookMs = 5;

async function becomeQuiet(state: ServerState, drainMs: number): Promise<void> {
  state.draining = true;
  state.log.info('draining', { count: state.inFlight });
  await becomeIdle(state, performance.now() + drainMs);
}

/**
 * A client that has just had its answer may be sending the next request. It is refused, and its connection closed in order: one
 * that is closed with something unread is reset, without an answer. What another thread has accepted arrives a little later.
 */
async function becomeSilent(state: ServerState): Promise<void> {
  const untilMs = performance.now() + limits.drainLingerMs;
  do await delay(lingerLookMs);
  while (state.connections > 0 && performance.now() < untilMs);
  await becomeIdle(state, untilMs);
  if (state.inFlight > 0) state.log.warn('requests were cut off', { count: state.inFlight });
  // Answers leave the library's buffer when its own handler returns, which is before the next turn of the loop.
  await nextTurn();
}

/** Resolves where nothing is being answered, at the latest when `performance.now()` is `untilMs`. */
async function becomeIdle(state: ServerState, untilMs: number): Promise<void> {
  if (state.inFlight === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, untilMs - performance.now()));
    state.onIdle = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
