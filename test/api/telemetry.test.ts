import { afterEach, describe, expect, test, vi } from 'vitest';
import { storeFailureReport } from '../../src/serving.js';
import { StoreError } from '../../src/store/store.js';
import { systemClock } from '../../src/telemetry/clock.js';
import { collectTurn, createLogger, describeError, LoggedText } from '../../src/telemetry/log.js';
import type { LogLevel } from '../../src/telemetry/log-level.js';
import { createMetrics } from '../../src/telemetry/metrics.js';

function capture(level: LogLevel) {
  const lines: string[] = [];
  return { lines, log: createLogger({ level, destination: { write: (line) => lines.push(line) } }) };
}

describe('a line', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('carries the time of its own millisecond, and no field that is undefined', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5, 6) });
    const { lines, log } = capture('info');
    log.info('one', { status: 200, code: undefined });
    log.info('two');
    vi.advanceTimersByTime(1);
    log.info('three');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'info', time: '2026-01-02T03:04:05.006Z', status: 200, msg: 'one' },
      { level: 'info', time: '2026-01-02T03:04:05.006Z', msg: 'two' },
      { level: 'info', time: '2026-01-02T03:04:05.007Z', msg: 'three' },
    ]);
  });
});

describe('failures of the store', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are all counted; the first is logged at once with its reason, those after it once in ten seconds', () => {
    vi.useFakeTimers();
    const { lines, log } = capture('info');
    let counted = 0;
    const failed = storeFailureReport({ storeFailed: () => void counted++ }, log);
    const logged = () =>
      lines.splice(0).map((line) => {
        const { msg, reason, count } = JSON.parse(line);
        return [msg, reason, count];
      });
    for (let i = 0; i < 1_000; i++) failed(new StoreError('The disk is full.'));
    expect(logged()).toEqual([['the store failed', 'The disk is full.', 1]]);
    vi.advanceTimersByTime(9_999);
    failed(new Error('sesame'));
    expect(logged()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(logged(), 'only the store vouches for its words').toEqual([['the store failed', undefined, 1_000]]);
    vi.advanceTimersByTime(60_000);
    expect(logged()).toEqual([]);
    failed(new StoreError('The disk is full.'));
    expect(logged()).toEqual([['the store failed', 'The disk is full.', 1]]);
    expect(counted).toBe(1_002);
  });
});

describe('what standard error gets', () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  test('is one piece a turn, sooner when asked or when there is much', async () => {
    const pieces: string[] = [];
    const collector = collectTurn({ write: (text) => void pieces.push(text) });
    collector.write('a\n');
    collector.write('b\n');
    expect(pieces).toEqual([]);
    await nextTurn();
    expect(pieces.splice(0)).toEqual(['a\nb\n']);
    collector.write('c\n');
    collector.flush();
    collector.flush();
    expect(pieces.splice(0)).toEqual(['c\n']);
    collector.write('d'.repeat(100_000));
    expect(pieces.splice(0)).toHaveLength(1);
    await nextTurn();
    expect(pieces).toEqual([]);
  });
});

describe('the log', () => {
  test('writes one JSON object a line', () => {
    const { lines, log } = capture('debug');
    log.info('something happened', { request_id: 'r', count: 2, error: describeError(new Error('sesame')) });
    expect(lines).toHaveLength(1);
    expect(lines[0].endsWith('\n')).toBe(true);
    const line = JSON.parse(lines[0]);
    expect(Object.keys(line)).toEqual(['level', 'time', 'request_id', 'count', 'error', 'msg']);
    expect(line).toMatchObject({ level: 'info', msg: 'something happened', request_id: 'r', count: 2 });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  test.each<[LogLevel, string[]]>([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ])('%s lets through %o', (level, written) => {
    const { lines, log } = capture(level);
    log.debug('one');
    log.info('one');
    log.warn('one');
    log.error('one');
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(written);
    expect((['debug', 'info', 'warn', 'error'] as const).filter((name) => log.writes(name))).toEqual(written);
  });

  test('takes messages and fields from the program only', () => {
    const { lines, log } = capture('info');
    const prompt: string = ['sesame', 'open'].join(' ');
    // @ts-expect-error a text computed at run time may hold a prompt
    log.info(prompt);
    // @ts-expect-error a field that is not in the closed set
    log.info('scan', { content: prompt });
    // @ts-expect-error a text that nobody vouched for
    log.info('scan', { metadata: prompt });
    // @ts-expect-error an error with its message
    log.info('scan', { error: new Error(prompt) });
    expect(lines).toHaveLength(4);
  });

  test('cuts text that it was given on purpose', () => {
    const { lines, log } = capture('info');
    log.info('scan', { previews: [new LoggedText('short', 10), new LoggedText('much too long', 4)] });
    expect(JSON.parse(lines[0]).previews).toEqual(['short', 'much…']);
  });
});

describe('an error in the log', () => {
  const odd = new Error('first\n    at sesame (file.js:1:1)');
  const renamed = Object.assign(new Error('x'), { name: 'se same' });
  const unmatched = changedAfterwards(new Error('before'), 'sesame');
  const system = Object.assign(new TypeError('sesame'), { code: 'ENOSPC' });
  const worded = Object.assign(new Error('x'), { code: 'open sesame' });
  test.each([
    ['a plain one', new RangeError('sesame'), 'RangeError', undefined, true],
    ['a message that looks like a frame', odd, 'Error', undefined, true],
    ['a name that is none', renamed, 'Error', undefined, true],
    ['a message that is not in the stack', unmatched, 'Error', undefined, false],
    ['a system error', system, 'TypeError', 'ENOSPC', true],
    ['a code that is none', worded, 'Error', undefined, true],
    ['no error at all', 'sesame', 'string', undefined, false],
  ])('%s', (_name, thrown, name, code, hasFrames) => {
    const described = describeError(thrown);
    expect(described.name).toBe(name);
    expect(described.code).toBe(code);
    expect(described.frames.length > 0).toBe(hasFrames);
    expect(described.frames.length).toBeLessThanOrEqual(12);
    expect(JSON.stringify(described)).not.toContain('sesame');
    if (hasFrames) expect(described.frames[0]).toContain('telemetry.test.ts');
  });
});

/** An error whose stack was written before its message was changed. */
function changedAfterwards(error: Error, message: string): Error {
  expect(error.stack).toContain(error.message);
  return Object.assign(error, { message });
}

test('the clock never goes back and runs at the speed of the machine’s', () => {
  const startUs = systemClock.nowUs();
  const startMs = performance.now();
  let last = startUs;
  while (performance.now() - startMs < 20) {
    const now = systemClock.nowUs();
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
  expect(Number.isInteger(last)).toBe(true);
  // Read inside out: whatever time passes between the readings is on our clock.
  const elapsedMs = performance.now() - startMs;
  expect(systemClock.nowUs() - startUs).toBeGreaterThanOrEqual(Math.floor(elapsedMs * 1_000) - 1);
  expect(Math.abs(systemClock.nowMs() - Date.now())).toBeLessThan(1_000);
});

describe('the metrics', () => {
  test('of two registries do not mix', async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.storeFailed();
    one.recordsDropped(3);
    expect(await one.render()).toMatch(/^merlon_store_failures_total 1$/m);
    expect(await one.render()).toMatch(/^merlon_records_dropped_total 3$/m);
    expect(await other.render()).toMatch(/^merlon_store_failures_total 0$/m);
  });

  test('count by label, and tell the same twice', async () => {
    const metrics = createMetrics();
    const route = metrics.route('/a');
    route.done('GET', 200, 80);
    route.done('GET', 200, 80);
    route.done('GET', 503, 80);
    route.done('POST', 'aborted', 80);
    const messages = { scanned: 2, recalled: 5, skipped: 7 };
    metrics.scanDone('mcp', { durationUs: 4, flagged: true, hits: [{ policy: 'LLM05', count: 3 }], messages });
    metrics.watch('store_up', () => 1);
    for (const text of [await metrics.render(), await metrics.render()]) {
      expect(text).toMatch(/^merlon_http_requests_total\{route="\/a",method="GET",status="200"\} 2$/m);
      expect(text).toMatch(/^merlon_http_requests_total\{route="\/a",method="GET",status="503"\} 1$/m);
      expect(text).toMatch(/^merlon_http_requests_total\{route="\/a",method="POST",status="aborted"\} 1$/m);
      expect(text).toMatch(/^merlon_http_request_duration_seconds_bucket\{le="0.0001",route="\/a"\} 4$/m);
      expect(text).toMatch(/^merlon_scans_total\{source="mcp",flagged="true"\} 1$/m);
      expect(text).toMatch(/^merlon_findings_total\{policy="LLM05"\} 3$/m);
      expect(text).toMatch(/^merlon_messages_total\{how="scanned"\} 2$/m);
      expect(text).toMatch(/^merlon_messages_total\{how="recalled"\} 5$/m);
      expect(text).toMatch(/^merlon_messages_total\{how="skipped"\} 7$/m);
      expect(text).toMatch(/^merlon_scan_duration_seconds_bucket\{le="0.000005"\} 1$/m);
      expect(text).toMatch(/^merlon_store_up 1$/m);
      expect(text).toMatch(/^merlon_pool_queue 0$/m);
      expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    }
  });
});
