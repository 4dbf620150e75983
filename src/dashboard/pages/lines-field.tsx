import { useState } from 'preact/hooks';
import { Field } from '../ui/field.js';

interface Props {
  readonly label: string;
  readonly lines: readonly string[];
  readonly error?: string | undefined;
  onChange(lines: readonly string[]): void;
}

/** A list of texts, one a line; empty lines are no texts, but may be typed. */
export function LinesField({ label, lines, error, onChange }: Props) {
  const [text, setText] = useState(lines.join('\n'));
  return (
    <Field label={label} error={error}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          dir="auto"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            onChange(event.currentTarget.value.split('\n').filter((line) => line !== ''));
          }}
        />
      )}
    </Field>
  );
}
