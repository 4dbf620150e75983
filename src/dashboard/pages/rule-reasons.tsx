import { useApp } from '../context.js';
import { useResource } from '../resource.js';
import { href } from '../router.js';
import { Foreign } from '../text/foreign-text.js';
import { References } from '../ui/references.js';
import { SeverityTag } from '../ui/tags.js';
import type { Rule } from '../wire.js';

const rulesMax = 20;

/** Why the rules that fired exist. */
export function RuleReasons({ ids }: { readonly ids: readonly string[] }) {
  const { client } = useApp();
  const shown = ids.slice(0, rulesMax);
  const rules = useResource(`rules ${shown.join()}`, (signal) =>
    Promise.all(
      shown.map((id) =>
        // A rule that is gone since is named without its reason.
        client.get<Rule>(`/rules/${encodeURIComponent(id)}`, { signal }).catch(() => null),
      ),
    ),
  );
  if (ids.length === 0) return null;
  return (
    <section class="card">
      <h2>Why</h2>
      {rules.loading && rules.value === undefined && <p class="quiet">Loading the reasons …</p>}
      <ul class="reasons">
        {shown.map((id) => {
          const rule = rules.value?.find((found) => found?.id === id);
          return (
            <li key={id}>
              <p class="reason-head">
                <a href={href('rules', id)}>{id}</a>
                {rule && (
                  <>
                    {' '}
                    <b>
                      <Foreign text={rule.title} />
                    </b>{' '}
                    <SeverityTag severity={rule.severity} />
                  </>
                )}
              </p>
              {rule && (
                <>
                  <p>
                    <Foreign text={rule.why} max={2_000} prose />
                  </p>
                  <References references={rule.references} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
