import type { Config } from './config.js';
import { readBuildInfo } from './guard/build-info.js';
import { systemClock } from './telemetry/clock.js';
import type { Tracer } from './telemetry/tracing.js';

/** The tracer of one thread, where a collector is configured. Only there are the libraries of tracing loaded. */
export async function startTracing(
  { tracing }: Pick<Config, 'tracing'>,
  lost: (count: number) => void,
): Promise<Tracer | undefined> {
  if (tracing === undefined) return undefined;
  const { createOtelTracer } = await import('./telemetry/otel.js');
  return createOtelTracer({ ...tracing, version: readBuildInfo().version, clock: systemClock, lost });
}
