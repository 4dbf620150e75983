import { useMemo } from 'preact/hooks';
import type { ControlAttributes } from '../ui/field.js';
import { type MarkedSpan, markClass } from './marked-text.js';
import { segmentText } from './segments.js';

/** Longest text that is edited; a field with a line of a megabyte would stop the browser for seconds. */
export const editorUnitsMax = 20_000;

interface Props {
  readonly control: ControlAttributes;
  readonly text: string;
  readonly spans: readonly MarkedSpan[];
  readonly active?: number | undefined;
  onInput(text: string): void;
}

/**
 * A text field with marks behind its text: a copy of the text lies under it with the same letters at the same places,
 * so it is shown as it is and not escaped. The copy also makes the field as high as its text.
 */
export function MarkedEditor({ control, text, spans, active, onInput }: Props) {
  // A long text is taken before the field has to lay it out; whoever shows this field then shows something else.
  const onPaste = (event: ClipboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length + pasted.length <= editorUnitsMax) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    onInput(text.slice(0, selectionStart) + pasted + text.slice(selectionEnd));
  };
  return (
    <div class="editor">
      <Backdrop text={text} spans={spans} active={active} />
      <textarea
        {...control}
        dir="auto"
        rows={3}
        spellcheck={false}
        autoComplete="off"
        value={text}
        onPaste={onPaste}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

function Backdrop({ text, spans, active }: Pick<Props, 'text' | 'spans' | 'active'>) {
  const segments = useMemo(() => segmentText({ start: 0, end: text.length }, spans), [text, spans]);
  return (
    <div class="backdrop" aria-hidden="true" dir="auto">
      {segments.map((segment) => {
        const part = text.slice(segment.start, segment.end);
        const first = segment.spans[0];
        const span = first === undefined ? undefined : spans[first];
        return span === undefined ? (
          part
        ) : (
          <mark key={segment.start} class={markClass(span, segment.spans, active)}>
            {part}
          </mark>
        );
      })}
      {/* A last line that is empty has no height without something in it. */}
      {'\u200b'}
    </div>
  );
}
