import { type Model, twiceValueOf, weightOf } from './model.js';
import { type Reading, readText, rootOf } from './plain-scorer.js';

/** A part of a text that speaks for an attack, or against one, and how much of the head's sum it makes up. */
export interface DecidingPart {
  readonly text: string;
  readonly weight: number;
}

/** Share of a window's mean weight that a token must carry so that a span goes on over it. */
const carryingShare = 0.5;

/**
 * The tokens of a window that carry its sum: the stretch in which the weights, each spread over the tokens of its
 * feature and reckoned against half of their mean, sum up highest. UTF-16 units of `text`, which is the window.
 */
export function tightSpan(model: Model, head: number, text: string): { readonly start: number; readonly end: number } {
  const reading = readText(model, text);
  const { starts, ends } = reading;
  const carried = new Float64Array(starts.length);
  let total = 0;
  for (const { slot, token, first } of lastOccurrences(reading)) {
    const weight = weightOf(model, slot, head);
    if (weight > 0) total += weight;
    const share = weight / (token - first + 1);
    for (let at = first; at <= token; at++) carried[at] += share;
  }
  const least = (carryingShare * total) / Math.max(1, starts.length);
  let best = { from: 0, to: starts.length, sum: 0 };
  let from = 0;
  let sum = 0;
  for (let at = 0; at < carried.length; at++) {
    if (sum <= 0) {
      from = at;
      sum = 0;
    }
    sum += carried[at] - least;
    if (sum > best.sum) best = { from, to: at + 1, sum };
  }
  return starts.length === 0 ? { start: 0, end: text.length } : { start: starts[best.from], end: ends[best.to - 1] };
}

/** What decided in a window, `text` being the window: the parts of the largest weights, for and against. */
export function decidingParts(model: Model, head: number, text: string, most: number): readonly DecidingPart[] {
  const reading = readText(model, text);
  const occurrences = [...lastOccurrences(reading)];
  const squares = occurrences.reduce((sum, { slot }) => sum + twiceValueOf(model, slot) ** 2, 0);
  const unit = (2 * model.heads[head].scale) / (rootOf(model.heads[head], squares) || 1);
  const byText = new Map<string, number>();
  for (const { slot, token, first } of occurrences) {
    const part = text.slice(reading.starts[first], reading.ends[token]);
    byText.set(part, (byText.get(part) ?? 0) + weightOf(model, slot, head) * unit);
  }
  return [...byText]
    .map(([part, weight]) => ({ text: part, weight: Math.round(weight * 1_000) / 1_000 }))
    .filter(({ weight }) => weight !== 0)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, most);
}

/** The features of a reading, each where it occurs last. */
function lastOccurrences({ occurrences }: Reading): Iterable<Reading['occurrences'][number]> {
  const last = new Map<number, Reading['occurrences'][number]>();
  for (const occurrence of occurrences) last.set(occurrence.slot, occurrence);
  return last.values();
}
