import { useEffect, useRef, useState } from 'preact/hooks';
import { queryString } from '../client.js';
import { useApp, useMay } from '../context.js';
import { applicationName, useApplications } from '../directory.js';
import { formatCount, formatNumber } from '../format.js';
import { type Resource, useResource } from '../resource.js';
import { href } from '../router.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { focusHeading, PageHead } from '../ui/page-head.js';
import { NoneSoFar, Pager } from '../ui/pager.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { PolicyTag, Time, Verdict } from '../ui/tags.js';
import type { Application, Page, ScanRecord } from '../wire.js';
import { ScanDetailPage } from './scan-detail.js';
import { ScanFilters } from './scan-filters.js';

const pollMs = 2_000;
const perPage = 50;

/** Past scans, newest first; the first page is renewed while somebody looks. Filters and place are in the address. */
export function ScansPage({ id, query }: PageProps) {
  return id === '' ? <ScanList query={query} /> : <ScanDetailPage id={id} />;
}

function ScanList({ query }: { readonly query: URLSearchParams }) {
  const applications = useApplications().value;
  const [live, setLive] = useState(true);
  const cursor = query.get('cursor') ?? '';
  const scans = useScans(query, live && cursor === '');
  return (
    <>
      <PageHead
        title="Scans"
        intro="Every scan of your organization, newest first. Records hold where something matched, not the text, unless a profile keeps it."
        actions={
          <label class="switch">
            <input
              type="checkbox"
              checked={live && cursor === ''}
              disabled={cursor !== ''}
              onChange={(event) => setLive(event.currentTarget.checked)}
            />
            <span>Live</span>
          </label>
        }
      />
      <ScanFilters query={query} applications={applications ?? []} />
      <Loaded resource={scans} what="scans">
        {(page) => <ScanTable page={page} query={query} applications={applications} />}
      </Loaded>
    </>
  );
}

function useScans(query: URLSearchParams, live: boolean): Resource<Page<ScanRecord>> {
  const { client } = useApp();
  const filters = {
    project_id: query.get('project') ?? '',
    app_uuid: query.get('app') ?? '',
    detector: query.get('policy') ?? '',
    flagged: query.get('flagged') ?? '',
    from: query.get('from') ?? '',
    to: query.get('to') ?? '',
    scan_id: query.get('scan') ?? '',
    cursor: query.get('cursor') ?? '',
  };
  return useResource(
    `scans ${queryString(filters)}`,
    (signal, unattended) =>
      client.get<Page<ScanRecord>>('/guard/results', { query: { ...filters, per_page: perPage }, signal, unattended }),
    { pollMs: live ? pollMs : undefined },
  );
}

interface TableProps {
  readonly page: Page<ScanRecord>;
  readonly query: URLSearchParams;
  readonly applications: readonly Application[] | undefined;
}

function ScanTable({ page, query, applications }: TableProps) {
  const fresh = useFresh(page.data.map(({ id }) => id));
  const filtered = [...query.keys()].some((name) => name !== 'cursor');
  const { next_cursor: next, total } = page.meta;
  if (page.data.length === 0 && next === null && !query.has('cursor')) return <NoScans filtered={filtered} />;
  return (
    <>
      <p class="quiet count" role="status">
        {total === undefined ? '' : formatCount(total, filtered ? 'fitting scan' : 'scan')}
      </p>
      {page.data.length > 0 ? (
        <Table
          caption="Scans"
          rows={page.data}
          keyOf={({ id }) => id}
          classOf={({ id }) => (fresh.has(id) ? 'fresh' : '')}
          columns={scanColumns(applications)}
        />
      ) : next === null ? (
        <Empty title={filtered ? 'No older scan fits these filters.' : 'No older scans.'} />
      ) : (
        <NoneSoFar />
      )}
      <Pager label="Pages of scans" path="scans" query={query} next={next} words={{ first: 'Newest', next: 'Older' }} />
    </>
  );
}

function NoScans({ filtered }: { readonly filtered: boolean }) {
  const mayScan = useMay('guard:scan');
  if (filtered) {
    return (
      <Empty title="No scan fits these filters.">
        <p>
          <a href={href('scans')} onClick={focusHeading}>
            Show all scans
          </a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No scans yet.">
      <p>
        {mayScan && (
          <>
            Make an access token under <a href={href('tokens')}>Tokens</a>.{' '}
          </>
        )}
        The first scan appears here by itself.
      </p>
    </Empty>
  );
}

function scanColumns(applications: readonly Application[] | undefined): readonly Column<ScanRecord>[] {
  return [
    {
      name: 'Time',
      cell: ({ id, created_at }) => (
        <a href={href('scans', id)}>
          <Time iso={created_at} />
        </a>
      ),
    },
    { name: 'Verdict', cell: ({ flagged }) => <Verdict flagged={flagged} /> },
    {
      name: 'Policies',
      cell: ({ summary }) =>
        summary.detectors.length === 0 ? (
          <span class="quiet none">–</span>
        ) : (
          <span class="tag-row">
            {summary.detectors.map((code) => (
              <PolicyTag key={code} code={code} />
            ))}
          </span>
        ),
    },
    { name: 'Matches', end: true, cell: ({ summary }) => formatNumber(summary.matches) },
    {
      name: 'Application',
      cell: ({ app_uuid }) =>
        app_uuid === null ? (
          <span class="quiet none">–</span>
        ) : (
          <Foreign text={applicationName(applications, app_uuid)} max={60} />
        ),
    },
    {
      name: 'Project',
      cell: ({ project_id }) =>
        project_id === null ? <span class="quiet none">–</span> : <Foreign text={project_id} max={60} />,
    },
    { name: 'Source', cell: ({ source }) => source.toUpperCase() },
  ];
}

/** Ids that were not there the time before, to be shown as new; none when the list is first shown. */
function useFresh(ids: readonly string[]): ReadonlySet<string> {
  const seen = useRef<{ known: ReadonlySet<string>; fresh: ReadonlySet<string> } | null>(null);
  const key = ids.join();
  const before = seen.current;
  const known = new Set(ids);
  const changed = before === null || ids.length !== before.known.size || ids.some((id) => !before.known.has(id));
  const fresh = before === null || !changed ? before?.fresh : new Set(ids.filter((id) => !before.known.has(id)));
  useEffect(() => {
    seen.current = { known, fresh: fresh ?? new Set() };
  }, [key]);
  return fresh ?? new Set();
}
