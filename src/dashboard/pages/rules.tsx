import { useState } from 'preact/hooks';
import { queryString } from '../client.js';
import { useApp } from '../context.js';
import { formatCount, formatNumber } from '../format.js';
import { policyCodes, policyNames } from '../policies.js';
import { useResource } from '../resource.js';
import { href, navigate } from '../router.js';
import type { PageProps } from '../routes.js';
import { Foreign } from '../text/foreign-text.js';
import { Field } from '../ui/field.js';
import { PageHead } from '../ui/page-head.js';
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
  const goTo = (next: Readonly<Record<string, string>>) =>
    navigate(`${href('rules')}${queryString({ query: search, policy, ...next })}`);
  return (
    <>
      <PageHead
        title="Rules"
        intro="What is looked for, and why: the rules that come with Merlon and those of your organization. Each has examples that were run before it was let in."
      />
      <RuleFilters key={`${search} ${policy}`} search={search} policy={policy} onApply={goTo} />
      <Loaded resource={rules} what="rules">
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title="No rule fits.">
              <p>
                <a href={href('rules')}>Show all rules</a>
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
              <nav class="pager" aria-label="Pages of rules">
                {cursor !== '' && (
                  <button type="button" onClick={() => history.back()}>
                    Back
                  </button>
                )}
                {meta.next_cursor !== null && (
                  <button type="button" onClick={() => goTo({ cursor: meta.next_cursor ?? '' })}>
                    More
                  </button>
                )}
              </nav>
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

interface FilterProps {
  readonly search: string;
  readonly policy: string;
  onApply(filters: Readonly<Record<string, string>>): void;
}

function RuleFilters({ search, policy, onApply }: FilterProps) {
  const [text, setText] = useState(search);
  const submit = (event: Event) => {
    event.preventDefault();
    onApply({ query: text.trim() });
  };
  return (
    <form class="filters" aria-label="Search" onSubmit={submit}>
      <Field label="Search">
        {(control) => (
          <input {...control} type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        )}
      </Field>
      <Field label="Policy" class="two">
        {(control) => (
          <select {...control} value={policy} onChange={(event) => onApply({ policy: event.currentTarget.value })}>
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
