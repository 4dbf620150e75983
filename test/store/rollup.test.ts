import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { decodeRollup, encodeRollup } from '../../src/store/lmdb/rollup-entry.js';
import { emptyRollup, latencyBin, latencyBins, latencyBound } from '../../src/store/rollup.js';
import { StoreError } from '../../src/store/store.js';

test.each([
  [0, 0],
  [1, 0],
  [Number.NaN, 0],
  [1.01, 1],
  [2, 4],
  [2.01, 5],
  [1_024, 40],
  [2 ** 24, 96],
  [2 ** 24 + 1, 97],
  [Number.MAX_VALUE, 97],
])('a duration of %f µs is in bin %i', (us, bin) => {
  expect(latencyBin(us)).toBe(bin);
});

test('a duration is between the bounds of its bin', () => {
  fc.assert(
    fc.property(fc.double({ min: 1.001, max: 2 ** 24, noNaN: true }), (us) => {
      const bin = latencyBin(us);
      expect(latencyBound(bin)).toBeGreaterThanOrEqual(us * 0.999_999);
      expect(latencyBound(bin - 1)).toBeLessThanOrEqual(us * 1.000_001);
    }),
  );
});

const count = fc.oneof(fc.nat(300), fc.maxSafeNat());
const name = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('', '\ud800', '\udfff\0', '😀', 'LLM01-0001'));
const tallies = fc.array(fc.tuple(name, fc.record({ scans: count, flagged: count })), { maxLength: 80 });

test('a rollup of any numbers and names survives its encoding', () => {
  const rollups = fc.record({
    scans: count,
    flagged: count,
    policies: fc.array(count, { minLength: 10, maxLength: 10 }),
    latency: fc.array(fc.oneof(fc.constant(0), count), { minLength: latencyBins, maxLength: latencyBins }),
    rules: fc.array(fc.tuple(name, count), { maxLength: 300 }).map((entries) => new Map(entries)),
    otherRules: count,
    projects: tallies.map((entries) => new Map(entries)),
    otherProjects: fc.record({ scans: count, flagged: count }),
    applications: tallies.map((entries) => new Map(entries)),
    otherApplications: fc.record({ scans: count, flagged: count }),
  });
  fc.assert(
    fc.property(rollups, (values) => {
      const rollup = { start: 7_200_000, ...values };
      const decoded = decodeRollup(7_200_000, encodeRollup(rollup));
      expect(decoded).toEqual(rollup);
      expect([...decoded.rules]).toEqual([...rollup.rules]);
    }),
    { numRuns: 50 },
  );
});

test('the largest rollup survives its encoding', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const names = (count: number) =>
    Array.from({ length: count }, (_, i) => String.fromCharCode(0xffff - i).repeat(limits.rollupNameUnitsMax));
  const tallies = (count: number) => new Map(names(count).map((id) => [id, { scans: most, flagged: most }]));
  const rollup = {
    ...emptyRollup(0),
    latency: new Array<number>(latencyBins).fill(most),
    rules: new Map(names(limits.rollupRulesMax).map((id) => [id, most])),
    projects: tallies(limits.rollupProjectsMax),
    applications: tallies(limits.rollupApplicationsMax),
  };
  expect(decodeRollup(0, encodeRollup(rollup))).toEqual(rollup);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['another form', Buffer.of(9)],
  ['a part', encodeRollup(emptyRollup(0)).subarray(0, 5)],
])('%s is no rollup', (_, bytes) => {
  expect(() => decodeRollup(0, bytes)).toThrow(StoreError);
});
