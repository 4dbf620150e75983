import { queryString } from '../client.js';
import { useApp } from '../context.js';
import { formatCount } from '../format.js';
import { useResource } from '../resource.js';
import { href } from '../router.js';
import { Foreign, Pieces } from '../text/foreign-text.js';
import { cutText } from '../text/segments.js';
import { PageHead } from '../ui/page-head.js';
import { References } from '../ui/references.js';
import { Loaded } from '../ui/states.js';
import { PolicyTag, SeverityTag } from '../ui/tags.js';
import type { Rule } from '../wire.js';

const exampleUnitsMax = 2_000;

/** One rule in full. */
export function RulePage({ id }: { readonly id: string }) {
  const { client } = useApp();
  const rule = useResource(`rule ${id}`, (signal) => client.get<Rule>(`/rules/${encodeURIComponent(id)}`, { signal }));
  return (
    <>
      <p class="crumb">
        <a href={href('rules')}>← Rules</a>
      </p>
      <PageHead
        title={rule.value?.title ?? `Rule ${id}`}
        heading={<Foreign text={rule.value?.title ?? `Rule ${id}`} />}
      />
      <Loaded resource={rule} what="the rule">
        {(value) => <RuleBody rule={value} />}
      </Loaded>
    </>
  );
}

function RuleBody({ rule }: { readonly rule: Rule }) {
  return (
    <>
      <p class="tag-row">
        <code>{rule.id}</code>
        <PolicyTag code={rule.policy} full />
        <SeverityTag severity={rule.severity} />
        <span class="number">score {rule.score.toFixed(2)}</span>
        <a href={`${href('scans')}${queryString({ policy: rule.policy })}`}>
          {formatCount(rule.hits_30d, 'hit')} in 30 days
        </a>
      </p>
      <div class="columns">
        <section class="card prose">
          <h2>Why</h2>
          <p>
            <Foreign text={rule.why} max={4_000} prose />
          </p>
          {rule.misses && (
            <>
              <h2>What it misses</h2>
              <p>
                <Foreign text={rule.misses} max={4_000} prose />
              </p>
            </>
          )}
        </section>
        <section class="card">
          <h2>Where it looks</h2>
          <p>Messages of: {rule.roles.length === 0 ? 'every role' : rule.roles.join(', ')}</p>
          <p>Readings of the text: {rule.views.length === 0 ? 'as it stands' : rule.views.join(', ')}</p>
          <p>
            Label: <code>{rule.label}</code>
          </p>
          {rule.references.length > 0 && <h2>References</h2>}
          <References references={rule.references} />
        </section>
      </div>
      <section class="card">
        <h2>Examples</h2>
        <Examples title="Matches" texts={rule.examples.match} />
        <Examples title="Does not match, though it looks alike" texts={rule.examples.near} />
        <Examples title="Does not match" texts={rule.examples.clean} />
      </section>
    </>
  );
}

function Examples({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="examples">
        {texts.map((text) => (
          <li key={text}>
            <pre dir="auto">
              <Pieces text={cutText(text, exampleUnitsMax)} />
              {text.length > exampleUnitsMax && <span class="gap"> … cut</span>}
            </pre>
          </li>
        ))}
      </ul>
    </>
  );
}
