import type { InputHTMLAttributes } from 'preact';
import { useEffect, useState } from 'preact/hooks';

type Props = InputHTMLAttributes<HTMLInputElement> & {
  /** In the form and in the query. */
  readonly name: string;
  readonly query: URLSearchParams;
  /** How the value of the query is shown, where not as it is. */
  readonly show?: (value: string) => string;
};

const asItIs = (value: string) => value;

/** A field of a filter. It holds what is typed until there is another query, and stays the same element, with the focus, then. */
export function FilterInput({ name, query, show = asItIs, ...attributes }: Props) {
  const applied = show(query.get(name) ?? '');
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [query]);
  return <input {...attributes} name={name} value={text} onInput={(event) => setText(event.currentTarget.value)} />;
}
