/** A stretch of a text, half-open, in UTF-16 units where nothing else is said. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Place of the first of ascending, disjoint spans that ends behind an offset; their number where none does. */
export function placeBehind(spans: readonly Span[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True if one of ascending, disjoint spans holds this one, which is not empty. */
export function isWithin({ start, end }: Span, spans: readonly Span[]): boolean {
  const place = placeBehind(spans, start);
  return place < spans.length && spans[place].start <= start && end <= spans[place].end;
}

/** Units of a span on the wire, by the names that the Language Server Protocol 3.17 uses. */
export const positionEncodings = ['utf-16', 'utf-32', 'utf-8'] as const;
export type PositionEncoding = (typeof positionEncodings)[number];

/**
 * Maps UTF-16 offsets of `text` to the chosen unit. Offsets must be asked for in ascending order to stay
 * linear; an earlier offset restarts at the beginning. An offset inside a surrogate pair counts the pair as
 * begun. A lone surrogate is one code point and three UTF-8 bytes, as a decoder's U+FFFD would be.
 * Cost: one pass over the text for ascending offsets, nothing for `utf-16`.
 */
export function offsetMapper(text: string, encoding: PositionEncoding): (offset: number) => number {
  if (encoding === 'utf-16') return (offset) => offset;
  const width = encoding === 'utf-32' ? () => 1 : utf8Width;
  let unit = 0;
  let mapped = 0;
  return (offset) => {
    if (offset < unit) {
      unit = 0;
      mapped = 0;
    }
    while (unit < offset) {
      const point = text.codePointAt(unit) as number;
      mapped += width(point);
      unit += point > 0xffff ? 2 : 1;
    }
    return mapped;
  };
}

function utf8Width(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
