import { queryString } from '../client.js';
import { useApp } from '../context.js';
import { formatCount, formatNumber } from '../format.js';
import { policyCodes, policyNames } from '../policies.js';
import { useResource } from '../resource.js';
import { href, navigate } from '../router.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { Field } from '../ui/field.js';
import { FilterInput } from '../ui/filter-input.js';
import { focusHeading, PageHead } from '../ui/page-head.js';
import { Pager } from '../ui/pager.js';
import { Empty, Loaded } from '../ui/states.js';
import { Table } from '../ui/table.js';
import { PolicyTag, SeverityTag } from '../ui/tags.js';
import type { Page, Rule } from '../wire.js';
import { RulePage } from './rule.js';

const perPage = 50;

/** All rules, shipped and own: what they find, why, and how often they did here. */
export function RulesPage({ id, query }: PageProps) {
  return id === '' ? <RuleList query={query} /> : <RulePage id={id} />;
}

function RuleList({ query }: { readonly query: URLSearchParams }) {
  const { client } = useApp();
  const search = query.get('query') ?? '';
  const policy = query.get('policy') ?? '';
  const cursor = query.get('cursor') ?? '';
  const rules = useResource(`rules ${queryString({ search, policy, cursor })}`, (signal) =>
    client.get<Page<Rule>>('/rules', { query: { query: search, policy, cursor, per_page: perPage }, signal }),
  );
  return (
    <>
      <PageHead
        title="Rules"
        intro="What is looked for, and why: the rules that come with Merlon and those of your organization. Each has examples that were run before it was let in."
      />
      <RuleFilters query={query} />
      <Loaded resource={rules} what="rules">
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title="No rule fits.">
              <p>
                <a href={href('rules')} onClick={focusHeading}>
                  Show all rules
                </a>
              </p>
            </Empty>
          ) : (
            <>
              {meta.total !== undefined && (
                <p class="quiet count" role="status">
                  {formatCount(meta.total, 'rule')}
                </p>
              )}
              <RuleTable rules={data} />
              <Pager
                label="Pages of rules"
                path="rules"
                query={query}
                next={meta.next_cursor}
                words={{ first: 'First', next: 'More' }}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function RuleTable({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <Table
      caption="Rules"
      rows={rules}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Rule', short: true, cell: ({ id }) => <a href={href('rules', id)}>{id}</a> },
        { name: 'From', cell: ({ origin }) => (origin === 'shipped' ? 'Merlon' : 'your organization') },
        { name: 'Policy', cell: ({ policy }) => <PolicyTag code={policy} /> },
        { name: 'Title', cell: ({ title }) => <Foreign text={title} /> },
        { name: 'Label', cell: ({ label }) => <code>{label}</code> },
        { name: 'Severity', cell: ({ severity }) => <SeverityTag severity={severity} /> },
        { name: 'Score', end: true, cell: ({ score }) => score.toFixed(2) },
        { name: 'Hits, 30 days', end: true, cell: ({ hits_30d }) => formatNumber(hits_30d) },
      ]}
    />
  );
}

function RuleFilters({ query }: { readonly query: URLSearchParams }) {
  const apply = (form: HTMLFormElement) => {
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    navigate(`${href('rules')}${queryString({ query: text('query'), policy: text('policy') })}`);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLFormElement) apply(event.currentTarget);
  };
  return (
    <form class="filters" aria-label="Search" onSubmit={submit}>
      <Field label="Search">{(control) => <FilterInput {...control} type="search" name="query" query={query} />}</Field>
      <Field label="Policy" class="two">
        {(control) => (
          <select
            {...control}
            name="policy"
            value={query.get('policy') ?? ''}
            onChange={({ currentTarget: { form } }) => form && apply(form)}
          >
            <option value="">All</option>
            {policyCodes.map((code) => (
              <option key={code} value={code}>
                {code} {policyNames[code]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="actions">
        <button type="submit">Search</button>
      </div>
    </form>
  );
}
