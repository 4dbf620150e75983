import type { ApiContext } from './api/operation.js';
import { operationTable } from './api/operations.js';
import type { Config } from './config.js';
import { limits } from './domain/limits.js';
import { createGeneration, type Surroundings } from './generation.js';
import { createTurns } from './guard/administration.js';
import { actorOf } from './guard/audit.js';
import { readBuildInfo } from './guard/build-info.js';
import { createOrganizationRules } from './guard/organization-rules.js';
import { createPasswords } from './guard/passwords.js';
import { createRateLimit } from './guard/rate-limit.js';
import { createRecorder } from './guard/recorder.js';
import { createRuleHits } from './guard/rule-hits.js';
import { createGuardMemory } from './guard/service.js';
import { createSessions } from './guard/sessions.js';
import { createSignInThrottle } from './guard/sign-in-throttle.js';
import { readDashboard } from './http/dashboard-files.js';
import { dashboardRoutes } from './http/dashboard-routes.js';
import { restRoutes } from './http/rest-routes.js';
import { startHttp } from './http/uws-server.js';
import { customRulesCache, shippedRulesCache } from './load-rules.js';
import { createHostCheck } from './mcp/hosts.js';
import { type McpContext, mcpRoute } from './mcp/mcp-route.js';
import { createPool } from './pool/pool.js';
import { createRulesCompiler } from './pool/rules-compiler.js';
import { createGenerations, type Generations, type Reloaded } from './reload.js';
import type { CompiledRules } from './rules/load.js';
import type { Store } from './store/store.js';
import { createBusyMeter } from './telemetry/busy.js';
import { systemClock } from './telemetry/clock.js';
import { createLagProbe } from './telemetry/lag.js';
import { describeError, type Logger } from './telemetry/log.js';
import { createMetrics } from './telemetry/metrics.js';
import type { Tracer } from './telemetry/tracing.js';

/** A running service. */
export interface Service {
  readonly host: string;
  readonly port: number;
  /** See `Generations.reload`. */
  reload(): Promise<Reloaded>;
  /** Finishes what was begun, then closes front end, pool and store. Idempotent. */
  stop(): Promise<void>;
}

const purgeEveryMs = 60 * 60 * 1_000;
const dayMs = 24 * 60 * 60 * 1_000;

/** The composition root: puts the parts together and serves. The service owns the store from here on. */
export async function startService(config: Config, rules: CompiledRules, store: Store, log: Logger): Promise<Service> {
  const metrics = createMetrics();
  const build = readBuildInfo();
  const { program } = rules;
  const pool = createPool({
    program: program.memory,
    threads: config.poolThreads,
    engine: config.engine,
  });
  const storeLag = createLagProbe(systemClock);
  metrics.watch('store_lag_seconds', storeLag.seconds);
  const storeFailed = (error: unknown) => {
    metrics.storeFailed();
    log.error('the store failed', { error: describeError(error) });
  };
  const compiler = createRulesCompiler({
    shippedIds: program.rules.map(({ id }) => id),
    rulesFolder: config.rulesFolder,
    cache: customRulesCache(build),
    shippedCache: shippedRulesCache(build),
  });
  /** Rules of organizations are checked and opened by the generation that answers when they are saved. */
  const customRules = createOrganizationRules(
    store,
    { check: (own) => compiler.knowing(generations.current.rules.program.rules.map(({ id }) => id)).check(own) },
    { prepare: (own, memory) => generations.current.overlays.prepare(own, memory) },
  );
  const surroundings: Surroundings = {
    config,
    store,
    pool,
    compiler,
    customRules,
    memory: createGuardMemory(),
    build,
    recorder: createRecorder({
      scans: store.scans,
      durability: config.durability,
      events: {
        storeFailed,
        recordDropped: metrics.recordsDropped,
        textDropped: metrics.textsDropped,
        recordUnconfirmed: metrics.recordUnconfirmed,
        handedOver: storeLag.watch,
      },
    }),
    storeFailed,
    onStage: metrics.stages.lap,
    log,
  };
  const generations: Generations = createGenerations({
    first: createGeneration(0, rules, surroundings),
    create: (number, next) => createGeneration(number, next, surroundings),
    compiler,
    log,
  });
  const busy = createBusyMeter();
  const passwords = createPasswords();
  const inTurn = createTurns();
  metrics.watch('pool_queue', () => pool.queued);
  metrics.watch('store_up', () => (store.health().ok ? 1 : 0));
  const sessions = createSessions({
    store,
    passwords,
    throttle: createSignInThrottle(),
    clock: systemClock,
    inTurn,
    events: {
      storeFailed,
      signInRefused: (userId) => log.warn('sign-in refused', userId === undefined ? {} : { user_id: userId }),
    },
  });
  const limited = config.rateLimit ? { rateLimit: createRateLimit(config.rateLimit) } : {};
  const context: ApiContext = {
    ...limited,
    get guard() {
      return generations.current.guard;
    },
    get explain() {
      return generations.current.explain;
    },
    get preview() {
      return generations.current.preview;
    },
    get ruleBook() {
      return generations.current.ruleBook;
    },
    get profiles() {
      return generations.current.profiles;
    },
    ruleHits: createRuleHits(store, systemClock),
    customRules,
    reload: () => generations.reload(),
    sessions,
    administration: (principal, requestId) => ({
      store,
      knownProfiles: generations.current.rules.profiles.map(({ id }) => id),
      organizationId: principal.organizationId,
      actor: actorOf(store, principal, requestId),
      passwords,
      inTurn,
    }),
    web: config.publicOrigin === undefined ? {} : { publicOrigin: config.publicOrigin },
    version: build.version,
    clock: systemClock,
    metrics,
    load: () => ({
      queueDepth: pool.queued,
      poolThreads: pool.threads,
      inFlight: metrics.read('in_flight'),
      busy: busy(),
    }),
    health: () => healthOf(store),
  };
  const mcp: McpContext = {
    ...limited,
    get guard() {
      return generations.current.guard;
    },
    clock: systemClock,
    log,
    metrics,
    redact: (...text) => generations.current.redact(...text),
    hosts: createHostCheck(config.host, config.allowedHosts),
  };
  const tracer = await startTracing(config, metrics.spansLost);
  const retention = keepRetention(store, config.retentionDays, storeFailed);
  try {
    const server = await startHttp({
      host: config.host,
      port: config.port,
      routes: [
        ...restRoutes(operationTable(build.version), context),
        mcpRoute(mcp),
        ...dashboardRoutes(readDashboard(config.dashboardFolder)),
      ],
      log,
      metrics,
      clock: systemClock,
      ...(tracer ? { tracer } : {}),
      bodyBytesMax: config.bodyBytesMax,
      drainMs: limits.drainMs,
      proxies: config.proxies,
      admission: { waitMsMax: config.queueMs },
    });
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      retention.stop();
      await server.drain();
      await Promise.all([pool.close(), compiler.close(), tracer?.close()]);
      await store.close();
    };
    return {
      host: server.host,
      port: server.port,
      reload: () => generations.reload(),
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    retention.stop();
    await Promise.all([pool.close(), compiler.close(), tracer?.close(), store.close()]);
    throw error;
  }
}

/** The libraries of tracing are loaded where a collector is configured only. */
async function startTracing({ tracing }: Config, lost: (count: number) => void): Promise<Tracer | undefined> {
  if (tracing === undefined) return undefined;
  const { createOtelTracer } = await import('./telemetry/otel.js');
  return createOtelTracer({ ...tracing, version: readBuildInfo().version, clock: systemClock, lost });
}

/** A failing store does not take the service away: verdicts go on, and this says what is lost. */
function healthOf(store: Store): ReturnType<ApiContext['health']> {
  const health = store.health();
  return health.ok ? { status: 'ready', reasons: [] } : { status: 'degraded', reasons: [health.reason] };
}

function keepRetention(store: Store, days: number, failed: (error: unknown) => void): { stop(): void } {
  const purge = () => {
    const now = Date.now();
    store.scans.purge(now - days * dayMs).catch(failed);
    store.sessions.purge(now, now - limits.sessionIdleMs).catch(failed);
  };
  purge();
  const timer = setInterval(purge, purgeEveryMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
