import type { ScanRecord } from '../../domain/scan-record.js';
import { countScan, emptyRollup, factsOf, hourMs, hourOf, type Rollup } from '../rollup.js';
import type { RollupQuery } from '../store.js';

/** Rollups in memory, by hour and scope. */
export interface MemoryRollups {
  count(record: ScanRecord): void;
  find(query: RollupQuery): readonly Rollup[];
  purge(before: number): void;
}

export function openMemoryRollups(): MemoryRollups {
  const rollups = new Map<string, Rollup>();

  const rollupOf = (start: number, ...scope: readonly (string | undefined)[]): Rollup => {
    const key = JSON.stringify([start, ...scope.map((name) => name ?? null)]);
    const rollup = rollups.get(key) ?? emptyRollup(start);
    rollups.set(key, rollup);
    return rollup;
  };

  return {
    count(record) {
      const { organizationId, projectId, appUuid } = record;
      const start = hourOf(record.createdAt);
      countScan(
        factsOf(record),
        rollupOf(start, organizationId, undefined, undefined),
        projectId === null ? undefined : rollupOf(start, organizationId, projectId, undefined),
        appUuid === null ? undefined : rollupOf(start, organizationId, undefined, appUuid),
      );
    },
    find({ organizationId, projectId, appUuid, from, to }) {
      const wanted = JSON.stringify([
        organizationId,
        projectId ?? null,
        projectId === undefined ? (appUuid ?? null) : null,
      ]);
      const found = [...rollups].filter(([key, { start }]) => {
        const [, ...scope] = JSON.parse(key) as unknown[];
        return JSON.stringify(scope) === wanted && start >= from && start < to;
      });
      return structuredClone(found.map(([, rollup]) => rollup).sort((a, b) => a.start - b.start));
    },
    purge(before) {
      for (const [key, { start }] of rollups) if (start + hourMs <= before) rollups.delete(key);
    },
  };
}
