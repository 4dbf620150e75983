import { connect } from 'node:net';
import type { ApiContext, Health } from '../../src/api/operation.js';
import { operationTable } from '../../src/api/operations.js';
import type { Route } from '../../src/api/route.js';
import type { Explain } from '../../src/guard/explain.js';
import { createOrganizationProfiles } from '../../src/guard/organization-profiles.js';
import { createOrganizationRules } from '../../src/guard/organization-rules.js';
import type { RateLimit } from '../../src/guard/rate-limit.js';
import { restRoutes } from '../../src/http/rest-routes.js';
import { createFrontEnd, type FrontEndOptions } from '../../src/http/uws-server.js';
import { openMemoryStore } from '../../src/store/memory/memory-store.js';
import { systemClock } from '../../src/telemetry/clock.js';
import { createLogger, type Logger } from '../../src/telemetry/log.js';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.js';
import { createFakeGuard, type FakeGuard } from '../api/fake-guard.js';
import { identityContext } from '../api/identity-context.js';

/** Where to listen, and what for. */
interface HttpOptions extends FrontEndOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** A running front end of one thread. */
interface HttpServer {
  readonly port: number;
  /** Refuses new requests, lets the running ones finish, then closes everything. Further calls give the same promise. */
  drain(): Promise<void>;
  /** Closes everything at once. Idempotent. */
  close(): void;
}

export async function startHttp({ host, port, ...options }: HttpOptions): Promise<HttpServer> {
  const front = await createFrontEnd(options);
  let drained: Promise<void> | undefined;
  return {
    port: await front.listen(host, port),
    drain: () => {
      drained ??= front.quiesce().then(front.linger).then(front.close);
      return drained;
    },
    close: front.close,
  };
}

/** A real front end on a free port, over the fake guard. */
export interface Service {
  readonly server: HttpServer;
  readonly guard: FakeGuard;
  readonly metrics: Metrics;
  /** Everything that was logged. */
  readonly logged: string[];
  readonly url: string;
  health: Health;
}

type Settings = Partial<Omit<HttpOptions, 'routes' | 'log' | 'metrics'>> & {
  readonly moreRoutes?: readonly Route[];
  readonly rateLimit?: RateLimit;
  readonly explain?: Explain;
  /** Routes over what those of REST work with. */
  readonly routesOf?: (context: ApiContext, log: Logger) => readonly Route[];
};

/** For front ends alone: what scans and what compiles rules is tested where it is real. */
const noEngine = () => Promise.reject(new Error('there is no engine here'));
const noCompiler = { check: () => Promise.reject(new Error('there is no compiler here')) };

export async function startService(settings: Settings = {}): Promise<Service> {
  const { moreRoutes = [], routesOf = () => [], rateLimit, explain = noEngine, ...options } = settings;
  const guard = createFakeGuard();
  const metrics = createMetrics();
  const logged: string[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line) => logged.push(line) } });
  const clock = options.clock ?? systemClock;
  const store = openMemoryStore();
  const context: ApiContext = {
    guard,
    explain,
    customRules: createOrganizationRules(store, noCompiler),
    preview: noEngine,
    ruleBook: { shipped: () => [] },
    ruleHits: () => new Map(),
    profiles: createOrganizationProfiles([]),
    reload: () => Promise.reject(new Error('there are no rule files here')),
    ...identityContext(store, clock),
    metrics,
    ...(rateLimit ? { rateLimit } : {}),
    clock,
    renderMetrics: () => metrics.render(),
    load: async () => ({ queueDepth: 0, poolThreads: 1, inFlight: 0, busy: 0 }),
    health: () => service.health,
  };
  const routes = [...restRoutes(operationTable('1.2.3'), context), ...moreRoutes, ...routesOf(context, log)];
  const server = await startHttp({ host: '127.0.0.1', port: 0, ...options, clock, metrics, log, routes });
  const url = `http://127.0.0.1:${server.port}`;
  const service: Service = { server, guard, metrics, logged, url, health: { status: 'ready', reasons: [] } };
  return service;
}

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A TCP connection that is written to by hand. */
export interface RawClient {
  send(bytes: string | Uint8Array): Promise<void>;
  /** The next answer. Rejects when the connection ends before it is complete. `head` answers have no body. */
  answer(kind?: 'head'): Promise<RawAnswer>;
  /** Resolves once the server has ended the connection; gives what had come and no `answer` took. */
  closed(): Promise<string>;
  /** Reads nothing until it is to go on. */
  pause(): void;
  resume(): void;
  destroy(): void;
}

export function rawClient(port: number): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received = Buffer.alloc(0);
    let over = false;
    let wake = (): void => undefined;
    const changed = () =>
      new Promise<void>((done) => {
        wake = done;
      });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      over = true;
      wake();
    });
    socket.once('error', reject);
    const client: RawClient = {
      send: (bytes) => new Promise((done) => socket.write(bytes, () => done())),
      async answer(kind) {
        for (;;) {
          const parsed = takeAnswer(received, kind === 'head');
          if (parsed !== undefined) {
            received = received.subarray(parsed.bytes);
            return parsed.answer;
          }
          if (over) throw new Error(`The connection ended after: ${received.toString('latin1')}`);
          await changed();
        }
      },
      async closed() {
        while (!over) await changed();
        return received.toString('latin1');
      },
      pause: () => void socket.pause(),
      resume: () => void socket.resume(),
      destroy: () => void socket.destroy(),
    };
    socket.once('connect', () => resolve(client));
  });
}

/** What a request differs in from a plain one with a token that may do everything. */
export interface Asked {
  /** `null` sends no `Authorization`. */
  readonly authorization?: string | null;
  readonly headers?: readonly string[];
  /** Text or bytes as they are, anything else as JSON. Sent with its length, and as `application/json` by default. */
  readonly body?: unknown;
  readonly contentType?: string | null;
}

/** The bytes of a request; `line` is its method and path. */
export function requestBytes(line: string, asked: Asked = {}): Buffer {
  const { authorization = 'Bearer everything', headers = [], body, contentType = 'application/json' } = asked;
  const bytes = body === undefined ? undefined : bodyBytes(body);
  const lines = [
    `${line} HTTP/1.1`,
    'Host: merlon',
    ...(authorization === null ? [] : [`Authorization: ${authorization}`]),
    ...(bytes === undefined || contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...(bytes === undefined ? [] : [`Content-Length: ${bytes.length}`]),
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes ?? Buffer.alloc(0)]);
}

/** Sends one request on a new connection and gives its answer. */
export async function ask(service: Service, line: string, asked: Asked = {}): Promise<RawAnswer> {
  const client = await rawClient(service.server.port);
  await client.send(requestBytes(line, asked));
  const answer = await client.answer(line.startsWith('HEAD ') ? 'head' : undefined);
  client.destroy();
  return answer;
}

/** A scan by POST. */
export function scan(service: Service, body: unknown, asked: Asked = {}): Promise<RawAnswer> {
  return ask(service, 'POST /api/v1/guard', { ...asked, body });
}

function bodyBytes(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}

/** A scan body with one message of the user. */
export function message(content: string): { messages: { role: string; content: string }[] } {
  return { messages: [{ role: 'user', content }] };
}

function takeAnswer(received: Buffer, isHead: boolean): { answer: RawAnswer; bytes: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine, ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const bodyStart = headEnd + 4;
  const length = headers.get('content-length');
  const bytes = bodyStart + (isHead || length === undefined ? 0 : Number(length));
  if (received.length < bytes) return undefined;
  const body = received.subarray(bodyStart, bytes).toString('utf8');
  return { answer: { status: Number(statusLine.split(' ')[1]), headers, body }, bytes };
}
