import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type PolicyCode, policyCodes } from '../domain/policy.js';
import { type Clock, systemClock } from './clock.js';
import { QuickHistogram } from './histogram.js';
import { createStageWatch, type StageWatch } from './stages.js';
import type { RequestOutcome } from './tracing.js';

/** Where a scan came from. */
type ScanSource = 'rest' | 'mcp';

/** Values that are read when the metrics are collected, not when they change. */
type GaugeName = keyof typeof gaugeHelp;

/** Counts the requests of one route. Make it once per route, not per request. */
export interface RouteMetrics {
  /** `method` must come from a closed set: every new value is a new time series. */
  done(method: string, outcome: RequestOutcome, durationUs: number): void;
}

/**
 * What the service counts about itself. No label holds anything a client chose. Recording costs a few nanoseconds
 * for the counters of requests and scans (prom-client's own `inc` costs 180) and some 20 for a histogram.
 */
export interface Metrics {
  /** Value for the `Content-Type` of `render`'s text. */
  readonly contentType: string;
  /** The counters of a route, named by its path as written in the table. */
  route(path: string): RouteMetrics;
  scanDone(source: ScanSource, scan: FinishedScan): void;
  /** Times the stages of requests. */
  readonly stages: StageWatch;
  storeFailed(): void;
  recordsDropped(count: number): void;
  textsDropped(count: number): void;
  recordUnconfirmed(): void;
  /** Spans that did not reach the collector of traces: it did not take them, or too many were waiting. */
  spansLost(count: number): void;
  /** Names the reader of a gauge; a gauge without a reader is 0. */
  watch(gauge: GaugeName, read: () => number): void;
  /** What a gauge says now. */
  read(gauge: GaugeName): number;
  /** What was counted here, in a form that can be posted to another thread. */
  exported(): Promise<readonly ExportedMetric[]>;
  /** All metrics in the Prometheus text format, with what other threads have exported added up. */
  render(others?: readonly (readonly ExportedMetric[])[]): Promise<string>;
}

/** A metric of prom-client as plain data. */
export type ExportedMetric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

interface FinishedScan {
  readonly durationUs: number;
  readonly flagged: boolean;
  /** Number of findings of each policy that had any. */
  readonly hits: readonly { readonly policy: PolicyCode; readonly count: number }[];
  /** Messages that were scanned, that were known to be clean, and that the profile does not want scanned. */
  readonly messages: { readonly scanned: number; readonly recalled: number; readonly skipped: number };
}

/** One time series: counted here in a plain number, handed to prom-client when somebody asks. */
interface Series<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  count: number;
}

interface RequestSeries extends Series<'route' | 'method' | 'status'> {
  readonly method: string;
  readonly outcome: RequestOutcome;
}

const requestSecondsBuckets = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 10];
const scanSecondsBuckets = [
  0.000002, 0.000005, 0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.001, 0.005, 0.025, 0.1, 0.5, 2, 10,
];
const gaugeHelp = {
  in_flight: 'Requests that are being answered.',
  inline_queue: 'Requests that wait for their turn on the serving thread.',
  inline_wait_seconds: 'How long the next one would wait, by what requests have cost lately.',
  pool_queue: 'Scans that wait for a pool worker.',
  store_lag_seconds: 'How long the record waits that the store is asked to write.',
  store_up: '1 while the store can be read and written, else 0.',
} as const;
const gaugeNames = Object.keys(gaugeHelp) as readonly GaugeName[];

/** Metrics in a registry of their own, those of one thread without what only the process has; nothing is shared through prom-client's global one. */
export function createMetrics(clock: Clock = systemClock, of: 'process' | 'thread' = 'process'): Metrics {
  const registry = new Registry();
  // Of the process they are the same on every thread.
  if (of === 'process') collectDefaultMetrics({ register: registry });
  const storeFailures = new Counter({
    name: 'merlon_store_failures_total',
    help: 'Store operations that failed.',
    registers: [registry],
  });
  const dropped = new Counter({
    name: 'merlon_records_dropped_total',
    help: 'Scan records that were not stored: too many were waiting, or the store failed.',
    registers: [registry],
  });
  const textsDropped = new Counter({
    name: 'merlon_texts_dropped_total',
    help: 'Scan records that were stored without the text that their profile asks for: too much was waiting.',
    registers: [registry],
  });
  const unconfirmed = new Counter({
    name: 'merlon_records_unconfirmed_total',
    help: 'Scans answered before their record was stored, though MERLON_DURABILITY asks for it.',
    registers: [registry],
  });
  const spansLost = new Counter({
    name: 'merlon_trace_spans_lost_total',
    help: 'Spans that did not reach the collector of traces: it did not take them, or too many were waiting.',
    registers: [registry],
  });
  const readers = new Map<GaugeName, () => number>();
  for (const name of gaugeNames) gauge(registry, readers, name);
  return {
    contentType: registry.contentType,
    route: requestMetrics(registry),
    scanDone: scanMetrics(registry),
    stages: createStageWatch(registry, clock),
    storeFailed: () => storeFailures.inc(),
    recordsDropped: (count) => dropped.inc(count),
    textsDropped: (count) => textsDropped.inc(count),
    recordUnconfirmed: () => unconfirmed.inc(),
    spansLost: (count) => spansLost.inc(count),
    watch: (name, read) => {
      readers.set(name, read);
    },
    read: (name) => readers.get(name)?.() ?? 0,
    exported: () => registry.getMetricsAsJSON(),
    render: async (others = []) => {
      if (others.length === 0) return registry.metrics();
      const all = [await registry.getMetricsAsJSON(), ...others];
      // What the whole process has, and no thread by itself, is not added up, and would be lost.
      const whole = await registry.getSingleMetricAsString('process_start_time_seconds');
      const added = await AggregatorRegistry.aggregate(all.map((each) => [...each])).metrics();
      return `${added}${whole}\n`;
    },
  };
}

function requestMetrics(registry: Registry): Metrics['route'] {
  const all: RequestSeries[] = [];
  const help = 'Requests by route, method and status.';
  counter(registry, 'merlon_http_requests_total', help, ['route', 'method', 'status'], all);
  const durations = new QuickHistogram({
    name: 'merlon_http_request_duration_seconds',
    help: 'Time from the arrival of the head to the handing over of the answer.',
    labelNames: ['route'],
    buckets: requestSecondsBuckets,
    registers: [registry],
  });
  return (route) => {
    const observe = durations.series({ route });
    const own: RequestSeries[] = [];
    return {
      done(method, outcome, durationUs) {
        observe(durationUs / 1_000_000);
        for (const series of own) {
          if (series.outcome !== outcome || series.method !== method) continue;
          series.count++;
          return;
        }
        const series = { method, outcome, labels: { route, method, status: String(outcome) }, count: 1 };
        all.push(series);
        own.push(series);
      },
    };
  };
}

function scanMetrics(registry: Registry): Metrics['scanDone'] {
  const sources = (source: ScanSource) => ({
    flagged: { labels: { source, flagged: 'true' }, count: 0 },
    clean: { labels: { source, flagged: 'false' }, count: 0 },
  });
  const scans = { rest: sources('rest'), mcp: sources('mcp') };
  const findings = new Map(policyCodes.map((policy) => [policy, { labels: { policy }, count: 0 }]));
  const series = [scans.rest, scans.mcp].flatMap((source) => Object.values(source));
  counter(registry, 'merlon_scans_total', 'Finished scans by source and verdict.', ['source', 'flagged'], series);
  const messages = {
    scanned: { labels: { how: 'scanned' }, count: 0 },
    recalled: { labels: { how: 'recalled' }, count: 0 },
    skipped: { labels: { how: 'skipped' }, count: 0 },
  };
  const messagesHelp = 'Messages of finished scans: scanned, known to be clean from before, or before the latest turn.';
  counter(registry, 'merlon_messages_total', messagesHelp, ['how'], Object.values(messages));
  counter(registry, 'merlon_findings_total', 'Findings by policy.', ['policy'], [...findings.values()]);
  const durations = new QuickHistogram({
    name: 'merlon_scan_duration_seconds',
    help: 'Time from admission of a scan to its verdict, waiting included.',
    buckets: scanSecondsBuckets,
    registers: [registry],
  });
  const observe = durations.series();
  return (source, { durationUs, flagged, hits, messages: counts }) => {
    observe(durationUs / 1_000_000);
    scans[source][flagged ? 'flagged' : 'clean'].count++;
    messages.scanned.count += counts.scanned;
    messages.recalled.count += counts.recalled;
    messages.skipped.count += counts.skipped;
    for (const hit of hits) {
      const series = findings.get(hit.policy);
      if (series !== undefined) series.count += hit.count;
    }
  };
}

/** A counter over series that are counted outside; `series` may grow after this. */
function counter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
  series: readonly Series<Label>[],
): void {
  new Counter<Label>({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of series) this.inc(labels, count);
    },
  });
}

function gauge(registry: Registry, readers: ReadonlyMap<GaugeName, () => number>, name: GaugeName): void {
  new Gauge({
    name: `merlon_${name}`,
    help: gaugeHelp[name],
    // Of times the longest counts where threads are added up.
    aggregator: name.endsWith('_seconds') ? 'max' : 'sum',
    registers: [registry],
    collect() {
      this.set(readers.get(name)?.() ?? 0);
    },
  });
}
