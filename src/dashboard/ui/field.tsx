import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly class?: string;
  /** Makes the control, with the attributes that tie it to its label, hint and error. */
  readonly children: (control: ControlAttributes) => ComponentChildren;
}

export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** A labelled control with its hint and what is wrong with it. */
export function Field({ label, hint, error, class: className = '', children }: Props) {
  const id = useId();
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  return (
    <div class={`field ${className}`}>
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
        ...(error === undefined ? {} : { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface PasswordProps extends Pick<Props, 'label' | 'hint' | 'error'> {
  /** Which one a password manager puts in. */
  readonly kind: 'current' | 'new';
  readonly optional?: boolean;
  readonly value: string;
  onInput(value: string): void;
}

/** A password, of which nothing is shown. */
export function PasswordField({ kind, optional = false, value, onInput, ...field }: PasswordProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="password"
          autoComplete={`${kind}-password`}
          required={!optional}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly disabled?: boolean;
  readonly hideLabel?: boolean;
  onChange(value: NoInfer<Value>): void;
}

/** A few choices side by side of which one holds: radio buttons that look like one control. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, name, value, choices, disabled = false, hideLabel = false, onChange } = props;
  return (
    <fieldset class="choice" disabled={disabled}>
      <legend class={hideLabel ? 'visually-hidden' : ''}>{label}</legend>
      <div class="choice-row">
        {choices.map(([choice, text]) => (
          <label key={choice} class={choice === value ? 'chosen' : ''}>
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === value}
              onChange={() => onChange(choice)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
