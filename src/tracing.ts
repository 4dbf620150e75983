import type { Config } from './config.js';
import { readBuildInfo } from './guard/build-info.js';
import { systemClock } from './telemetry/clock.js';
import { describeError, type Logger } from './telemetry/log.js';
import type { Metrics } from './telemetry/metrics.js';
import type { Tracer } from './telemetry/tracing.js';

/** A collector that is away loses spans every few seconds; the log says so once in so long. */
const toldEveryMs = 60_000;

/** The tracer of one thread, where a collector is configured. Only there are the libraries of tracing loaded. */
export async function startTracing(
  { tracing }: Pick<Config, 'tracing'>,
  metrics: Pick<Metrics, 'spansLost'>,
  log: Logger,
): Promise<Tracer | undefined> {
  if (tracing === undefined) return undefined;
  const { createOtelTracer } = await import('./telemetry/otel.js');
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const lost = (count: number, error?: Error) => {
    metrics.spansLost(count);
    if (error === undefined || performance.now() - toldAtMs < toldEveryMs) return;
    toldAtMs = performance.now();
    const status = 'code' in error && typeof error.code === 'number' ? { status: error.code } : {};
    log.warn('the collector of traces took no spans', { count, ...status, error: describeError(error) });
  };
  return createOtelTracer({ ...tracing, version: readBuildInfo().version, clock: systemClock, lost });
}
