import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Durability, durabilities } from './domain/durability.js';
import { limits } from './domain/limits.js';
import type { Rate } from './domain/rate.js';
import { type Engine, engines } from './engine/automaton/searcher.js';
import { type LogLevel, logLevels } from './telemetry/log-level.js';

/** Settings of the service, from defaults, environment and command line. The only reader of `process.env` beside `cache-folder.ts` and `unknown-settings.ts`. */
export interface Config {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Names beside the loopback ones by which this server is known to MCP clients. */
  readonly allowedHosts: readonly string[];
  /** Origin of the address in people's browsers, e.g. `https://merlon.example.org`; undefined where nobody told it. */
  readonly publicOrigin?: string;
  /** Proxies in front whose `X-Forwarded-For` is believed. */
  readonly proxies: number;
  /** Folder of the store. */
  readonly dataFolder: string;
  readonly rulesFolder: string;
  /** Folder of the built dashboard; it may be missing. */
  readonly dashboardFolder: string;
  readonly bodyBytesMax: number;
  readonly inlineUnitsMax: number;
  readonly poolThreads: number;
  /** Messages that are remembered as clean; 0 scans each of them each time. */
  readonly rememberedMessages: number;
  /** Threads that serve requests, the main one included. */
  readonly threads: number;
  /** Longest wait of a request for its turn on the serving thread. */
  readonly queueMs: number;
  readonly retentionDays: number;
  readonly durability: Durability;
  /** Requests that each token may send; undefined where they are not limited. */
  readonly rateLimit?: Rate;
  readonly logLevel: LogLevel;
  /** Where traces go; undefined where no collector is named. */
  readonly tracing?: TracingConfig;
  readonly engine: Engine;
  /** Token that the first run makes valid. Never logged. */
  readonly bootstrapToken?: string;
}

/** Tracing by the settings that OpenTelemetry gives all programs, and the share of requests that we trace. */
interface TracingConfig {
  readonly url: string;
  readonly serviceName: string;
  readonly ratio: number;
}

/** A setting that cannot be used; the message names it. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

export interface ConfigOverrides {
  readonly host?: string;
  readonly port?: string;
  readonly data?: string;
}

/** The rules that are shipped beside the code, the same from `src/` and from `dist/`. */
export const shippedRulesFolder: string = fileURLToPath(new URL('../rules', import.meta.url));

/** Where the build writes the dashboard, the same from `src/` and from `dist/`. */
const builtDashboardFolder: string = fileURLToPath(new URL('../dist/dashboard', import.meta.url));

/** Reads the configuration; a command-line flag wins over the environment. Throws `ConfigError`. */
export function readConfig(overrides: ConfigOverrides = {}, env: NodeJS.ProcessEnv = process.env): Config {
  const token = env.MERLON_BOOTSTRAP_TOKEN;
  return {
    // Set but empty is not set: an empty host would be every interface, an empty folder the working one.
    host: overrides.host || env.MERLON_HOST || '127.0.0.1',
    port: integer(
      overrides.port === undefined ? 'MERLON_PORT' : '--port',
      overrides.port || env.MERLON_PORT,
      8686,
      0,
      65_535,
    ),
    allowedHosts: hostNames(env.MERLON_ALLOWED_HOSTS),
    ...publicOrigin(env.MERLON_PUBLIC_URL),
    proxies: integer('MERLON_PROXIES', env.MERLON_PROXIES, 0, 0, 16),
    ...readFolders(overrides.data, env),
    dashboardFolder: resolve(env.MERLON_DASHBOARD || builtDashboardFolder),
    bodyBytesMax: integer(
      'MERLON_BODY_BYTES_MAX',
      env.MERLON_BODY_BYTES_MAX,
      limits.bodyBytesMax,
      1_024,
      64 * 1024 * 1024,
    ),
    ...readScanSettings(env),
    threads: threads(env),
    rememberedMessages: integer(
      'MERLON_REMEMBERED_MESSAGES',
      env.MERLON_REMEMBERED_MESSAGES,
      limits.rememberedMessages,
      0,
      64 * 1024 * 1024,
    ),
    queueMs: integer('MERLON_QUEUE_MS', env.MERLON_QUEUE_MS, limits.inlineWaitMs, 1, 60_000),
    retentionDays: integer('MERLON_RETENTION_DAYS', env.MERLON_RETENTION_DAYS, limits.retentionDays, 1, 36_500),
    durability: durability(env.MERLON_DURABILITY),
    ...rateLimit(env.MERLON_RATE_LIMIT),
    ...tracing(env),
    ...(token ? { bootstrapToken: token } : {}),
  };
}

/** What a process needs that scans and serves no port, so that no other setting stops it. Throws `ConfigError`. */
export function readScanSettings(
  env: NodeJS.ProcessEnv = process.env,
): Pick<Config, 'inlineUnitsMax' | 'poolThreads' | 'logLevel' | 'engine'> {
  return {
    inlineUnitsMax: integer(
      'MERLON_INLINE_UNITS_MAX',
      env.MERLON_INLINE_UNITS_MAX,
      limits.inlineUnitsMax,
      0,
      1_048_576,
    ),
    poolThreads: integer('MERLON_POOL_THREADS', env.MERLON_POOL_THREADS, availableParallelism(), 1, 256),
    logLevel: logLevel(env.MERLON_LOG_LEVEL),
    engine: readEngine(env),
  };
}

/**
 * `MERLON_ENGINE`: `auto` searches with WebAssembly where the platform has it, `js` without. Same answers. Throws
 * `ConfigError`.
 */
export function readEngine(env: NodeJS.ProcessEnv = process.env): Engine {
  const engine = engines.find((known) => known === (env.MERLON_ENGINE || 'auto'));
  if (engine) return engine;
  throw new ConfigError(`MERLON_ENGINE must be one of ${engines.join(', ')}, not "${env.MERLON_ENGINE}"`);
}

/** Whether commands show where in the program an unexpected error came up. */
export function showsStacks(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.MERLON_LOG_LEVEL === 'debug';
}

/** Data folder and rules folder for commands that need nothing else, and that no other setting stops. */
export function readFolders(
  data: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Pick<Config, 'dataFolder' | 'rulesFolder'> {
  return {
    dataFolder: resolve(data || env.MERLON_DATA || './data'),
    rulesFolder: resolve(env.MERLON_RULES || shippedRulesFolder),
  };
}

/** Where a command finds a running service, and the token that it shows there. Throws `ConfigError`. */
export function readService(
  url: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): { readonly url: string; readonly token: string | undefined } {
  const address = url ?? ownAddress(readConfig({}, env));
  const { protocol, username, password } = URL.canParse(address) ? new URL(address) : noAddress;
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') {
    // Not repeated: it may hold a password.
    const argument = url === undefined ? 'MERLON_HOST' : '--url';
    throw new ConfigError(`${argument} must give an address such as http://127.0.0.1:8686, without user and password`);
  }
  return { url: address.replace(/\/+$/, ''), token: env.MERLON_TOKEN || undefined };
}

const noAddress = { protocol: '', username: '', password: '' };

/** Where a service with these settings is found from the machine on which it runs. */
function ownAddress({ host, port }: Config): string {
  const known = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${known}:${port}`;
}

function integer(name: string, text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

function threads(env: NodeJS.ProcessEnv): number {
  const count = integer('MERLON_THREADS', env.MERLON_THREADS, 1, 1, 64);
  if (count === 1 || rateLimit(env.MERLON_RATE_LIMIT).rateLimit === undefined) return count;
  throw new ConfigError('MERLON_RATE_LIMIT needs MERLON_THREADS=1: each thread would count for itself');
}

const hostName = /^(?:\[[\da-f:.]+\]|[a-z\d._-]+)$/i;

function hostNames(text: string | undefined): readonly string[] {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  const [wrong] = names.filter((name) => !hostName.test(name));
  if (wrong === undefined) return names;
  throw new ConfigError(`MERLON_ALLOWED_HOSTS must be host names without ports, joined by commas, not "${wrong}"`);
}

/** Only its origin counts: the service is always at the root of its address. */
function publicOrigin(text: string | undefined): Pick<Config, 'publicOrigin'> {
  if (text === undefined || text === '') return {};
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return { publicOrigin: url.origin };
  // Not repeated: it may hold a password.
  const rest = 'without a path, a user, a query or a fragment';
  throw new ConfigError(`MERLON_PUBLIC_URL must be an address such as https://merlon.example.org, ${rest}`);
}

function durability(text: string | undefined): Durability {
  const wanted = durabilities.find((known) => known === (text || 'relaxed'));
  if (wanted) return wanted;
  throw new ConfigError(`MERLON_DURABILITY must be one of ${durabilities.join(', ')}, not "${text}"`);
}

const rateShape = /^(\d{1,9})\/(s|min|h)$/;
const rateSeconds: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 };

/** `100/s`, `6000/min`, `100000/h`; empty or `off` for none. */
function rateLimit(text: string | undefined): Pick<Config, 'rateLimit'> {
  if (text === undefined || text === '' || text === 'off') return {};
  const [, count, unit] = rateShape.exec(text) ?? [];
  const requests = Number(count);
  if (requests >= 1) return { rateLimit: { requests, seconds: rateSeconds[unit] } };
  throw new ConfigError(`MERLON_RATE_LIMIT must be a rate such as 100/s, 6000/min or 100000/h, or off, not "${text}"`);
}

/** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is an address as it is, `OTEL_EXPORTER_OTLP_ENDPOINT` one that all signals share. */
function tracing(env: NodeJS.ProcessEnv): Pick<Config, 'tracing'> {
  const ratio = traceRatio(env.MERLON_TRACE_RATIO);
  const [name, text] = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
    ? ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT]
    : ['OTEL_EXPORTER_OTLP_ENDPOINT', env.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''];
  if (text === '' || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return {};
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigError(`${name} must be an address such as http://127.0.0.1:4318`);
  }
  const isWhole = name === 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  if (!isWhole && /[?#]/.test(text)) {
    throw new ConfigError(`${name} must have no query and no fragment: /v1/traces is put behind it`);
  }
  const url = isWhole ? text : `${text.replace(/\/$/, '')}/v1/traces`;
  return { tracing: { url, serviceName: env.OTEL_SERVICE_NAME || 'merlon', ratio } };
}

function traceRatio(text: string | undefined): number {
  if (text === undefined || text === '') return 0.01;
  const ratio = text.trim() === '' ? Number.NaN : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new ConfigError(`MERLON_TRACE_RATIO must be a number from 0 to 1, not "${text}"`);
}

function logLevel(text: string | undefined): LogLevel {
  const level = logLevels.find((known) => known === (text || 'info'));
  if (level) return level;
  throw new ConfigError(`MERLON_LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${text}"`);
}
