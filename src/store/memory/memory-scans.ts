import type { ScanRecord, StoredText } from '../../domain/scan-record.js';
import { decodeCursor, encodeCursor } from '../scan-cursor.js';
import { isTimely, scanIdBytes, scanIdText } from '../scan-id.js';
import { type ScanLog, type ScanPage, type ScanQuery, StoreError } from '../store.js';
import { openMemoryRollups } from './memory-rollups.js';

/** The scan log in its plainest form: a map, filtered and sorted for every query. What other implementations are compared with. */
export function openMemoryScans(admit: () => void): ScanLog {
  const records = new Map<string, ScanRecord>();
  const texts = new Map<string, StoredText>();
  const rollups = openMemoryRollups();

  return {
    async append(record, text) {
      admit();
      const id = scanIdBytes(record.id);
      if (!id) throw new StoreError('A scan id must be scan_ and 32 lowercase hex digits.');
      if (!isTimely(id, record.createdAt)) throw new StoreError('The time of a scan must be that of its id.');
      if (records.has(record.id)) throw new StoreError('A scan with this id is stored already.');
      records.set(record.id, structuredClone(text ? { ...record, storedText: text.form } : record));
      if (text) texts.set(record.id, structuredClone(text));
      rollups.count(record);
      return true;
    },
    text(organizationId, scanId) {
      admit();
      if (records.get(scanId)?.organizationId !== organizationId) return undefined;
      return structuredClone(texts.get(scanId));
    },
    find(query) {
      admit();
      return page(query, [...records.values()].filter((record) => passes(record, query)).sort(newestFirst));
    },
    rollups(query) {
      admit();
      return rollups.find(query);
    },
    async purge(before) {
      admit();
      const old = [...records.values()].filter((record) => record.createdAt < before);
      for (const record of old) {
        records.delete(record.id);
        texts.delete(record.id);
      }
      rollups.purge(before);
      return old.length;
    },
  };
}

function page(query: ScanQuery, found: readonly ScanRecord[]): ScanPage {
  const after = query.cursor === undefined ? undefined : scanIdText(decodeCursor(query, query.cursor));
  const rest = after === undefined ? found.slice(query.offset ?? 0) : found.filter((record) => record.id < after);
  const records = structuredClone(rest.slice(0, query.limit));
  const last = scanIdBytes(records.at(-1)?.id ?? '');
  if (!last || rest.length === records.length) return { records, total: found.length };
  return { records, total: found.length, next: encodeCursor(query, last) };
}

function passes(record: ScanRecord, query: ScanQuery): boolean {
  if (record.organizationId !== query.organizationId) return false;
  if (query.projectId !== undefined && record.projectId !== query.projectId) return false;
  if (query.scanId !== undefined && record.id !== query.scanId) return false;
  if (query.flagged !== undefined && record.flagged !== query.flagged) return false;
  if (query.appUuid !== undefined && record.appUuid !== query.appUuid) return false;
  if (query.detector !== undefined && !record.detectors.includes(query.detector)) return false;
  if (query.from !== undefined && record.createdAt < query.from) return false;
  return query.to === undefined || record.createdAt < query.to;
}

function newestFirst(a: ScanRecord, b: ScanRecord): number {
  return a.id < b.id ? 1 : -1;
}
