import { useState } from 'preact/hooks';
import { useAction } from '../action.js';
import { useApp } from '../context.js';
import { formatCount, formatNumber } from '../format.js';
import { policyCodes } from '../policies.js';
import { href } from '../router.js';
import { Foreign } from '../text/foreign-text.js';
import { Choice, Field } from '../ui/field.js';
import { ProblemNotice } from '../ui/states.js';
import { Verdict as VerdictTag } from '../ui/tags.js';
import type { PolicySettings, Preview, RuleSet, ScanScope, Verdict } from '../wire.js';

const recentMax = 500;
const linesMax = 200;
const shownMax = 100;
/** More in one field would make the browser slow. */
const textUnitsMax = 200_000;

interface Props {
  readonly profile?: { readonly policies: PolicySettings; readonly scan_scope: ScanScope };
  readonly rules?: RuleSet;
  /** Profile that is compared with. */
  readonly against: string;
}

type Source = 'pasted' | 'recent';

interface Result {
  /** The request that it answers: what has been changed since would be judged otherwise. */
  readonly asked: string;
  readonly preview: Preview;
  readonly lines: readonly string[];
}

/** Replays messages against what is about to be saved, and shows whose verdict would change. */
export function PreviewPanel({ profile, rules, against }: Props) {
  const { client } = useApp();
  const [source, setSource] = useState<Source>('pasted');
  const [text, setText] = useState('');
  const [result, setResult] = useState<Result>();
  const action = useAction();
  const pasted = text.split('\n').filter((line) => line.trim() !== '');
  const lines = pasted.slice(0, linesMax);
  const traffic =
    source === 'recent'
      ? { recent: recentMax }
      : { samples: lines.map((content) => ({ messages: [{ role: 'user', content }] })) };
  const request = { against, profile, rules, ...traffic };
  const asked = JSON.stringify(request);
  const run = () =>
    action.run(async () => {
      const preview = await client.send<Preview>('POST', '/profiles/preview', request);
      setResult({ asked, preview, lines });
    });
  return (
    <section class="card">
      <h2>What would change</h2>
      <p class="hint">Replays messages against what you are about to save. Nothing is saved or recorded by it.</p>
      <Choice
        label="Messages to replay"
        hideLabel
        name={`preview-source-${against}`}
        value={source}
        choices={[
          ['pasted', 'Pasted messages'],
          ['recent', 'Recent traffic'],
        ]}
        onChange={setSource}
      />
      {source === 'pasted' ? (
        <Field
          label="One message a line"
          hint={
            pasted.length > linesMax
              ? `Only the first ${linesMax} of ${formatCount(pasted.length, 'line')} are compared.`
              : undefined
          }
        >
          {(control) => (
            <textarea
              {...control}
              rows={4}
              maxLength={textUnitsMax}
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
      ) : (
        <p class="hint">Up to {recentMax} of the newest scans whose text was kept.</p>
      )}
      <div class="actions">
        <button type="button" disabled={action.busy || (source === 'pasted' && lines.length === 0)} onClick={run}>
          {action.busy ? 'Comparing …' : 'Compare'}
        </button>
      </div>
      <ProblemNotice problem={action.problem} />
      {result?.asked === asked && <PreviewResult {...result} />}
    </section>
  );
}

function PreviewResult({ preview, lines }: Result) {
  const { compared, changed, changed_total: total, flagged, recent } = preview;
  if (compared === 0) {
    return (
      <div class="preview-result" role="status">
        <p>
          <b>No scan could be replayed.</b>
        </p>
        {recent !== undefined && <p class="hint">{recentNote(recent)}</p>}
      </div>
    );
  }
  return (
    <div class="preview-result" role="status">
      <p>
        <b>{total === 0 ? 'Nothing would change' : `${formatCount(total, 'scan')} would be judged otherwise`}</b> of{' '}
        {formatNumber(compared)}; {formatNumber(flagged.before)} flagged before, {formatNumber(flagged.after)} after.
      </p>
      {recent !== undefined && <p class="hint">{recentNote(recent)}</p>}
      <ul class="changes">
        {changed.slice(0, shownMax).map((change) => (
          <li key={change.scan_id ?? change.index}>
            <span class="change-name">
              {change.scan_id === undefined ? (
                <Foreign text={lines[change.index ?? 0] ?? ''} max={160} />
              ) : (
                <a href={href('scans', change.scan_id)}>{change.scan_id}</a>
              )}
            </span>
            <span class="change-verdicts">
              <VerdictTag flagged={change.before.flagged} /> <span class="visually-hidden">becomes</span>
              <span aria-hidden="true">→</span> <VerdictTag flagged={change.after.flagged} />
            </span>
            <span class="quiet number">{scoreChanges(change.before, change.after)}</span>
          </li>
        ))}
      </ul>
      {total > Math.min(changed.length, shownMax) && (
        <p class="quiet">{formatCount(total - Math.min(changed.length, shownMax), 'further change')} not listed.</p>
      )}
    </div>
  );
}

/** How much of the recent traffic could be replayed, and how truly. */
function recentNote({ replayed, without_text, over_limit, redacted, cut }: NonNullable<Preview['recent']>): string {
  const parts = [
    `${formatCount(replayed, 'scan')} replayed`,
    ...(without_text > 0 ? [`${formatNumber(without_text)} left out: their text was not kept`] : []),
    ...(over_limit > 0 ? [`${formatNumber(over_limit)} left out: too much text`] : []),
    ...(redacted > 0 ? [`${formatNumber(redacted)} from redacted text`] : []),
    ...(cut > 0 ? [`${formatNumber(cut)} from a part of their text`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** Policies whose score or part in the verdict differs; where there is none, how many matches there are. */
function scoreChanges(before: Verdict, after: Verdict): string {
  const changes = policyCodes.flatMap((code) => {
    const [old = 0, next = 0] = [before.scores[code], after.scores[code]];
    const triggers = (verdict: Verdict) => verdict.policies.includes(code);
    if (old === next && triggers(before) === triggers(after)) return [];
    return [old === next ? `${code} ${next.toFixed(2)}` : `${code} ${old.toFixed(2)} → ${next.toFixed(2)}`];
  });
  return changes.length > 0
    ? changes.join(', ')
    : `${before.matches} → ${formatCount(after.matches, 'match', 'matches')}`;
}
