import type { ApiContext } from './api/operation.js';
import type { Route } from './api/route.js';
import type { Config } from './config.js';
import { limits } from './domain/limits.js';
import type { Generation } from './generation.js';
import { createRecorder, type Recorder, type RecorderOptions } from './guard/recorder.js';
import { createFrontEnd, type FrontEnd } from './http/uws-server.js';
import { createHostCheck } from './mcp/hosts.js';
import { type McpContext, mcpRoute } from './mcp/mcp-route.js';
import { StoreError } from './store/store.js';
import { systemClock } from './telemetry/clock.js';
import { describeError, LoggedText, type Logger } from './telemetry/log.js';
import type { Metrics } from './telemetry/metrics.js';
import type { Tracer } from './telemetry/tracing.js';
import { startTracing } from './tracing.js';

/*
 * What every thread of the front end is put together of in the same way: the main one (main.ts) and the others
 * (front/front-thread.ts).
 */

/** A full disk fails thousands of times a second, and each line is a write that the serving thread waits for. */
const storeFailureEveryMs = 10_000;

/** Counts failures of the store, and logs the first one at once, those after it in one line every ten seconds, with their number. */
export function storeFailureReport(metrics: Pick<Metrics, 'storeFailed'>, log: Logger): (error: unknown) => void {
  let count = 0;
  let latest: unknown;
  let pause: NodeJS.Timeout | undefined;
  const write = () => {
    pause = undefined;
    if (count === 0) return;
    // What a `StoreError` says is fixed text and the system's reason, as `/readyz` shows it.
    const reason = latest instanceof StoreError ? new LoggedText(latest.message, reasonUnitsMax) : undefined;
    log.error('the store failed', { reason, count, error: describeError(latest) });
    count = 0;
    pause = setTimeout(write, storeFailureEveryMs).unref();
  };
  return (error) => {
    metrics.storeFailed();
    count++;
    latest = error;
    if (!pause) write();
  };
}

const reasonUnitsMax = 500;

/** A recorder that counts what is lost. */
export function countingRecorder(
  options: Omit<RecorderOptions, 'events'>,
  metrics: Metrics,
  events: Pick<RecorderOptions['events'], 'storeFailed' | 'handedOver'>,
): Recorder {
  return createRecorder({
    ...options,
    events: {
      ...events,
      recordDropped: metrics.recordsDropped,
      textDropped: metrics.textsDropped,
      recordUnconfirmed: metrics.recordUnconfirmed,
    },
  });
}

/** Members of the context that are another generation's after a reload. */
type OfGeneration = 'guard' | 'explain' | 'preview' | 'ruleBook' | 'profiles';

/** The context of operations, which always shows the generation of today. */
export function contextOf(current: () => Generation, fixed: Omit<ApiContext, OfGeneration>): ApiContext {
  return {
    ...fixed,
    get guard() {
      return current().guard;
    },
    get explain() {
      return current().explain;
    },
    get preview() {
      return current().preview;
    },
    get ruleBook() {
      return current().ruleBook;
    },
    get profiles() {
      return current().profiles;
    },
  };
}

/** The MCP route, which always asks the generation of today. */
export function mcpRouteOf(
  current: () => Generation,
  config: Pick<Config, 'host' | 'allowedHosts'>,
  parts: Pick<McpContext, 'log' | 'metrics' | 'rateLimit'>,
): Route {
  return mcpRoute({
    ...parts,
    get guard() {
      return current().guard;
    },
    redact: (...text) => current().redact(...text),
    hosts: createHostCheck(config.host, config.allowedHosts),
  });
}

/** A front end over routes, and the tracer of its requests where a collector is configured. */
export async function openFrontEnd(
  config: Config,
  { routes, log, metrics }: { readonly routes: readonly Route[]; readonly log: Logger; readonly metrics: Metrics },
): Promise<{ readonly front: FrontEnd; readonly tracer: Tracer | undefined }> {
  const tracer = await startTracing(config, metrics, log);
  const front = await createFrontEnd({
    routes,
    log,
    metrics,
    clock: systemClock,
    ...(tracer ? { tracer } : {}),
    bodyBytesMax: config.bodyBytesMax,
    drainMs: limits.drainMs,
    proxies: config.proxies,
    // Answers that wait for a commit come together by themselves, and the sooner each scan is done the fuller a commit is.
    admission: { waitMsMax: config.queueMs, together: config.durability === 'relaxed' },
  });
  return { front, tracer };
}
