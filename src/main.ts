import type { AppDescriptor } from 'uWebSockets.js';
import type { Health, ThreadLoad } from './api/operation.js';
import { operationTable } from './api/operations.js';
import type { Route } from './api/route.js';
import type { Config } from './config.js';
import { limits } from './domain/limits.js';
import { createRecallParts, openRecall, type RecallParts } from './engine/judge/recall.js';
import { createForwardedAnswers } from './front/forward.js';
import { type FrontThreads, type FrontThreadsOptions, startFrontThreads } from './front/front-threads.js';
import { createGeneration, type Generation, type Surroundings } from './generation.js';
import { actorOf } from './guard/audit.js';
import { readBuildInfo } from './guard/build-info.js';
import { type MissingProfile, missingProfiles, missingText, watchMissingProfiles } from './guard/missing-profiles.js';
import { createOrganizationRules } from './guard/organization-rules.js';
import { createPasswords } from './guard/passwords.js';
import { createRateLimit } from './guard/rate-limit.js';
import { createRuleHits } from './guard/rule-hits.js';
import { createGuardMemory } from './guard/service.js';
import { createSessions } from './guard/sessions.js';
import { createSignInThrottle } from './guard/sign-in-throttle.js';
import { readDashboard } from './http/dashboard-files.js';
import { dashboardRoutes } from './http/dashboard-routes.js';
import { restRoutes } from './http/rest-routes.js';
import { customRulesCache, shippedRulesCache } from './load-rules.js';
import { createPool } from './pool/pool.js';
import { createRulesCompiler } from './pool/rules-compiler.js';
import { createGenerations, type Generations, type Reloaded } from './reload.js';
import { keepRetention } from './retention.js';
import type { CompiledRules } from './rules/load.js';
import { contextOf, countingRecorder, mcpRouteOf, openFrontEnd, storeFailureReport } from './serving.js';
import { newChangeCell } from './store/lmdb/environment.js';
import type { Store } from './store/store.js';
import { createBusyMeter } from './telemetry/busy.js';
import { systemClock } from './telemetry/clock.js';
import { createLagProbe } from './telemetry/lag.js';
import { describeError, LoggedText, type Logger } from './telemetry/log.js';
import { createMetrics } from './telemetry/metrics.js';

/** A running service. */
export interface Service {
  readonly host: string;
  readonly port: number;
  /** See `Generations.reload`. */
  reload(): Promise<Reloaded>;
  /** Settles where a thread of the front end has ended by itself: the service cannot go on without. */
  readonly lost: Promise<unknown>;
  /** Finishes what was begun, then closes front end, pool and store. Idempotent. */
  stop(): Promise<void>;
}

/** After the service has begun to listen: whoever waits for that has asked by then. */
const poolStartMs = 100;

/**
 * The composition root: puts the parts together and serves. The service owns the store from here on. `changes` is what the
 * store was opened with (`EnvironmentOptions.changes`), where there are several threads.
 */
export async function startService(
  config: Config,
  rules: CompiledRules,
  store: Store,
  log: Logger,
  changes: Int32Array = newChangeCell(),
): Promise<Service> {
  const metrics = createMetrics();
  const build = readBuildInfo();
  const { program } = rules;
  const recall = config.rememberedMessages === 0 ? undefined : createRecallParts(config.rememberedMessages);
  const pool = createPool({
    program: program.memory,
    threads: config.poolThreads,
    engine: config.engine,
    recall,
    startLater: true,
  });
  const storeLag = createLagProbe(systemClock);
  metrics.watch('store_lag_seconds', storeLag.seconds);
  const storeFailed = storeFailureReport(metrics, log);
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
    {
      prepare: async (own, memory) => {
        generations.current.overlays.prepare(own, memory);
        await fronts?.prepare(own, memory);
      },
    },
  );
  let fronts: FrontThreads | undefined;
  const recorder = countingRecorder({ scans: store.scans, durability: config.durability }, metrics, {
    storeFailed,
    handedOver: storeLag.watch,
  });
  const surroundings: Surroundings = {
    config,
    store,
    pool,
    compiler,
    customRules,
    memory: createGuardMemory(),
    recall: recall && openRecall(recall),
    build,
    recorder: {
      save: recorder.save,
      // Results hold what any thread has answered.
      settled: () => (fronts ? fronts.settle().then(recorder.settled) : recorder.settled()),
    },
    storeFailed,
    onStage: metrics.stages.lap,
    log,
  };
  const generations: Generations = createGenerations({
    first: createGeneration(0, rules, surroundings),
    create: (number, next) => createGeneration(number, next, surroundings),
    compiler,
    faultsOf: ({ profiles }, before) =>
      missingProfiles(store, profiles)
        // What was missing before is no reason to go on with former rules.
        .filter((missing) => before.profiles.some(({ id }) => id === missing.id))
        .map((missing) => ({ place: '', message: missingText(missing) })),
    publish: async ({ number, rules: { program: next, profiles } }) =>
      fronts?.publish({ generation: number, program: next.memory, profiles }),
    log,
  });
  const busy = createBusyMeter();
  const passwords = createPasswords();
  metrics.watch('pool_queue', () => pool.queued);
  metrics.watch('store_up', () => (store.health().ok ? 1 : 0));
  const sessions = createSessions({
    store,
    passwords,
    throttle: createSignInThrottle(),
    clock: systemClock,
    events: {
      storeFailed,
      signInRefused: (userId, requestId) => {
        const user = userId === undefined ? {} : { user_id: userId };
        log.warn('sign-in refused', { request_id: requestId, ...user });
      },
    },
  });
  const limited = config.rateLimit ? { rateLimit: createRateLimit(config.rateLimit) } : {};
  const current = () => generations.current;
  const missing = watchMissingProfiles(store, () => current().rules.profiles);
  const context = contextOf(current, {
    ...limited,
    ruleHits: createRuleHits(store, systemClock),
    customRules,
    reload: () => generations.reload(),
    sessions,
    administration: (principal, requestId) => ({
      store,
      knownProfiles: current().rules.profiles.map(({ id }) => id),
      organizationId: principal.organizationId,
      actor: actorOf(store, principal, requestId),
      passwords,
    }),
    web: config.publicOrigin === undefined ? {} : { publicOrigin: config.publicOrigin },
    version: build.version,
    clock: systemClock,
    metrics,
    renderMetrics: async () => metrics.render(await fronts?.metrics()),
    load: async () => {
      const threads = [{ inFlight: metrics.read('in_flight'), busy: busy() }, ...((await fronts?.loads()) ?? [])];
      return { queueDepth: pool.queued, poolThreads: pool.threads, ...together(threads) };
    },
    health: () => healthOf(store, missing()),
  });
  const dashboard = readDashboard(config.dashboardFolder);
  if (dashboard.size === 0) {
    const problem = `there is no index.html in ${config.dashboardFolder}, as MERLON_DASHBOARD says`;
    log.warn('there is no dashboard', { problem: new LoggedText(problem, 500) });
  }
  const routes = [
    ...restRoutes(operationTable(build.version), context),
    mcpRouteOf(current, config, { ...limited, log, metrics }),
    ...dashboardRoutes(dashboard),
  ];
  const { front, tracer } = await openFrontEnd(config, { routes, log, metrics });
  let lose: (error: unknown) => void = () => undefined;
  const lost = new Promise<unknown>((resolve) => {
    lose = resolve;
  });
  try {
    const port = await front.listen(config.host, config.port);
    fronts = await startMoreThreads({
      config,
      recall,
      changes,
      routes,
      generation: current(),
      share: front.share,
      lost: lose,
      log,
      answers: {
        request: createForwardedAnswers(routes, (error, requestId) =>
          log.error('request failed', { request_id: requestId, error: describeError(error) }),
        ),
        run: ({ task, program: published }) => (published ? pool.over(published) : pool).run(task),
        open: ({ rules: own, shippedIds }) => compiler.knowing(shippedIds).open(own),
        append: async (records) => {
          const stored = await Promise.all(records.map(({ record, text }) => store.scans.append(record, text)));
          return stored.every(Boolean);
        },
        touch: ({ tokenId, lastUsedAt }) => store.tokens.touch(tokenId, lastUsedAt),
      },
    });
    // Not before it listens: a start that fails closes the store, under a purge that runs.
    for (const each of missing().slice(0, limits.problemErrorsMax)) {
      log.warn('default is enforced in place of a profile', { problem: new LoggedText(missingText(each), 500) });
    }
    const retention = keepRetention(store, config.retentionDays, systemClock, storeFailed);
    // Whoever waits for the service to be ready waits for this no longer.
    setTimeout(pool.start, poolStartMs).unref();
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      await Promise.all([retention.stop(), front.quiesce(), fronts?.quiesce()]);
      await Promise.all([front.linger(), fronts?.linger()]);
      front.close();
      await fronts?.settle();
      await fronts?.close();
      await Promise.all([pool.close(), compiler.close(), tracer?.close()]);
      await store.close();
    };
    return {
      host: config.host,
      port,
      lost,
      reload: () => generations.reload(),
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    front.close();
    await Promise.all([pool.close(), compiler.close(), tracer?.close(), store.close()]);
    throw error;
  }
}

function together(threads: readonly ThreadLoad[]): ThreadLoad {
  const sum = (of: 'inFlight' | 'busy') => threads.reduce((total, each) => total + each[of], 0);
  return { inFlight: sum('inFlight'), busy: Math.round((sum('busy') / threads.length) * 1_000) / 1_000 };
}

interface MoreThreads {
  readonly config: Config;
  readonly recall: RecallParts | undefined;
  readonly changes: Int32Array;
  readonly routes: readonly Route[];
  readonly generation: Generation;
  readonly share: (descriptor: AppDescriptor) => void;
  readonly lost: (error: unknown) => void;
  readonly log: Logger;
  readonly answers: FrontThreadsOptions['answers'];
}

/** The threads of the front end beside this one; none where one is configured. */
async function startMoreThreads(options: MoreThreads): Promise<FrontThreads | undefined> {
  const { config, recall, changes, generation, log, share, lost, answers } = options;
  if (config.threads === 1) return undefined;
  const { program, profiles } = generation.rules;
  const { bootstrapToken: _, ...shared } = config;
  return startFrontThreads({
    count: config.threads - 1,
    data: {
      config: shared,
      rules: { generation: generation.number, program: program.memory, profiles },
      recall,
      changes,
      routes: options.routes.map(({ method, path, whileDraining }) => ({ method, path, whileDraining })),
    },
    answers,
    ready: share,
    lost,
    unexpected: (error) => log.error('a thread was not answered', { error: describeError(error) }),
  });
}

/** Neither a failing store nor a missing profile takes the service away: verdicts go on, and this says what is wrong. */
function healthOf(store: Store, missing: readonly MissingProfile[]): Health {
  const health = store.health();
  const reasons = [
    ...(health.ok ? [] : [health.reason]),
    // Without their names: anybody may ask.
    ...(missing.length === 0
      ? []
      : [`${missing.length} assigned profiles are missing; the log of the start names them.`]),
  ];
  return { status: reasons.length === 0 ? 'ready' : 'degraded', reasons };
}
