import { formatNumber } from '../format.js';
import { percent } from '../ui/bars.js';
import type { MarkedSpan } from './marked-text.js';
import { spansMarkedMax } from './segments.js';

interface Props {
  /** Of the message, in UTF-16 units. */
  readonly length: number;
  readonly spans: readonly MarkedSpan[];
  readonly active?: number | undefined;
}

/** Where a message matched, when its text is not known: a bar as long as the message. */
export function SpanStrip({ length, spans, active }: Props) {
  const places = spans
    .slice(0, 20)
    .map(({ start, end, label }) => `${label} at ${formatNumber(start)} to ${formatNumber(end)}`);
  return (
    <div
      class="strip"
      role="img"
      aria-label={places.length === 0 ? 'No match in this message' : `Matches: ${places.join('; ')}`}
    >
      {spans.slice(0, spansMarkedMax).map((span, at) => (
        <span
          key={at}
          class={`strip-span ${span.policy}${at === active ? ' active' : ''}`}
          title={span.label}
          style={{ left: percent(span.start, length), width: percent(span.end - span.start, length) }}
        />
      ))}
    </div>
  );
}
