import type { ApiContext } from './api/operation.js';
import { operationTable } from './api/operations.js';
import type { Config } from './config.js';
import { limits } from './domain/limits.js';
import { createScanner, type Scanner } from './engine/scanner.js';
import { warmViews } from './engine/view/match-views.js';
import { createTurns } from './guard/administration.js';
import { createAssignedProfile } from './guard/assigned-profile.js';
import { actorOf } from './guard/audit.js';
import { readBuildInfo } from './guard/build-info.js';
import { createExplain } from './guard/explain.js';
import { createInspector } from './guard/inspector.js';
import { createOrganizationProfiles } from './guard/organization-profiles.js';
import { createOrganizationRules } from './guard/organization-rules.js';
import { createOverlays } from './guard/overlays.js';
import { createPasswords } from './guard/passwords.js';
import { createPreview } from './guard/preview.js';
import { createProfiles } from './guard/profiles.js';
import { createRateLimit } from './guard/rate-limit.js';
import { createRedactor } from './guard/redactor.js';
import { createRuleBook } from './guard/rule-book.js';
import { createRuleHits } from './guard/rule-hits.js';
import { createGuardService } from './guard/service.js';
import { createSessions } from './guard/sessions.js';
import { createSignInThrottle } from './guard/sign-in-throttle.js';
import { createTextKeeper } from './guard/text-keeper.js';
import { readDashboard } from './http/dashboard-files.js';
import { dashboardRoutes } from './http/dashboard-routes.js';
import { restRoutes } from './http/rest-routes.js';
import { startHttp } from './http/uws-server.js';
import { customRulesCache } from './load-rules.js';
import { createHostCheck } from './mcp/hosts.js';
import { type McpContext, mcpRoute } from './mcp/mcp-route.js';
import { createPool } from './pool/pool.js';
import { createRulesCompiler } from './pool/rules-compiler.js';
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
  const scanner = createScanner(program, { engine: config.engine });
  warmViews(scanner);
  const inspector = createInspector(scanner, () => pool, config.inlineUnitsMax);
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
  });
  const overlays = createOverlays({
    store,
    compiler,
    program,
    engine: config.engine,
    clock: systemClock,
    failed: (error) => log.error('rules of an organization could not be opened', { error: describeError(error) }),
  });
  const customRules = createOrganizationRules(store, compiler, overlays);
  const profiles = createProfiles({ store, program, shipped: rules.profiles, clock: systemClock });
  const assignedProfile = createAssignedProfile(store, profiles);
  const guard = createGuardService({
    store,
    program,
    assignedProfile,
    inspector,
    overlays,
    keepText: createTextKeeper(scanner),
    clock: systemClock,
    build,
    events: {
      storeFailed,
      recordDropped: () => metrics.recordsDropped(1),
      textDropped: () => metrics.textsDropped(1),
      scanned: () => metrics.stages.lap('scan'),
      recorded: (written) => {
        storeLag.watch(written);
        metrics.stages.lap('record');
      },
    },
  });
  const busy = createBusyMeter();
  const ruleBook = createRuleBook(compiler);
  const explain = createExplain({
    store,
    program,
    profiles,
    assignedProfile,
    inspector,
    overlays,
    ruleBook,
    clock: systemClock,
  });
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
    guard,
    explain,
    preview: createPreview({ store, guard, program, profiles, overlays, customRules, pool, clock: systemClock }),
    ruleBook,
    ruleHits: createRuleHits(store, systemClock),
    customRules,
    profiles: createOrganizationProfiles(rules.profiles, profiles),
    sessions,
    administration: (principal, requestId) => ({
      store,
      knownProfiles: rules.profiles.map(({ id }) => id),
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
    guard,
    clock: systemClock,
    log,
    metrics,
    redact: createRedactor(scanner, (organizationId) => overlays.peek(organizationId, systemClock.nowUs())),
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
    warmGradually(scanner);
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

/** The service is ready at once; regexes are compiled between requests, a few at a time, or when first needed. */
function warmGradually(scanner: Scanner): void {
  setImmediate(() => {
    if (scanner.warm()) warmGradually(scanner);
  });
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
