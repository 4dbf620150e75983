import type { Environment } from './environment.js';
import { entryBytes, sortEntries, writeEntry } from './scan-entry.js';
import { insertEntries } from './scan-index.js';
import { countSegments, putRollups, rollupsWritten } from './scan-rollups.js';
import { noName, read16, rowAt } from './scan-row.js';
import { organizationScope, projectScope } from './scan-scope.js';
import { rowOffset, type Segment } from './scan-segment.js';
import { syncTail } from './scan-tail.js';
import { loadState, saveState, type ScanTables } from './scan-tables.js';

/** Rows of segments that index or purge treat together. */
export interface SegmentRows {
  readonly segment: Segment;
  /** All where left out. */
  readonly rows?: readonly number[];
}

/** What a transaction changes in one scope. */
interface ScopeEntries {
  readonly scope: Buffer;
  /** Ascending by id. */
  readonly entries: Buffer;
}

/**
 * Indexes and counts the tail, at most `rowsMax` records and at least one segment, in one transaction; gives the number of
 * records. A row of each scope is written once however many records it has among them: that is why they wait for one
 * another.
 */
export async function indexTail(environment: Environment, tables: ScanTables, rowsMax: number): Promise<number> {
  const part = environment.read(() => {
    const { revision } = syncTail(tables);
    const segments = firstSegments(tables.tail.segments, rowsMax);
    return { revision, segments, counts: countSegments(tables.rollups, revision, segments) };
  });
  const { revision, segments, counts } = part;
  const last = segments.at(-1)?.number;
  if (last === undefined) return 0;
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
  const scopes = groupByScope(segments.map((segment) => ({ segment })));
  const isDone = await environment.write(() => {
    const now = loadState(tables);
    // Another process was faster, or a purge went by.
    if (now.revision !== revision) return false;
    for (const { scope, entries } of scopes) insertEntries(tables.index, scope, entries);
    putRollups(tables.rollups, counts);
    saveState(tables, { revision: revision + 1, indexed: last, last: now.last, tailRows: now.tailRows - rows });
    return true;
  });
  if (isDone) rollupsWritten(tables.rollups, last, revision + 1);
  return isDone ? rows : 0;
}

function firstSegments(segments: readonly Segment[], rowsMax: number): Segment[] {
  const first: Segment[] = [];
  let rows = 0;
  for (const segment of segments) {
    if (first.length > 0 && rows + segment.rows > rowsMax) break;
    first.push(segment);
    rows += segment.rows;
  }
  return first;
}

/** The entries of rows, by the scopes that they are in. */
export function groupByScope(parts: readonly SegmentRows[]): ScopeEntries[] {
  const organizations = new Map<string, Organization>();
  const entry = Buffer.alloc(entryBytes);
  const add = (segment: Segment, row: number) => {
    const at = rowOffset(row);
    const organization = named(organizations, segment.names[read16(segment.bytes, at + rowAt.organization)], () => ({
      ...growing(),
      projects: new Map<string, Growing>(),
    }));
    writeEntry(entry, 0, segment, row);
    append(organization, entry);
    const place = read16(segment.bytes, at + rowAt.project);
    if (place !== noName) append(named(organization.projects, segment.names[place], growing), entry);
  };
  for (const { segment, rows } of parts) {
    if (rows) for (const row of rows) add(segment, row);
    else for (let row = 0; row < segment.rows; row++) add(segment, row);
  }
  const scopes: ScopeEntries[] = [];
  for (const [organizationId, organization] of organizations) {
    addScope(scopes, organizationScope(organizationId), organization);
    for (const [name, project] of organization.projects) addScope(scopes, projectScope(organizationId, name), project);
  }
  return scopes;
}

interface Growing {
  entries: Buffer;
  bytes: number;
}

interface Organization extends Growing {
  readonly projects: Map<string, Growing>;
}

const firstEntries = 8;

function growing(): Growing {
  return { entries: Buffer.allocUnsafe(firstEntries * entryBytes), bytes: 0 };
}

function named<T>(known: Map<string, T>, name: string, create: () => T): T {
  let found = known.get(name);
  if (!found) {
    found = create();
    known.set(name, found);
  }
  return found;
}

function append(to: Growing, entry: Buffer): void {
  if (to.bytes === to.entries.length) to.entries = Buffer.concat([to.entries, Buffer.allocUnsafe(to.bytes)]);
  const { entries, bytes } = to;
  for (let i = 0; i < entryBytes; i++) entries[bytes + i] = entry[i];
  to.bytes += entryBytes;
}

/** Records with names too long to be keys were refused. */
function addScope(scopes: ScopeEntries[], scope: Buffer | undefined, { entries, bytes }: Growing): void {
  if (scope) scopes.push({ scope, entries: sortEntries(entries.subarray(0, bytes)) });
}
