import { policyCodes, policyNames } from '../policies.js';
import { Foreign } from '../text/foreign-text.js';
import { Field } from '../ui/field.js';
import type { CustomPattern, CustomRule, Severity } from '../wire.js';
import { useDiagnostic, useDiagnosticsWithin } from './diagnostics.js';
import { LinesField } from './lines-field.js';
import { phraseInOneLine, regexInOneLine } from './one-line.js';

const severities: readonly Severity[] = ['low', 'medium', 'high', 'critical'];
const labelShape = '[a-z0-9]+(-[a-z0-9]+)*';

interface Props {
  readonly rule: CustomRule;
  /** Where it stands in the body, as diagnostics name it. */
  readonly pointer: string;
  onChange(rule: CustomRule): void;
  onRemove(): void;
}

/** One own rule. Keys that this form does not know are kept as they came. */
export function CustomRuleEditor({ rule, pointer, onChange, onRemove }: Props) {
  const name = rule.title ?? rule.label ?? rule.id ?? 'new rule';
  const set = (part: Partial<CustomRule>) => onChange({ ...rule, ...part });
  const problem = useDiagnostic(pointer);
  return (
    <fieldset class="card rule-editor">
      <legend>
        {rule.id !== undefined && <code>{rule.id}</code>} <Foreign text={name} max={80} />
      </legend>
      {problem !== undefined && <p class="field-error">{problem}</p>}
      <div class="form-row">
        <Field label="Policy" error={useDiagnostic(`${pointer}/policy`)}>
          {(control) => (
            <select
              {...control}
              value={rule.policy}
              onChange={(event) =>
                set({ policy: policyCodes.find((one) => one === event.currentTarget.value) ?? rule.policy })
              }
            >
              {policyCodes.map((code) => (
                <option key={code} value={code}>
                  {code} {policyNames[code]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Label" error={useDiagnostic(`${pointer}/label`)}>
          {(control) => (
            <input
              {...control}
              placeholder="custom"
              pattern={labelShape}
              spellcheck={false}
              value={rule.label ?? ''}
              onInput={(event) => onChange(withText(rule, 'label', event.currentTarget.value))}
            />
          )}
        </Field>
        <Field label="Title" error={useDiagnostic(`${pointer}/title`)}>
          {(control) => (
            <input
              {...control}
              value={rule.title ?? ''}
              onInput={(event) => onChange(withText(rule, 'title', event.currentTarget.value))}
            />
          )}
        </Field>
        <Field label="Severity" error={useDiagnostic(`${pointer}/severity`)}>
          {(control) => (
            <select
              {...control}
              value={rule.severity ?? 'high'}
              onChange={(event) =>
                set({ severity: severities.find((one) => one === event.currentTarget.value) ?? 'high' })
              }
            >
              {severities.map((severity) => (
                <option key={severity}>{severity}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Score" error={useDiagnostic(`${pointer}/score`)}>
          {(control) => (
            <input
              {...control}
              type="number"
              min={0.05}
              max={1}
              step={0.05}
              placeholder="by severity"
              value={rule.score ?? ''}
              onInput={(event) => onChange(withScore(rule, event.currentTarget.valueAsNumber))}
            />
          )}
        </Field>
      </div>
      <Patterns rule={rule} pointer={pointer} onChange={(patterns) => set({ patterns })} />
      {rule.patterns.some(({ phrase }) => phrase !== undefined) && <PhraseHint />}
      <details>
        <summary>Reason and examples</summary>
        <Field label="Why" error={useDiagnostic(`${pointer}/why`)}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={rule.why ?? ''}
              onInput={(event) => onChange(withText(rule, 'why', event.currentTarget.value))}
            />
          )}
        </Field>
        <div class="form-row">
          {(['match', 'clean'] as const).map((kind) => (
            <LinesField
              key={kind}
              label={kind === 'match' ? 'Must match, one a line' : 'Must not match, one a line'}
              lines={rule.examples?.[kind] ?? []}
              error={useDiagnosticsWithin(`${pointer}/examples/${kind}`)}
              onChange={(lines) => set({ examples: { ...rule.examples, [kind]: lines } })}
            />
          ))}
        </div>
      </details>
      <div class="actions">
        <button type="button" class="small" onClick={() => set({ patterns: [...rule.patterns, { phrase: '' }] })}>
          Add a pattern
        </button>
        <button type="button" class="small danger" aria-label={`Remove rule ${name}`} onClick={onRemove}>
          Remove rule
        </button>
      </div>
    </fieldset>
  );
}

/** The notation of phrases, as `rules/README.md` has it, but for word classes, which own rules do not have. */
function PhraseHint() {
  return (
    <p class="hint">
      Phrases are words in any case: <code>(a|b)</code> one of these, <code>[x]</code> this or nothing,{' '}
      <code>&lt;3&gt;</code> up to three words between, <code>word*</code> any ending, <code>\(</code> the character
      itself.
    </p>
  );
}

interface PatternsProps {
  readonly rule: CustomRule;
  readonly pointer: string;
  onChange(patterns: readonly CustomPattern[]): void;
}

function Patterns({ rule, pointer, onChange }: PatternsProps) {
  const { patterns } = rule;
  return (
    <ul class="patterns">
      {patterns.map((pattern, at) => (
        <PatternEditor
          key={at}
          number={at + 1}
          pattern={pattern}
          pointer={`${pointer}/patterns/${at}`}
          onChange={(next) => onChange(patterns.map((one, index) => (index === at ? next : one)))}
          {...(patterns.length > 1 ? { onRemove: () => onChange(patterns.filter((_one, index) => index !== at)) } : {})}
        />
      ))}
    </ul>
  );
}

interface PatternProps {
  readonly number: number;
  readonly pattern: CustomPattern;
  readonly pointer: string;
  onChange(pattern: CustomPattern): void;
  onRemove?(): void;
}

function PatternEditor({ number, pattern, pointer, onChange, onRemove }: PatternProps) {
  const isRegex = pattern.regex !== undefined;
  const source = pattern.regex ?? pattern.phrase ?? '';
  const setKind = (kind: string) => onChange(kind === 'regex' ? { regex: source } : { phrase: source });
  return (
    <li>
      <label>
        <span class="visually-hidden">Kind of pattern {number}</span>
        <select value={isRegex ? 'regex' : 'phrase'} onChange={(event) => setKind(event.currentTarget.value)}>
          <option value="phrase">phrase</option>
          <option value="regex">regex</option>
        </select>
      </label>
      <Field label={`Pattern ${number}`} class="label-hidden grow" error={useDiagnosticsWithin(pointer)}>
        {(control) => (
          <input
            {...control}
            class="code"
            dir="auto"
            spellcheck={false}
            autoComplete="off"
            placeholder={isRegex ? '\\bFALCON-[0-9]{4}\\b' : 'project falcon'}
            value={isRegex ? regexInOneLine(source) : phraseInOneLine(source)}
            onInput={(event) =>
              onChange(
                isRegex ? { ...pattern, regex: event.currentTarget.value } : { phrase: event.currentTarget.value },
              )
            }
          />
        )}
      </Field>
      {isRegex && (
        <label class="check">
          <input
            type="checkbox"
            checked={pattern.ignore_case ?? false}
            onChange={(event) => onChange({ ...pattern, ignore_case: event.currentTarget.checked })}
          />
          <span>any case</span>
        </label>
      )}
      {onRemove !== undefined && (
        <button type="button" class="small plain" aria-label={`Remove pattern ${number}`} onClick={onRemove}>
          ✕
        </button>
      )}
    </li>
  );
}

/** A text that is left out where it is empty: the service then has a word of its own for it. */
function withText(rule: CustomRule, key: 'label' | 'title' | 'why', text: string): CustomRule {
  return { ...rule, [key]: text === '' ? undefined : text };
}

function withScore(rule: CustomRule, score: number): CustomRule {
  return { ...rule, score: Number.isNaN(score) ? undefined : score };
}
