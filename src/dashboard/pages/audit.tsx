import { queryString } from '../client.js';
import { useApp } from '../context.js';
import { formatNumber } from '../format.js';
import { useResource } from '../resource.js';
import { href, navigate } from '../router.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { Field } from '../ui/field.js';
import { FilterInput } from '../ui/filter-input.js';
import { focusHeading, PageHead } from '../ui/page-head.js';
import { NoneSoFar, Pager } from '../ui/pager.js';
import { Empty, Loaded } from '../ui/states.js';
import { Table } from '../ui/table.js';
import { Time } from '../ui/tags.js';
import type { AuditEntry, Page } from '../wire.js';

const perPage = 50;

/** Names of what an act changed; all are in its details. */
const namesShown = 5;

/** Of a token's id; the rest is in its title. */
const idShown = 8;

/** Every administrative act: who, when, what, and what it was before. Nothing here can be changed. */
export function AuditPage({ query }: PageProps) {
  const { client } = useApp();
  const filters = {
    action: query.get('action') ?? '',
    actor: query.get('actor') ?? '',
    cursor: query.get('cursor') ?? '',
  };
  const entries = useResource(`audit ${queryString(filters)}`, (signal) =>
    client.get<Page<AuditEntry>>('/audit', { query: { ...filters, per_page: perPage }, signal }),
  );
  return (
    <>
      <PageHead
        title="Audit log"
        intro="Every administrative act, whether done here, over the interface or by command. Entries are only ever added."
      />
      <AuditFilters query={query} />
      <Loaded resource={entries} what="the audit log">
        {({ data, meta: { next_cursor: next } }) => (
          <>
            {data.length > 0 ? (
              <AuditTable entries={data} />
            ) : next !== null ? (
              <NoneSoFar />
            ) : (
              <Empty title={query.size === 0 ? 'Nothing was done yet.' : 'No entry fits.'} />
            )}
            <Pager
              label="Pages of the audit log"
              path="audit"
              query={query}
              next={next}
              words={{ first: 'Newest', next: 'Older' }}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table
      caption="Audit log"
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Time', cell: ({ at }) => <Time iso={at} /> },
        {
          name: 'Who',
          cell: ({ actor }) => (
            <>
              {actor.email === null ? <span class="quiet">–</span> : <Foreign text={actor.email} max={80} ltr />}{' '}
              <span class="quiet">{actor.via}</span>{' '}
              {actor.token_id !== null && <code title={actor.token_id}>{actor.token_id.slice(0, idShown)}</code>}
            </>
          ),
        },
        { name: 'Action', short: true, cell: ({ action }) => <code>{action}</code> },
        {
          name: 'On',
          cell: ({ target }) => (
            <>
              <span class="quiet">{target.kind}</span> <Foreign text={target.name} max={80} />
            </>
          ),
        },
        { name: 'Changes', cell: ({ changes }) => <Changes changes={changes} /> },
      ]}
    />
  );
}

/** What was before and is after, as the service wrote it. */
function Changes({ changes }: { readonly changes: unknown }) {
  if (typeof changes !== 'object' || changes === null || Object.keys(changes).length === 0) {
    return <span class="quiet none">–</span>;
  }
  const names = Object.keys(changes);
  const more = names.length - namesShown;
  return (
    <details>
      <summary>
        {names.slice(0, namesShown).join(', ')}
        {more > 0 && ` and ${formatNumber(more)} more`}
      </summary>
      <pre class="changes-json">
        <Foreign text={JSON.stringify(changes, null, 2)} max={4_000} />
      </pre>
    </details>
  );
}

function AuditFilters({ query }: { readonly query: URLSearchParams }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    navigate(`${href('audit')}${queryString({ action: text('action'), actor: text('actor') })}`);
  };
  return (
    <form class="filters" aria-label="Filters" onSubmit={submit}>
      <Field label="Action">
        {(control) => <FilterInput {...control} name="action" placeholder="token.create" query={query} />}
      </Field>
      <Field label="Who">
        {(control) => <FilterInput {...control} name="actor" placeholder="e-mail" query={query} />}
      </Field>
      <div class="actions">
        <button type="submit">Apply</button>
        {(query.has('action') || query.has('actor')) && (
          <a class="button plain" href={href('audit')} onClick={focusHeading}>
            Clear
          </a>
        )}
      </div>
    </form>
  );
}
