import { policyCodes, policyNames } from '../policies.js';
import { Choice } from '../ui/field.js';
import { ModeTag, PolicyTag } from '../ui/tags.js';
import type { PolicyCode, PolicyMode, PolicySetting, PolicySettings } from '../wire.js';

const modes: readonly (readonly [PolicyMode, string])[] = [
  ['enforce', 'Enforce'],
  ['monitor', 'Monitor'],
  ['off', 'Off'],
];
const unset: PolicySetting = { mode: 'off', threshold: 0.5 };

interface Props {
  readonly policies: PolicySettings;
  readonly editable: boolean;
  onChange(policies: PolicySettings): void;
}

/** Mode and threshold of every policy. */
export function PolicyTable({ policies, editable, onChange }: Props) {
  const change = (code: PolicyCode, part: Partial<PolicySetting>) =>
    onChange({ ...policies, [code]: { ...(policies[code] ?? unset), ...part } });
  return (
    <ul class="policy-table">
      {policyCodes.map((code) => {
        const setting = policies[code] ?? unset;
        return (
          <li key={code} class={setting.mode}>
            <PolicyTag code={code} full />
            {editable ? (
              <Choice
                label={`Mode of ${code} ${policyNames[code]}`}
                hideLabel
                name={`mode-${code}`}
                value={setting.mode}
                choices={modes}
                onChange={(mode) => change(code, { mode })}
              />
            ) : (
              <ModeTag mode={setting.mode} />
            )}
            <Threshold code={code} setting={setting} editable={editable} onChange={(next) => change(code, next)} />
          </li>
        );
      })}
    </ul>
  );
}

interface ThresholdProps {
  readonly code: PolicyCode;
  readonly setting: PolicySetting;
  readonly editable: boolean;
  onChange(part: Partial<PolicySetting>): void;
}

/** A lower threshold is a more sensitive policy; the slider runs that way, so that right means stricter. */
function Threshold({ code, setting, editable, onChange }: ThresholdProps) {
  const { threshold, mode } = setting;
  if (!editable) return <span class="quiet number">threshold {threshold.toFixed(2)}</span>;
  return (
    <label class="threshold">
      <span class="visually-hidden">
        Sensitivity of {code} {policyNames[code]}
      </span>
      <input
        type="range"
        min={0}
        max={0.95}
        step={0.01}
        value={Number((1 - threshold).toFixed(2))}
        disabled={mode === 'off'}
        aria-valuetext={`threshold ${threshold.toFixed(2)}`}
        onInput={(event) => onChange({ threshold: Number((1 - event.currentTarget.valueAsNumber).toFixed(2)) })}
      />
      <span class="hint" aria-hidden="true">
        stricter →
      </span>
      <span class="number">threshold {threshold.toFixed(2)}</span>
    </label>
  );
}
