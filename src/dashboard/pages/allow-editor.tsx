import { useState } from 'preact/hooks';
import { policyCodes } from '../policies.js';
import { Foreign } from '../text/foreign-text.js';
import { Field } from '../ui/field.js';
import type { AllowedPhrase, PolicyCode } from '../wire.js';
import { useDiagnostic, useDiagnosticsWithin } from './diagnostics.js';
import { phraseInOneLine } from './one-line.js';

interface Props {
  readonly entry: AllowedPhrase;
  readonly pointer: string;
  onChange(entry: AllowedPhrase): void;
  onRemove(): void;
}

/** One allowed phrase: for what, why, who answers for it, and until when. */
export function AllowEditor({ entry, pointer, onChange, onRemove }: Props) {
  const name = entry.phrase === '' ? 'new phrase' : entry.phrase;
  const expired = entry.expires_at !== undefined && Date.parse(entry.expires_at) <= Date.now();
  const toggle = (code: PolicyCode, on: boolean) => {
    const policies = policyCodes.filter((one) => (one === code ? on : entry.policies?.includes(one)));
    onChange({ ...entry, policies: policies.length === 0 ? undefined : policies });
  };
  const [rules, setRules] = useState(entry.rules?.join(', ') ?? '');
  const changeRules = (text: string) => {
    setRules(text);
    const ids = text.split(/[\s,]+/).filter((id) => id !== '');
    onChange({ ...entry, rules: ids.length === 0 ? undefined : ids });
  };
  return (
    <fieldset class="card rule-editor">
      <legend>
        <Foreign text={name} max={80} /> {expired && <span class="tag severity-medium">expired</span>}
      </legend>
      <Field
        label="Phrase"
        error={useDiagnostic(`${pointer}/phrase`) ?? useDiagnostic(pointer)}
        hint="Every word of it, in this order."
      >
        {(control) => (
          <input
            {...control}
            class="code"
            dir="auto"
            spellcheck={false}
            value={phraseInOneLine(entry.phrase)}
            onInput={(event) => onChange({ ...entry, phrase: event.currentTarget.value })}
          />
        )}
      </Field>
      <fieldset class="checks inline">
        <legend>For matches of these policies</legend>
        {policyCodes.map((code) => (
          <label key={code}>
            <input
              type="checkbox"
              checked={entry.policies?.includes(code) ?? false}
              onChange={(event) => toggle(code, event.currentTarget.checked)}
            />
            <span>{code}</span>
          </label>
        ))}
      </fieldset>
      <div class="form-row">
        <Field label="Or of these rules" error={useDiagnosticsWithin(`${pointer}/rules`)}>
          {(control) => (
            <input
              {...control}
              placeholder="LLM01-0001, ORG-0001"
              spellcheck={false}
              value={rules}
              onInput={(event) => changeRules(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Owner" error={useDiagnostic(`${pointer}/owner`)}>
          {(control) => (
            <input
              {...control}
              value={entry.owner ?? ''}
              onInput={(event) => onChange(withOptional(entry, 'owner', event.currentTarget.value))}
            />
          )}
        </Field>
        <Field label="Ends on" hint="Never when empty." error={useDiagnostic(`${pointer}/expires_at`)}>
          {(control) => (
            <input
              {...control}
              type="date"
              value={dayOf(entry.expires_at ?? '')}
              onInput={(event) => onChange(withOptional(entry, 'expires_at', endOfDay(event.currentTarget.value)))}
            />
          )}
        </Field>
      </div>
      <Field label="Why" error={useDiagnostic(`${pointer}/why`)}>
        {(control) => (
          <input
            {...control}
            value={entry.why ?? ''}
            onInput={(event) => onChange(withOptional(entry, 'why', event.currentTarget.value))}
          />
        )}
      </Field>
      <div class="actions">
        <button type="button" class="small danger" aria-label={`Remove phrase ${name}`} onClick={onRemove}>
          Remove phrase
        </button>
      </div>
    </fieldset>
  );
}

function withOptional(entry: AllowedPhrase, key: 'owner' | 'expires_at' | 'why', text: string): AllowedPhrase {
  return { ...entry, [key]: text === '' ? undefined : text };
}

/** The day in UTC, whichever offset a time is told with. */
function dayOf(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time.replace(/T.*/, '') : new Date(at).toISOString().slice(0, 10);
}

/** The last second of a day in UTC; nothing for no day. */
function endOfDay(day: string): string {
  return day === '' ? '' : `${day}T23:59:59Z`;
}
