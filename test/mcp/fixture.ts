import { createHostCheck } from '../../src/mcp/hosts.js';
import { mcpRoute } from '../../src/mcp/mcp-route.js';
import { type RawAnswer, rawClient, type Service, startService } from '../http/fixture.js';
import type { Json, Sent } from './messages.js';

/** The real front end with the MCP route over the fake guard. */
export function startMcp(settings: Parameters<typeof startService>[0] = {}): Promise<Service> {
  return startService({
    ...settings,
    routesOf: ({ guard, metrics, rateLimit }, log) => [
      mcpRoute({
        guard,
        metrics,
        ...(rateLimit ? { rateLimit } : {}),
        log,
        redact: (words, end) => words.slice(0, end).replaceAll('sesame', '[redacted]'),
        hosts: createHostCheck('127.0.0.1', ['guard.example']),
      }),
    ],
  });
}

/** What a request differs in from one with a token that may do everything; undefined takes a header away. */
export interface Differs {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as it is, in place of the message. */
  readonly body?: string | Uint8Array;
}

/** The bytes of a request. */
export function mcpBytes({ headers, message }: Sent, differs: Differs = {}): Buffer {
  const body = Buffer.from(differs.body ?? JSON.stringify(message));
  const all: Readonly<Record<string, string | undefined>> = {
    host: 'localhost',
    authorization: 'Bearer everything',
    ...headers,
    'content-length': String(body.length),
    ...differs.headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const { method = 'POST', path = '/mcp/guard' } = differs;
  return Buffer.concat([Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')), body]);
}

/** Sends a request on a new connection and gives its answer. */
export async function askMcp(service: Service, sent: Sent, differs: Differs = {}): Promise<RawAnswer> {
  const client = await rawClient(service.server.port);
  await client.send(mcpBytes(sent, differs));
  const answer = await client.answer();
  client.destroy();
  return answer;
}

/** The log entries of MCP calls, in order. */
export function callEntries(service: Service): readonly { readonly [key: string]: Json }[] {
  return service.logged.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).startsWith('MCP Guard'));
}
