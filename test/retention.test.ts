import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { keepRetention } from '../src/retention.js';
import { openMemoryStore } from '../src/store/memory/memory-store.js';
import { epoch, orgA, scanRecord } from './store/samples.js';

const minute = 60_000;
const day = 24 * 60 * minute;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Records of 31, 29 and no days ago, kept for 30 days by a clock that tests turn. */
async function service(setMs = 0) {
  let evenMs = 0;
  let wallMs = epoch + 40 * day + setMs;
  const store = openMemoryStore();
  for (const [serial, days] of [9, 11, 40].entries()) await store.scans.append(scanRecord(days * day, serial));
  const clock = { nowMs: () => wallMs, nowUs: () => evenMs * 1_000 };
  const failures: unknown[] = [];
  const retention = keepRetention(store, 30, clock, (error) => failures.push(error));
  onTestFinished(() => retention.stop());
  return {
    store,
    retention,
    failures,
    /** The records that are left after as many minutes. */
    async left(minutes: number): Promise<number> {
      for (let passed = 0; passed < minutes; passed++) {
        evenMs += minute;
        wallMs += minute;
        await vi.advanceTimersByTimeAsync(minute);
      }
      return store.scans.find({ organizationId: orgA, limit: 10 }).records.length;
    },
    set(byMs: number): void {
      wallMs += byMs;
    },
  };
}

it('removes what is older, once the clock has gone evenly for ten minutes', async () => {
  const { left } = await service();
  expect(await left(9)).toBe(3);
  expect(await left(1)).toBe(2);
});

it.each([
  ['ahead', 365 * day],
  ['behind', -365 * day],
])(
  'removes nothing by a clock that is a year %s at the start, and is set right before ten minutes',
  async (_, byMs) => {
    const { left, set } = await service(byMs);
    await left(9);
    set(-byMs);
    expect(await left(1)).toBe(3);
    expect(await left(10)).toBe(2);
  },
);

it('waits where the clock is set far ahead, and where it is set back again', async () => {
  const { left, set } = await service();
  await left(65);
  set(365 * day);
  expect(await left(5)).toBe(2);
  set(-365 * day);
  expect(await left(120)).toBe(2);
});

it('goes by the hour', async () => {
  const { left, store } = await service();
  expect(await left(10)).toBe(2);
  await store.scans.append(scanRecord(9 * day, 7));
  expect(await left(59)).toBe(3);
  expect(await left(1)).toBe(2);
});

it('minds no clock that is kept in time', async () => {
  const { left, set } = await service();
  set(20_000);
  expect(await left(10)).toBe(2);
});

it('removes nothing after its stop, and reports what fails', async () => {
  const stopped = await service();
  await stopped.retention.stop();
  expect(await stopped.left(120)).toBe(3);

  const failing = await service();
  const broken = new Error('no disk');
  failing.store.scans.purge = () => Promise.reject(broken);
  await failing.left(10);
  expect(failing.failures).toEqual([broken]);
});
