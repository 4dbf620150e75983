import { useApp } from '../context.js';
import { useResource } from '../resource.js';
import { href } from '../router.js';
import { Foreign } from '../text/foreign-text.js';
import { References } from '../ui/references.js';
import { SeverityTag } from '../ui/tags.js';
import type { Rule } from '../wire.js';

const rulesMax = 20;

/** Why the rules that fired exist; own rules of the organization are named only. */
export function RuleReasons({ ids }: { readonly ids: readonly string[] }) {
  const { client } = useApp();
  const shipped = ids.filter((id) => id.startsWith('LLM')).slice(0, rulesMax);
  const rules = useResource(`rules ${shipped.join()}`, (signal) =>
    Promise.all(
      shipped.map((id) =>
        // A rule that has since been retired is named without its reason.
        client.get<Rule>(`/rules/${encodeURIComponent(id)}`, { signal }).catch(() => null),
      ),
    ),
  );
  if (ids.length === 0) return null;
  return (
    <section class="card">
      <h2>Why</h2>
      <ul class="reasons">
        {ids.slice(0, rulesMax).map((id) => {
          const rule = rules.value?.find((found) => found?.id === id);
          return (
            <li key={id}>
              <p class="reason-head">
                <a href={id.startsWith('LLM') ? href('rules', id) : href('own-rules')}>{id}</a>
                {rule && (
                  <>
                    {' '}
                    <b>
                      <Foreign text={rule.title} />
                    </b>{' '}
                    <SeverityTag severity={rule.severity} />
                  </>
                )}
                {!id.startsWith('LLM') && <span class="quiet"> a rule of your organization</span>}
              </p>
              {rule && (
                <>
                  <p>
                    <Foreign text={rule.why} max={2_000} />
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
