import { useMemo } from 'preact/hooks';
import type { PolicyCode } from '../wire.js';
import { Pieces } from './foreign-text.js';
import { type Range, segmentText, shownRanges } from './segments.js';

export interface MarkedSpan extends Range {
  readonly policy: PolicyCode;
  /** What it is, for whoever points at it. */
  readonly label: string;
  /** Found, but not reported. */
  readonly faint?: boolean;
}

interface Props {
  readonly text: string;
  readonly spans: readonly MarkedSpan[];
  /** Position of the span that is shown stronger. */
  readonly active?: number | undefined;
}

/** A message with its matches marked in place; of a long one the parts that matter, with a note of what is left out. */
export function MarkedText({ text, spans, active }: Props) {
  const ranges = useMemo(() => shownRanges(text, spans), [text, spans]);
  const shown = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  return (
    <div class="marked">
      {shown < text.length && (
        <p class="note">
          A long text of {text.length.toLocaleString()} characters: {shown.toLocaleString()} are shown, its beginning
          and what stands around the matches.
        </p>
      )}
      <pre class="marked-text" dir="auto">
        {text === '' && <span class="quiet">(empty)</span>}
        {ranges.map((range, at) => (
          <span key={range.start}>
            <Gap units={range.start - (ranges[at - 1]?.end ?? 0)} />
            <Marks text={text} range={range} spans={spans} active={active} />
          </span>
        ))}
        <Gap units={text.length - (ranges.at(-1)?.end ?? 0)} />
      </pre>
    </div>
  );
}

/** One part of a text, its spans marked. */
function Marks({ text, range, spans, active }: Props & { readonly range: Range }) {
  const segments = useMemo(() => segmentText(range, spans), [range, spans]);
  return (
    <>
      {segments.map((segment) => {
        const part = text.slice(segment.start, segment.end);
        const first = segment.spans[0];
        const span = first === undefined ? undefined : spans[first];
        if (span === undefined) return <Pieces key={segment.start} text={part} />;
        return (
          <mark
            key={segment.start}
            class={markClass(span, segment.spans, active)}
            title={segment.spans.map((index) => spans[index]?.label).join('\n')}
          >
            <Pieces text={part} />
          </mark>
        );
      })}
    </>
  );
}

/** Class names of a marked part: its first span's policy, how many spans lie over one another, and whether one is active. */
export function markClass(first: MarkedSpan, spans: readonly number[], active: number | undefined): string {
  const overlap = spans.length > 1 ? ' overlap' : '';
  const faint = first.faint ? ' faint' : '';
  return `hit ${first.policy}${overlap}${faint}${active !== undefined && spans.includes(active) ? ' active' : ''}`;
}

function Gap({ units }: { readonly units: number }) {
  if (units <= 0) return null;
  return <span class="gap">… {units.toLocaleString()} characters not shown …</span>;
}
