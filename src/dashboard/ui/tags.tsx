import { formatAgo, formatTime } from '../format.js';
import { policyNames } from '../policies.js';
import type { PolicyCode, PolicyMode, Severity } from '../wire.js';

/** Whether a scan was flagged; never by colour alone. */
export function Verdict({ flagged }: { readonly flagged: boolean }) {
  return <span class={flagged ? 'tag flagged' : 'tag clean'}>{flagged ? 'Flagged' : 'Clean'}</span>;
}

/** A policy's code with its colour; the name is at hand in full where asked for. */
export function PolicyTag({ code, full = false }: { readonly code: PolicyCode; readonly full?: boolean }) {
  return (
    <span class={`policy-tag ${code}`} title={policyNames[code]}>
      <span class="swatch" aria-hidden="true" />
      {code}
      {full && <span class="policy-name"> {policyNames[code]}</span>}
    </span>
  );
}

export function SeverityTag({ severity }: { readonly severity: Severity }) {
  return <span class={`tag severity-${severity}`}>{severity}</span>;
}

export function ModeTag({ mode }: { readonly mode: PolicyMode }) {
  return <span class={`tag mode-${mode}`}>{mode}</span>;
}

/** A time as people read it, exact in `title`; `ago` says how long it is past or to come. */
export function Time({ iso, ago = false }: { readonly iso: string; readonly ago?: boolean }) {
  return (
    <time dateTime={iso} title={ago ? `${formatTime(iso)} (${iso})` : iso}>
      {ago ? formatAgo(iso) : formatTime(iso)}
    </time>
  );
}
