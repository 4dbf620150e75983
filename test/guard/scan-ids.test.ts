import { expect, test } from 'vitest';
import { createScanIds } from '../../src/guard/scan-ids.js';
import { scanIdBytes } from '../../src/store/scan-id.js';

/** Version 7, variant 10: RFC 9562. */
const form = /^scan_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/** Asks for an id at each of these times. */
function idsAt(times: readonly number[]) {
  let now = 0;
  const newScan = createScanIds(() => now);
  return times.map((time) => {
    now = time;
    return newScan();
  });
}

test.each([
  ['the clock stands still', Array.from({ length: 3_000 }, () => 1_700_000_000_000)],
  ['the clock goes on', Array.from({ length: 3_000 }, (_, index) => 1_700_000_000_000 + index)],
  ['the clock goes back a little', [1_700_000_000_000, 1_699_999_940_000, 1_699_999_999_999, 1_700_000_000_001]],
])('ids are UUIDv7, ascending, and named by their time, where %s', (_, times) => {
  const made = idsAt(times);
  const ids = made.map(({ id }) => id);
  for (const id of ids) expect(id).toMatch(form);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(made.map(({ id }) => scanIdBytes(id)?.readUIntBE(0, 6))).toEqual(made.map(({ createdAt }) => createdAt));
  const latest = times.map((time, index) => Math.max(time, ...times.slice(Math.max(0, index - 3), index)));
  expect(made.map(({ createdAt }) => createdAt)).toEqual(latest);
});

test('a clock that was ahead and is set right is believed', () => {
  const made = idsAt([1_700_000_000_000, 1_600_000_000_000, 1_600_000_000_001]);
  expect(made.map(({ createdAt }) => createdAt)).toEqual([1_700_000_000_000, 1_600_000_000_000, 1_600_000_000_001]);
});

test('makers do not repeat each other', () => {
  const at = [1_700_000_000_000];
  expect(idsAt(at)[0].id).not.toBe(idsAt(at)[0].id);
});
