import { describe, expect, it } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import type { ScanRecord } from '../../src/domain/scan-record.js';
import { type Overview, type OverviewQuery, overviewOf } from '../../src/guard/overview.js';
import { openMemoryStore } from '../../src/store/memory/memory-store.js';
import { hourMs } from '../../src/store/rollup.js';
import { epoch, orgA, scanRecord } from '../store/samples.js';

const day = 24 * hourMs;
const start = Math.ceil(epoch / day) * day;
const at = (ms: number, serial: number, values: Partial<ScanRecord> = {}) =>
  scanRecord(start - epoch + ms, serial, values);

async function overview(records: readonly ScanRecord[], query: Partial<OverviewQuery> = {}): Promise<Overview> {
  const { scans } = openMemoryStore();
  for (const record of records) await scans.append(record);
  const whole: OverviewQuery = { from: start, to: start + day, step: 'hour', ...query };
  return overviewOf(scans.rollups({ ...whole, organizationId: orgA }), whole);
}

describe('an overview', () => {
  it('has a bucket for every step, empty ones too', async () => {
    const records = [
      at(0, 1, { flagged: true, detectors: ['LLM02'] }),
      at(hourMs - 1, 2),
      at(3 * hourMs, 3, { flagged: true, detectors: ['LLM01', 'LLM02'] }),
      at(day, 4),
      at(-1, 5),
    ];
    const { buckets, totals } = await overview(records, { to: start + 4 * hourMs });
    expect(buckets).toEqual([
      { start, scans: 2, flagged: 1, policies: { LLM02: 1 } },
      { start: start + hourMs, scans: 0, flagged: 0, policies: {} },
      { start: start + 2 * hourMs, scans: 0, flagged: 0, policies: {} },
      { start: start + 3 * hourMs, scans: 1, flagged: 1, policies: { LLM01: 1, LLM02: 1 } },
    ]);
    expect(totals).toEqual({ scans: 3, flagged: 2, policies: { LLM01: 1, LLM02: 2 } });
    const days = await overview(records, { from: start - day, to: start + 2 * day, step: 'day' });
    expect(days.buckets.map(({ start: begin, scans }) => [begin, scans])).toEqual([
      [start - day, 1],
      [start, 3],
      [start + day, 1],
    ]);
  });

  it('names those with the most scans and counts the others together', async () => {
    const most = limits.overviewNamesMax;
    const records = Array.from({ length: most + 3 }, (_, i) => [
      at(i, 2 * i, { projectId: `p${100 + i}`, flagged: i >= most }),
      at(hourMs + i, 2 * i + 1, { projectId: `p${100 + (i % 2)}` }),
    ]).flat();
    const { projects } = await overview(records);
    expect(projects.top).toHaveLength(most);
    expect(projects.top.slice(0, 3)).toEqual([
      { id: 'p100', scans: 13, flagged: 0 },
      { id: 'p101', scans: 12, flagged: 0 },
      { id: 'p102', scans: 1, flagged: 0 },
    ]);
    expect(projects.other).toEqual({ scans: 3, flagged: 3 });
  });

  it('counts beyond the bounds of an hour with the others', async () => {
    const records = Array.from({ length: limits.rollupProjectsMax + 4 }, (_, i) => at(i, i, { projectId: `p${i}` }));
    const { projects } = await overview(records);
    expect(projects.other.scans).toBe(records.length - limits.overviewNamesMax);
  });

  it('ranks rules by the scans that they matched in', async () => {
    const match = { messageId: 0, start: 0, end: 1, policy: 'LLM01', labels: [], severity: 'low' } as const;
    const hits = (...ruleIds: string[]) => ({ matches: ruleIds.map((id) => ({ ...match, ruleIds: [id] })) });
    const { rules } = await overview([at(0, 1, hits('a', 'b', 'b')), at(hourMs, 2, hits('b')), at(1, 3, hits('c'))]);
    expect(rules).toEqual({
      top: [
        { id: 'b', hits: 2 },
        { id: 'a', hits: 1 },
        { id: 'c', hits: 1 },
      ],
      other: { hits: 0 },
    });
  });

  it('tells percentiles within a tenth', async () => {
    expect((await overview([])).latencyUs).toBeUndefined();
    const records = Array.from({ length: 1_000 }, (_, i) => at(i, i, { durationUs: 10 + i }));
    const { latencyUs } = await overview(records);
    expect(latencyUs?.p50).toBeGreaterThan(510 * 0.9);
    expect(latencyUs?.p50).toBeLessThan(510 * 1.1);
    expect(latencyUs?.p99).toBeGreaterThan(1_000 * 0.9);
    expect(latencyUs?.p99).toBeLessThan(1_000 * 1.1);
  });
});
