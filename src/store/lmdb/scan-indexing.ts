import type { Environment } from './environment.js';
import { entryBytes, isAscending, sortEntries, writeEntry } from './scan-entry.js';
import { insertEntries } from './scan-index.js';
import { countSegments, putRollups, rollupsWritten } from './scan-rollups.js';
import { noName, read16, rowAt } from './scan-row.js';
import { organizationScope, projectScope } from './scan-scope.js';
import { rowOffset, type Segment } from './scan-segment.js';
import { loadState, type ScanTables, saveState } from './scan-tables.js';
import { syncTail } from './scan-tail.js';

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

/** What a transaction indexed. */
interface Indexed {
  readonly records: number;
  readonly scopes: number;
}

const nothing: Indexed = { records: 0, scopes: 0 };

/**
 * Indexes and counts the tail, at most `rowsMax` records and at least one segment, in one transaction. A row of each scope is
 * written once however many records it has among them: that is why they wait for one another.
 */
export async function indexTail(environment: Environment, tables: ScanTables, rowsMax: number): Promise<Indexed> {
  const part = environment.read(() => {
    const { revision } = syncTail(tables);
    const segments = firstSegments(tables.tail.segments, rowsMax);
    return { revision, segments, counts: countSegments(tables.rollups, revision, segments) };
  });
  const { revision, segments, counts } = part;
  const last = segments.at(-1)?.number;
  if (last === undefined) return nothing;
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
  return isDone ? { records: rows, scopes: scopes.length } : nothing;
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
  for (const { segment, rows } of parts) {
    // By place, which is cheaper to look up than a name.
    const scopes = new Map<number, readonly Growing[]>();
    const add = (row: number) => {
      const at = rowOffset(row);
      const organization = read16(segment.bytes, at + rowAt.organization);
      const project = read16(segment.bytes, at + rowAt.project);
      const places = (organization << 16) | project;
      let lists = scopes.get(places);
      if (!lists) {
        lists = listsOf(organizations, segment.names[organization], project === noName ? null : segment.names[project]);
        scopes.set(places, lists);
      }
      for (const list of lists) append(list, segment, row);
    };
    if (rows) for (const row of rows) add(row);
    else for (let row = 0; row < segment.rows; row++) add(row);
  }
  const scopes: ScopeEntries[] = [];
  for (const [organizationId, { own, projects }] of organizations) {
    // Where all of an organization's entries ascend, those of its projects do.
    const sort = isAscending(own.entries.subarray(0, own.bytes)) ? (entries: Buffer) => entries : sortEntries;
    addScope(scopes, organizationScope(organizationId), sort(own.entries.subarray(0, own.bytes)));
    for (const [name, { entries, bytes }] of projects) {
      addScope(scopes, projectScope(organizationId, name), sort(entries.subarray(0, bytes)));
    }
  }
  return scopes;
}

interface Growing {
  entries: Buffer;
  bytes: number;
}

interface Organization {
  readonly own: Growing;
  readonly projects: Map<string, Growing>;
}

const firstEntries = 16;

function growing(): Growing {
  return { entries: Buffer.allocUnsafe(firstEntries * entryBytes), bytes: 0 };
}

function listsOf(
  organizations: Map<string, Organization>,
  organizationId: string,
  projectId: string | null,
): readonly Growing[] {
  let organization = organizations.get(organizationId);
  if (!organization) {
    organization = { own: growing(), projects: new Map() };
    organizations.set(organizationId, organization);
  }
  const { own, projects } = organization;
  if (projectId === null) return [own];
  const project = projects.get(projectId) ?? growing();
  projects.set(projectId, project);
  return [own, project];
}

function append(to: Growing, segment: Segment, row: number): void {
  if (to.bytes === to.entries.length) to.entries = Buffer.concat([to.entries, Buffer.allocUnsafe(to.bytes)]);
  writeEntry(to.entries, to.bytes, segment, row);
  to.bytes += entryBytes;
}

/** Records with names too long to be keys were refused. */
function addScope(scopes: ScopeEntries[], scope: Buffer | undefined, entries: Buffer): void {
  if (scope) scopes.push({ scope, entries });
}
