import { useState } from 'preact/hooks';
import { Field } from '../ui/field.js';

interface Props {
  readonly label: string;
  readonly lines: readonly string[];
  readonly error?: string | undefined;
  onChange(lines: readonly string[]): void;
}

/**
 * A list of texts, one a line; empty lines are no texts, but may be typed. Where a text has lines of its own, as the API
 * takes them, the list is only shown: which line belongs to which could not be told.
 */
export function LinesField({ label, lines, error, onChange }: Props) {
  const [text, setText] = useState(lines.join('\n'));
  const [readOnly] = useState(lines.some((line) => /[\r\n]/.test(line)));
  return (
    <Field
      label={label}
      error={error}
      hint={readOnly ? 'Some have several lines: change them over the API.' : undefined}
    >
      {(control) => (
        <textarea
          {...control}
          rows={3}
          readOnly={readOnly}
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
