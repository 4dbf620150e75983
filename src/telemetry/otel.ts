import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { limits } from '../domain/limits.js';
import type { Clock } from './clock.js';
import { readTraceParent, type Tracer } from './tracing.js';

/*
 * The tracer over OpenTelemetry. This module is loaded where a collector is configured, and nowhere else: the libraries
 * cost a start some 60 ms and 10 MB.
 */

export interface OtelOptions {
  /** Where spans are posted as OTLP over HTTP, e.g. `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  readonly serviceName: string;
  readonly version: string;
  /** Share of the requests without a parent that are traced, 0 to 1. */
  readonly ratio: number;
  readonly clock: Clock;
  /** Spans that the collector did not take, and why; or that were not offered to it because too many waited. */
  readonly lost: (count: number, error?: Error) => void;
}

/**
 * Starts tracing. Spans wait in a bounded queue (`limits.traceQueueMax`) and are sent in the background; what does not fit
 * is lost. Further settings of the exporter (`OTEL_EXPORTER_OTLP_HEADERS` …) it reads by itself.
 */
export function createOtelTracer(options: OtelOptions): Tracer {
  const { clock, ratio } = options;
  const exporter = new OTLPTraceExporter({ url: options.url, timeoutMillis: limits.traceExportMs });
  const processor = createProcessor(exporter, options.lost);
  const provider = new BasicTracerProvider({
    // Who is traced is decided here, before there is a span: a span that is not recorded would cost two microseconds.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
    resource: resourceFromAttributes({ 'service.name': options.serviceName, 'service.version': options.version }),
  });
  const tracer = provider.getTracer('merlon', options.version);
  return {
    begin: (traceparent, receivedUs) => {
      const parent = readTraceParent(traceparent);
      if (parent ? !parent.isSampled : Math.random() >= ratio) return undefined;
      const above = parent
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId: parent.traceId,
            spanId: parent.spanId,
            traceFlags: TraceFlags.SAMPLED,
            isRemote: true,
          })
        : ROOT_CONTEXT;
      // The two clocks are compared anew for each request, so that they cannot drift apart.
      const epochMs = performance.timeOrigin + performance.now() - clock.nowUs() / 1_000;
      const timeOf = (us: number) => epochMs + us / 1_000;
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER, startTime: timeOf(receivedUs) }, above);
      const within = trace.setSpan(above, span);
      return {
        stage: (stage, beganUs, endedUs) => {
          tracer.startSpan(stage, { startTime: timeOf(beganUs) }, within).end(timeOf(endedUs));
        },
        end: ({ method, route, requestId, outcome, scanId }) => {
          span.updateName(`${method} ${route}`);
          span.setAttributes({
            'http.request.method': method,
            'http.route': route,
            'merlon.request_id': requestId,
            ...(scanId === undefined ? {} : { 'merlon.scan_id': scanId }),
            ...(outcome === 'aborted' ? { 'error.type': outcome } : { 'http.response.status_code': outcome }),
          });
          if (outcome === 'aborted' || outcome >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end(timeOf(clock.nowUs()));
        },
      };
    },
    // A collector that is away must not hold up the end of the service, nor fail it.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

const exported = 0;

/** Sends in batches, and counts what did not fit or did not arrive: the library would only tell its own log, which is off. */
function createProcessor(exporter: OTLPTraceExporter, lost: OtelOptions['lost']): SpanProcessor {
  let waiting = 0;
  const counted: SpanExporter = {
    export: (spans: ReadableSpan[], done) => {
      waiting -= spans.length;
      exporter.export(spans, (result) => {
        if (result.code !== exported) lost(spans.length, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
  const batches = new BatchSpanProcessor(counted, {
    maxQueueSize: limits.traceQueueMax,
    exportTimeoutMillis: limits.traceExportMs,
  });
  return {
    onStart: () => undefined,
    onEnd: (span) => {
      if (waiting >= limits.traceQueueMax) {
        lost(1);
        return;
      }
      waiting++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
