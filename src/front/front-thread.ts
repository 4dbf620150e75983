import { parentPort, workerData } from 'node:worker_threads';
import { scanOperation } from '../api/scan-operation.js';
import { openRecall } from '../engine/judge/recall.js';
import { decodeProgram } from '../engine/program-layout.js';
import { createGeneration, type Surroundings } from '../generation.js';
import { readBuildInfo } from '../guard/build-info.js';
import { createOrganizationRules } from '../guard/organization-rules.js';
import { createPasswords } from '../guard/passwords.js';
import { createRuleHits } from '../guard/rule-hits.js';
import { createGuardMemory } from '../guard/service.js';
import { createSessions } from '../guard/sessions.js';
import { createSignInThrottle } from '../guard/sign-in-throttle.js';
import { restRoutes } from '../http/rest-routes.js';
import { createOpenPrograms } from '../pool/open-programs.js';
import { contextOf, countingRecorder, mcpRouteOf, openFrontEnd, storeFailureReport } from '../serving.js';
import { openLmdbStore } from '../store/lmdb/lmdb-store.js';
import { createBusyMeter } from '../telemetry/busy.js';
import { systemClock } from '../telemetry/clock.js';
import { endLoudly } from '../telemetry/end-loudly.js';
import { createLogger, describeError } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { forwardedRoute } from './forward.js';
import { createLink } from './link.js';
import type { AskedOfFront, AskedOfMain, FrontData } from './protocol.js';
import { remoteCompiler, remotePool, storeWrittenByMain } from './remote.js';

/*
 * One more thread of the front end: a composition root of its own. It answers scans from its own reads of the store, and
 * asks the main thread for everything else: large scans, other routes, whatever is written.
 */
const { config, rules: firstRules, recall, changes, routes: described } = workerData as FrontData;
if (!parentPort) throw new Error('this file is a thread');
const log = createLogger({ level: config.logLevel });
endLoudly(log);

const unexpected = (error: unknown) => log.error('a thread was not answered', { error: describeError(error) });
const main = createLink<AskedOfMain, AskedOfFront>(
  parentPort,
  {
    publish: async ({ generation, program, profiles }) => {
      programs.open(program);
      const rules = { program: decodeProgram(program, true), profiles };
      const next = createGeneration(generation, rules, surroundings);
      await next.overlays.takeOver(current.overlays);
      current = next;
    },
    prepare: ({ rules, program }) => current.overlays.prepare(rules, program),
    settle: async () => {
      await surroundings.recorder.settled();
    },
    metrics: () => metrics.exported(),
    load: () => ({ inFlight: metrics.read('in_flight'), busy: busy() }),
    quiesce: async () => (await opening).front.quiesce(),
    linger: async () => (await opening).front.linger(),
    close: async () => {
      const { front, tracer } = await opening;
      front.close();
      await tracer?.close();
      await store.close();
    },
  },
  unexpected,
);
const metrics = createMetrics(systemClock, 'thread');
const busy = createBusyMeter();
const build = readBuildInfo();
const storeFailed = storeFailureReport(metrics, log);
const opened = openLmdbStore(config.dataFolder, { changes });
const store = storeWrittenByMain(opened, main);
const surroundings: Surroundings = {
  config,
  store,
  pool: remotePool(main, config.poolThreads),
  compiler: remoteCompiler(main),
  customRules: createOrganizationRules(store, remoteCompiler(main).knowing([])),
  memory: createGuardMemory(),
  recall: recall && openRecall(recall),
  build,
  recorder: countingRecorder({ scans: store.scans, durability: config.durability }, metrics, { storeFailed }),
  storeFailed,
  onStage: metrics.stages.lap,
  log,
};
const { generation: firstGeneration, program, profiles } = firstRules;
const programs = createOpenPrograms();
programs.open(program);
let current = createGeneration(firstGeneration, { program: decodeProgram(program, true), profiles }, surroundings);

const notHere = () => {
  throw new Error('this is done on the main thread');
};
const sessions = createSessions({
  store,
  passwords: createPasswords(),
  throttle: createSignInThrottle(),
  clock: systemClock,
  events: { storeFailed, signInRefused: notHere },
});
const context = contextOf(() => current, {
  ruleHits: createRuleHits(store, systemClock),
  customRules: surroundings.customRules,
  reload: notHere,
  sessions,
  administration: notHere,
  web: config.publicOrigin === undefined ? {} : { publicOrigin: config.publicOrigin },
  version: build.version,
  clock: systemClock,
  metrics,
  renderMetrics: notHere,
  load: notHere,
  health: notHere,
});
const mcp = mcpRouteOf(() => current, config, { log, metrics });
const [scan] = restRoutes([scanOperation], context);

const routes = described.map((each) => {
  const there = forwardedRoute(each, (request) => main.ask('request', request));
  if (each.path === mcp.path && each.method === mcp.method) return mcp;
  if (each.path !== scan.path || each.method !== scan.method) return there;
  // Sessions are the main thread's.
  return {
    ...scan,
    open: (head: Parameters<typeof scan.open>[0]) =>
      head.header('authorization') === undefined ? there.open(head) : scan.open(head),
  };
});
/** A bundle that can be kept compiled cannot wait at its top. */
const opening = openFrontEnd(config, { routes, log, metrics });
void opening.then(({ front }) => main.ask('ready', front.descriptor()));
