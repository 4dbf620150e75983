import type { Span } from '../../domain/span.js';
import { astralClass, characterClass, unitClasses } from './characters.js';

/** A unit that a run of unseen characters encodes, and the part of the text that encodes it. */
interface HiddenUnit {
  readonly unit: number;
  readonly start: number;
  readonly end: number;
}

interface HiddenRun {
  readonly end: number;
  /** What the run encodes, if it does. */
  readonly text?: readonly HiddenUnit[];
}

/** Unseen characters in a row that are more than any script or emoji needs. */
const hiddenRunMin = 8;
/** Tag characters in a row that are no name of a flag; variation selectors in a row that select nothing. */
const encodedRunMin = 4;
const blackFlag = 0x1f3f4;
/** Letters in the name of a subdivision's flag, by the CLDR: `gbeng`, `usca`. */
const flagNameMax = 6;
const cancelTag = 0xe007f;

/** The run of unseen characters that begins at `at`. */
export function hiddenRunAt(text: string, at: number): HiddenRun {
  const points: HiddenUnit[] = [];
  let end = at;
  while (end < text.length) {
    const point = ignorableAt(text, end);
    if (point === undefined) break;
    const stop = end + (point > 0xffff ? 2 : 1);
    points.push({ unit: point, start: end, end: stop });
    end = stop;
  }
  const decoded = readTags(text, at, points) ?? readSelectors(points) ?? readBits(points);
  return decoded === undefined ? { end } : { end, text: decoded };
}

/**
 * Where unseen characters hide something: tag characters that spell text, variation selectors that select nothing,
 * and long runs of any. Spans of UTF-16 units, in order. `parts` (start and end, flat) are those with units beyond
 * ASCII. Linear.
 */
export function findHidden(text: string, parts: readonly number[] = [0, text.length]): readonly Span[] {
  const found: Span[] = [];
  let i = 0;
  for (let part = 0; part < parts.length; part += 2) {
    for (i = Math.max(i, parts[part]); i < parts[part + 1]; ) {
      if (unitClasses[text.charCodeAt(i)] === characterClass.plain || ignorableAt(text, i) === undefined) {
        i++;
        continue;
      }
      const run = hiddenRunAt(text, i);
      const start = isFlagBefore(text, i) ? afterFlagName(text, i) : i;
      if (run.text !== undefined || lengthInPoints(text, start, run.end) >= hiddenRunMin)
        found.push({ start, end: run.end });
      i = run.end;
    }
  }
  return found;
}

function ignorableAt(text: string, at: number): number | undefined {
  const unit = text.charCodeAt(at);
  const unitClass = unitClasses[unit];
  if (unitClass === characterClass.ignorable) return unit;
  if (unitClass !== characterClass.surrogate) return undefined;
  const point = text.codePointAt(at) as number;
  return point > 0xffff && astralClass(point) === characterClass.ignorable ? point : undefined;
}

/** Tag characters are ASCII, moved by E0000. */
function readTags(text: string, at: number, points: readonly HiddenUnit[]): readonly HiddenUnit[] | undefined {
  const tags = points.filter(({ unit }) => unit >= 0xe0020 && unit <= 0xe007e);
  if (tags.length < encodedRunMin) return undefined;
  const named = tags.length <= flagNameMax && points[points.length - 1].unit === cancelTag && isFlagBefore(text, at);
  return named ? undefined : tags.map(({ unit, start, end }) => ({ unit: unit - 0xe0000, start, end }));
}

/** Variation selectors 1 to 256 are bytes of UTF-8. */
function readSelectors(points: readonly HiddenUnit[]): readonly HiddenUnit[] | undefined {
  const bytes: HiddenUnit[] = [];
  for (const { unit, start, end } of points) {
    if (unit >= 0xfe00 && unit <= 0xfe0f) bytes.push({ unit: unit - 0xfe00, start, end });
    else if (unit >= 0xe0100 && unit <= 0xe01ef) bytes.push({ unit: unit - 0xe0100 + 16, start, end });
  }
  // Only ASCII is worth decoding here: the run is reported whatever it says.
  return bytes.length >= encodedRunMin ? bytes.filter(({ unit }) => unit >= 0x20 && unit < 0x7f) : undefined;
}

/** Two unseen characters for 0 and 1, eight to a letter: the more frequent reading that gives ASCII. */
function readBits(points: readonly HiddenUnit[]): readonly HiddenUnit[] | undefined {
  if (points.length < hiddenRunMin * encodedRunMin) return undefined;
  const symbols = [...new Set(points.map(({ unit }) => unit))].slice(0, 3);
  if (symbols.length !== 2) return undefined;
  for (const [zero] of [symbols, symbols.toReversed()]) {
    const units: HiddenUnit[] = [];
    for (let i = 0; i + 8 <= points.length; i += 8) {
      let unit = 0;
      for (let bit = 0; bit < 8; bit++) unit = (unit << 1) | (points[i + bit].unit === zero ? 0 : 1);
      units.push({ unit, start: points[i].start, end: points[i + 7].end });
    }
    if (units.every(({ unit }) => unit >= 0x09 && unit < 0x7f)) return units;
  }
  return undefined;
}

function isFlagBefore(text: string, at: number): boolean {
  return at >= 2 && text.codePointAt(at - 2) === blackFlag;
}

/** Where the name of a flag ends; the start where there is none. */
function afterFlagName(text: string, at: number): number {
  let end = at;
  for (let i = 0; i <= flagNameMax && end < text.length; i++) {
    const point = text.codePointAt(end) as number;
    if (point < 0xe0020 || point > cancelTag) break;
    end += 2;
    if (point === cancelTag) return end;
  }
  return at;
}

function lengthInPoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; count++) i += (text.codePointAt(i) as number) > 0xffff ? 2 : 1;
  return count;
}
