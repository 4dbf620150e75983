import { describe, expect, test } from 'vitest';
import { createLagProbe } from '../../src/telemetry/lag.js';
import { readTraceParent } from '../../src/telemetry/tracing.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('traceparent', () => {
  test.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-03`, true],
    [`00-${traceId}-${spanId}-fe`, false],
    [`cc-${traceId}-${spanId}-01`, true],
    [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
  ])('%s', (header, isSampled) => {
    expect(readTraceParent(header)).toEqual({ traceId, spanId, isSampled });
  });

  test.each([
    undefined,
    '',
    'nonsense',
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
    ` 00-${traceId}-${spanId}-01`,
  ])('%j is none', (header) => {
    expect(readTraceParent(header)).toBeUndefined();
  });
});

test('the lag is that of the one that waits, then that of the last one; a failure ends a wait, too', async () => {
  let nowUs = 0;
  const probe = createLagProbe({ nowUs: () => nowUs, nowMs: () => 0 });
  const waits: { settle(): void; fail(): void }[] = [];
  const watch = () =>
    probe.watch(
      new Promise<void>((resolve, reject) => {
        waits.push({ settle: () => resolve(), fail: () => reject(new Error('lost')) });
      }),
    );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  expect(probe.seconds()).toBe(0);
  watch();
  nowUs = 1_500_000;
  watch();
  expect(probe.seconds()).toBe(1.5);
  waits[1].settle();
  await turn();
  expect(probe.seconds()).toBe(1.5);
  waits[0].settle();
  await turn();
  nowUs = 9_000_000;
  expect(probe.seconds()).toBe(1.5);
  watch();
  nowUs = 9_250_000;
  waits[2].fail();
  await turn();
  expect(probe.seconds()).toBe(0.25);
});
