import { queryString } from '../client.js';
import { useApp, useMay } from '../context.js';
import { applicationName, useApplications } from '../directory.js';
import { formatCount, formatNumber, formatPercent, formatUs } from '../format.js';
import { policyCodes } from '../policies.js';
import { type Resource, useResource } from '../resource.js';
import { href, navigate } from '../router.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { ShareList, Sparkline } from '../ui/bars.js';
import { TimeChart } from '../ui/chart.js';
import { Choice } from '../ui/field.js';
import { focusHeading, PageHead } from '../ui/page-head.js';
import { Empty, Loaded } from '../ui/states.js';
import { Table } from '../ui/table.js';
import { PolicyTag, Time } from '../ui/tags.js';
import type { Application, Overview, Rule, Share } from '../wire.js';

const pollMs = 2_000;
const hourMs = 3_600_000;
const namesShown = 10;

const ranges = {
  day: { text: '24 hours', hours: 24, step: 'hour' },
  week: { text: '7 days', hours: 7 * 24, step: 'hour' },
  month: { text: '30 days', hours: 30 * 24, step: 'day' },
} as const;
type RangeName = keyof typeof ranges;
const rangeNames = ['day', 'week', 'month'] as const;

/** What came through, what was caught, and how the service does; renewed while somebody looks. */
export function OverviewPage({ query }: PageProps) {
  const { session } = useApp();
  const range = rangeNames.find((name) => name === query.get('range')) ?? 'day';
  const project = query.get('project') ?? '';
  const app = query.get('app') ?? '';
  const overview = useOverview(range, project, app);
  const applications = useApplications().value;
  const goTo = (next: Readonly<Record<string, string>>) =>
    navigate(`${href()}${queryString({ range, project, app, ...next })}`, { replace: true });
  return (
    <>
      <PageHead
        title="Overview"
        intro={
          <>
            What <Foreign text={session.organization.name} /> sent to its models, and what was caught. Renewed every two
            seconds.
          </>
        }
        actions={
          <Choice
            label="Time"
            hideLabel
            name="range"
            value={range}
            choices={rangeNames.map((name) => [name, ranges[name].text])}
            onChange={(next: RangeName) => goTo({ range: next })}
          />
        }
      />
      {(project !== '' || app !== '') && (
        <p class="filter-note">
          Only {project !== '' ? 'project' : 'application'}{' '}
          <b>
            <Foreign text={project !== '' ? project : applicationName(applications, app)} />
          </b>
          <button
            type="button"
            class="small"
            onClick={() => {
              goTo({ project: '', app: '' });
              focusHeading();
            }}
          >
            Show all
          </button>
        </p>
      )}
      <Loaded resource={overview} what="the overview">
        {(value) => (
          <OverviewBody overview={value} applications={applications} range={range} filters={{ project, app }} />
        )}
      </Loaded>
    </>
  );
}

function useOverview(range: RangeName, project: string, app: string): Resource<Overview> {
  const { client } = useApp();
  return useResource(
    `overview ${range} ${project} ${app}`,
    (signal, unattended) => {
      const { hours, step } = ranges[range];
      const now = Date.now();
      const query = {
        from: new Date(now - hours * hourMs).toISOString(),
        to: new Date(now).toISOString(),
        step,
        project_id: project,
        app_uuid: app,
      };
      return client.get<Overview>('/overview', { query, signal, unattended });
    },
    { pollMs },
  );
}

interface BodyProps {
  readonly overview: Overview;
  readonly applications: readonly Application[] | undefined;
  readonly range: RangeName;
  /** By their names in an address; empty where there is none. */
  readonly filters: { readonly project: string; readonly app: string };
}

function OverviewBody({ overview, applications, range, filters }: BodyProps) {
  const mayScan = useMay('guard:scan');
  const { totals, latency_us: latency, load } = overview;
  if (totals.scans === 0) {
    return (
      <Empty title={`No scans in the last ${ranges[range].text}.`}>
        {mayScan && (
          <p>
            Make an access token under <a href={href('tokens')}>Tokens</a> and send a first message, or try the{' '}
            <a href={href('playground')}>playground</a>.
          </p>
        )}
      </Empty>
    );
  }
  return (
    <>
      <dl class="figures">
        <Figure name="Scans" value={formatNumber(totals.scans)} />
        <Figure
          name="Flagged"
          value={formatNumber(totals.flagged)}
          note={formatPercent(totals.flagged, totals.scans)}
          alarming={totals.flagged > 0}
        />
        <Figure
          name="Latency, median"
          value={latency === null ? '–' : formatUs(latency.p50)}
          {...(latency === null ? {} : { note: `95 %: ${formatUs(latency.p95)} · 99 %: ${formatUs(latency.p99)}` })}
        />
        <Figure
          name="Busy now"
          value={formatPercent(load.busy, 1)}
          note={`${formatCount(load.queue_depth, 'scan')} waiting, ${formatCount(load.pool_threads, 'thread')}`}
        />
      </dl>
      <Course overview={overview} />
      <div class="columns">
        <div>
          <section class="card">
            <h2>By policy</h2>
            <Policies overview={overview} filters={filters} />
          </section>
          <section class="card">
            <h2>By application</h2>
            <ShareList
              partName="flagged"
              rows={[
                ...named(
                  overview.applications,
                  (id) => applicationName(applications, id),
                  (app) => ({ range, app }),
                ),
                ...unnamed(totals, overview.applications, overview.other.applications, 'no application'),
              ]}
            />
            {overview.applications.length === 0 && <p class="quiet">No scan named an application.</p>}
            <Others shares={overview.applications} other={overview.other.applications} what="applications" />
          </section>
        </div>
        <div>
          <section class="card">
            <h2>Top rules</h2>
            {overview.rules.length === 0 ? (
              <p class="quiet">No rule has fired.</p>
            ) : (
              <ShareList
                rows={overview.rules.slice(0, namesShown).map(({ id, hits }) => ({
                  key: id,
                  name: <RuleName id={id} />,
                  href: href('rules', id),
                  value: hits,
                }))}
              />
            )}
          </section>
          <section class="card">
            <h2>By project</h2>
            <ShareList
              partName="flagged"
              rows={[
                ...named(
                  overview.projects,
                  (id) => id,
                  (project) => ({ range, project }),
                ),
                ...unnamed(totals, overview.projects, overview.other.projects, 'no project'),
              ]}
            />
            {overview.projects.length === 0 && <p class="quiet">No scan named a project.</p>}
            <Others shares={overview.projects} other={overview.other.projects} what="projects" />
          </section>
        </div>
      </div>
    </>
  );
}

type Tally = Omit<Share, 'id'>;

/** Rows of what scans named, each with the query that narrows the page to it. */
function named(
  shares: readonly Share[],
  nameOf: (id: string) => string,
  queryOf: (id: string) => Parameters<typeof queryString>[0],
) {
  return shares.slice(0, namesShown).map(({ id, scans, flagged }) => ({
    key: id,
    name: <Foreign text={nameOf(id)} max={60} />,
    href: `${href()}${queryString(queryOf(id))}`,
    value: scans,
    part: flagged,
  }));
}

/** A row for the scans that named none; no row where no list is given, or none is missing. */
function unnamed(totals: Tally, shares: readonly Share[], other: Tally, name: string) {
  const left = (key: keyof Tally) => [...shares, other].reduce((rest, share) => rest - share[key], totals[key]);
  const value = left('scans');
  if (shares.length === 0 || value <= 0) return [];
  return [{ key: '', name: <span class="quiet">{name}</span>, value, part: left('flagged') }];
}

/** A rule's id and, once it is here, its title. */
function RuleName({ id }: { readonly id: string }) {
  const { client } = useApp();
  const rule = useResource(`rule ${id}`, (signal) => client.get<Rule>(`/rules/${encodeURIComponent(id)}`, { signal }));
  return (
    <>
      {id} {rule.value !== undefined && <Foreign text={rule.value.title} max={80} />}
    </>
  );
}

interface OthersProps {
  readonly shares: readonly Share[];
  readonly other: Tally;
  readonly what: string;
}

/** What the shares beyond those that are named come to. */
function Others({ shares, other, what }: OthersProps) {
  const rest = [...shares.slice(namesShown), other];
  const sum = (key: 'scans' | 'flagged') => rest.reduce((total, share) => total + share[key], 0);
  if (sum('scans') === 0) return null;
  return (
    <p class="hint">
      All other {what}: {formatNumber(sum('flagged'))} flagged of {formatNumber(sum('scans'))}.
    </p>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly alarming?: boolean;
}

function Figure({ name, value, note, alarming = false }: FigureProps) {
  return (
    <div class={alarming ? 'figure alarming' : 'figure'}>
      <dt>{name}</dt>
      <dd>
        <span class="figure-value">{value}</span>
        {note !== undefined && <span class="figure-note">{note}</span>}
      </dd>
    </div>
  );
}

/** Scans and flagged scans over time, as a picture and as a table. */
function Course({ overview }: { readonly overview: Overview }) {
  const { buckets, totals, step } = overview;
  return (
    <section class="card">
      <h2>Scans per {step}</h2>
      <TimeChart
        label={`Bars of ${formatCount(totals.scans, 'scan')}, of which ${formatNumber(totals.flagged)} were flagged, per ${step}. The table below has the numbers.`}
        starts={buckets.map(({ start }) => start)}
        series={[
          { name: 'Scans', colour: '--chart-scans', values: buckets.map(({ scans }) => scans) },
          { name: 'Flagged', colour: '--chart-flagged', values: buckets.map(({ flagged }) => flagged) },
        ]}
      />
      <details>
        <summary>The numbers as a table</summary>
        <Table
          caption={`Scans per ${step}`}
          rows={buckets.filter(({ scans }) => scans > 0).reverse()}
          keyOf={({ start }) => start}
          columns={[
            { name: 'From', cell: ({ start }) => <Time iso={start} /> },
            { name: 'Scans', end: true, cell: ({ scans }) => formatNumber(scans) },
            { name: 'Flagged', end: true, cell: ({ flagged }) => formatNumber(flagged) },
          ]}
        />
      </details>
    </section>
  );
}

function Policies({ overview, filters }: Pick<BodyProps, 'overview' | 'filters'>) {
  const seen = policyCodes.filter((code) => (overview.totals.policies[code] ?? 0) > 0);
  if (seen.length === 0) return <p class="quiet">No policy had a match.</p>;
  return (
    <ul class="policy-list">
      {seen.map((code) => (
        <li key={code}>
          <a href={`${href('scans')}${queryString({ ...filters, policy: code, from: overview.from })}`}>
            <PolicyTag code={code} full />
          </a>
          <Sparkline values={overview.buckets.map(({ policies }) => policies[code] ?? 0)} />
          <span class="number">{formatNumber(overview.totals.policies[code] ?? 0)}</span>
        </li>
      ))}
    </ul>
  );
}
