import { invalidInput } from '../domain/errors.js';
import type { Message } from '../domain/message.js';
import type { Span } from '../domain/span.js';
import { sensitiveSpans } from './sensitive-spans.js';

/** As `FoundMatches`; the types of the library must not ask for those of the engine. */
interface Found {
  readonly list: readonly (Span & { readonly rule: number })[];
  /** True where a limit cut matches off. */
  readonly truncated: boolean;
}

/** Sensitive values by what stands in their place, such as `[EMAIL_ADDRESS_1]`. */
export type Values = Readonly<Record<string, string>>;

export interface Redaction {
  /** The messages with a placeholder in the place of each value. */
  readonly messages: readonly Message[];
  /** Those that were handed in, and what was replaced now. */
  readonly values: Values;
}

const placeholderShape = /\[[A-Z0-9_]+_[0-9]+\]/g;
const wholePlaceholder = new RegExp(`^${placeholderShape.source}$`);

/**
 * Puts placeholders in the place of what `find` finds, the same for the same value. `known` are the values of earlier messages: a value
 * among them keeps its placeholder, and a placeholder among them is none. No new one is a text that stands in the messages already, so what somebody writes there is never
 * replaced by a value. Matches that overlap are one value; a text of which a limit cut matches off is one as a whole. `labelOf`
 * names the kind of a rule's matches. Throws `invalid_input` for values that are not strings, and for keys
 * that `restore` would never find in a text. Linear in the text, beside what `find` costs.
 */
export function putPlaceholders(
  messages: readonly Message[],
  known: Values,
  find: (text: string) => Found,
  labelOf: (rule: number) => string,
): Redaction {
  const values = new Map(Object.entries(known));
  const placeholders = new Map<string, string>();
  for (const [placeholder, value] of values) {
    if (typeof value !== 'string') throw invalidInput([{ pointer: '/values', message: 'must hold strings alone' }]);
    // Not repeated: whoever has turned keys and values round has put a secret there.
    if (!wholePlaceholder.test(placeholder)) {
      throw invalidInput([
        { pointer: '/values', message: 'must have placeholders such as [EMAIL_ADDRESS_1] for keys' },
      ]);
    }
    placeholders.set(value, placeholder);
  }
  const written = new Set(messages.flatMap(({ content }) => content.match(placeholderShape) ?? []));
  const lastNumbers = new Map<string, number>();
  const placeholderFor = (found: string, label: string): string => {
    // What was replaced before stands for what it was, also within more that is found now.
    if (Object.hasOwn(known, found)) return found;
    const value = restore(found, known);
    const before = placeholders.get(value);
    if (before !== undefined) return before;
    const kind = label.toUpperCase().replaceAll('-', '_');
    let number = lastNumbers.get(kind) ?? 0;
    let placeholder: string;
    do placeholder = `[${kind}_${++number}]`;
    while (values.has(placeholder) || written.has(placeholder));
    lastNumbers.set(kind, number);
    values.set(placeholder, value);
    placeholders.set(value, placeholder);
    return placeholder;
  };
  const replaced = messages.map((message): Message => {
    const { content } = message;
    let text = '';
    let at = 0;
    for (const { start, end, label } of labelledSpans(content, find(content), labelOf)) {
      text += content.slice(at, start) + placeholderFor(content.slice(start, end), label);
      at = end;
    }
    return { ...message, content: text + content.slice(at) };
  });
  return { messages: replaced, values: Object.fromEntries(values) };
}

/**
 * A text, such as what a model answered, with values in the place of their placeholders. What only looks like one stays. Linear in
 * the text.
 */
export function restore(text: string, values: Values): string {
  return text.replace(placeholderShape, (placeholder) =>
    Object.hasOwn(values, placeholder) ? values[placeholder] : placeholder,
  );
}

interface LabelledSpan extends Span {
  readonly label: string;
}

/** Ascending and disjoint; the label is that of the longest match. */
function labelledSpans(text: string, found: Found, labelOf: (rule: number) => string): readonly LabelledSpan[] {
  const matches = [...found.list].sort((a, b) => a.start - b.start);
  let at = 0;
  return sensitiveSpans(text, found, undefined).map((span) => {
    if (found.truncated) return { ...span, label: 'text' };
    let longest = matches[at++];
    for (; at < matches.length && matches[at].start < span.end; at++) {
      const match = matches[at];
      if (match.end - match.start > longest.end - longest.start) longest = match;
    }
    return { ...span, label: labelOf(longest.rule) };
  });
}
