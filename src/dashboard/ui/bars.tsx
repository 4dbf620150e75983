import { formatNumber } from '../format.js';
import { policyNames } from '../policies.js';
import type { PolicyCode, PolicyScore } from '../wire.js';

/** Width of a part of the whole, for a style. */
export function percent(part: number, whole: number): string {
  return whole <= 0 ? '0%' : `${Math.min(100, Math.max(0, (100 * part) / whole))}%`;
}

/** A policy's score as a bar, with the threshold that it is measured against as a tick. Scores run from 0 to 1. */
export function ScoreBar({ code, score }: { readonly code: PolicyCode; readonly score: PolicyScore }) {
  const reached = score.score >= score.threshold;
  const state = !reached || score.mode === 'off' ? 'below' : score.mode === 'enforce' ? 'triggered' : 'noted';
  const word = { below: '', triggered: 'triggers', noted: 'noted only' }[state];
  return (
    <div class={`score ${state}`}>
      <span class="score-name">
        <b>{code}</b> {policyNames[code]}
      </span>
      <span class="score-track" aria-hidden="true">
        <span class="score-fill" style={{ width: percent(score.score, 1) }} />
        <span class="score-threshold" style={{ left: percent(score.threshold, 1) }} />
      </span>
      <span class="score-value">
        {score.score.toFixed(2)} <span class="quiet">of {score.threshold.toFixed(2)}</span>
        {word !== '' && <span class="score-word"> {word}</span>}
      </span>
    </div>
  );
}

/** A course over time without axes; the numbers stand beside it. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const top = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map((value, at) => `${(at * step).toFixed(1)},${(19 - (18 * value) / top).toFixed(1)}`);
  return (
    <svg class="sparkline" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

interface ShareRow {
  readonly key: string;
  readonly name: preact.ComponentChildren;
  readonly href?: string | undefined;
  readonly value: number;
  /** A part of the value, shown darker. */
  readonly part?: number;
}

/** Names with bars, largest first as given; the bar of the largest value is full. */
export function ShareList({ rows, partName }: { readonly rows: readonly ShareRow[]; readonly partName?: string }) {
  const top = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ul class="shares">
      {rows.map(({ key, name, href, value, part }) => (
        <li key={key}>
          <span class="share-name">{href === undefined ? name : <a href={href}>{name}</a>}</span>
          <span class="share-value">
            {part !== undefined && partName !== undefined && (
              <span class="share-part">
                {formatNumber(part)} {partName} <span class="quiet">of</span>{' '}
              </span>
            )}
            {formatNumber(value)}
          </span>
          <span class="share-track" aria-hidden="true">
            <span class="share-fill" style={{ width: percent(value, top) }}>
              {part !== undefined && <span class="share-inner" style={{ width: percent(part, value) }} />}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
