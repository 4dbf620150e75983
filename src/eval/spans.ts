import type { Finding } from '../domain/finding.js';
import { limits } from '../domain/limits.js';
import { restKey } from './groups.js';
import type { Judged } from './judged.js';
import type { LabelledSpan } from './sample.js';

/** Precision, recall and their harmonic mean; of 0 to 1. */
interface Agreement {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** How well the spans of LLM02 agree with the labelled ones of a source. */
export interface SpanGroup {
  readonly key: string;
  /** Labelled spans of the types that count. */
  readonly labelled: number;
  /** Findings that count: those that hit nothing but a span of another type do not. */
  readonly found: number;
  /** Same start and end. */
  readonly exact: Agreement;
  /** One unit in common is enough; each labelled span is taken once. */
  readonly overlapping: Agreement;
}

/** How many spans of one type were found. */
export interface SpanType {
  readonly type: string;
  readonly labelled: number;
  readonly exact: number;
  readonly overlapping: number;
}

/**
 * Types of values that have a shape. Names, places and dates are labelled in some data, too, but no rule about shapes
 * can find them; unless asked for, findings upon them count neither for nor against.
 */
export const shapedTypes: readonly string[] = [
  'secret',
  'EMAIL',
  'PHONE',
  'CREDIT_CARD',
  'IBAN',
  'US_SSN',
  'IP',
  'MAC',
  'CRYPTO',
  'PASSPORT',
  'BANK_ACCOUNT',
  'DRIVER_LICENSE',
];

interface Counts {
  labelled: number;
  found: number;
  exact: number;
  overlapping: number;
}

/** Compares the findings of LLM02, the policy whose findings are values with exact borders, with labelled spans. */
export class SpanTally {
  private readonly types: ReadonlySet<string>;
  private readonly bySource = new Map<string, Counts>();
  private readonly byType = new Map<string, Counts>();
  private readonly otherTypes = new Set<string>();

  constructor(types: readonly string[]) {
    this.types = new Set(types);
  }

  /** Does nothing for samples without spans. */
  add({ sample, findings }: Judged): void {
    if (!sample.spans) return;
    const wanted = sample.spans.filter(({ type }) => this.types.has(type));
    const counts = countsIn(this.bySource, sample.source);
    counts.labelled += wanted.length;
    for (const { type } of wanted) countsIn(this.byType, type).labelled++;
    for (const { type } of sample.spans) {
      if (!this.types.has(type) && this.otherTypes.size < limits.evalGroupsMax) this.otherTypes.add(type);
    }
    const exactly = new Set<number>();
    const roughly = new Set<number>();
    for (const finding of findings.filter(({ policy }) => policy === 'LLM02')) {
      const same = wanted.findIndex(
        (span, i) => !exactly.has(i) && span.start === finding.start && span.end === finding.end,
      );
      if (same >= 0) {
        exactly.add(same);
        counts.exact++;
        countsIn(this.byType, wanted[same].type).exact++;
      }
      const closest = closestOf(wanted, finding, roughly);
      if (closest >= 0) {
        roughly.add(closest);
        counts.overlapping++;
        counts.found++;
        countsIn(this.byType, wanted[closest].type).overlapping++;
      } else if (!sample.spans.some((span) => overlap(span, finding) > 0)) counts.found++;
    }
  }

  /** Sources with labelled spans, ordered by name. */
  sources(): readonly SpanGroup[] {
    return sorted(this.bySource).flatMap(([key, counts]) => {
      const { labelled, found } = counts;
      if (labelled === 0) return [];
      const exact = agreement(counts.exact, labelled, found);
      return [{ key, labelled, found, exact, overlapping: agreement(counts.overlapping, labelled, found) }];
    });
  }

  /** All sources as one; undefined where no spans are labelled. */
  total(): SpanGroup | undefined {
    const all = { labelled: 0, found: 0, exact: 0, overlapping: 0 };
    for (const counts of this.bySource.values()) {
      if (counts.labelled === 0) continue;
      all.labelled += counts.labelled;
      all.found += counts.found;
      all.exact += counts.exact;
      all.overlapping += counts.overlapping;
    }
    if (all.labelled === 0) return undefined;
    const { labelled, found } = all;
    return {
      key: 'all',
      labelled,
      found,
      exact: agreement(all.exact, labelled, found),
      overlapping: agreement(all.overlapping, labelled, found),
    };
  }

  /** Types of labelled spans that do not count, ordered by name; at most `limits.evalGroupsMax`. */
  uncountedTypes(): readonly string[] {
    return [...this.otherTypes].sort();
  }

  typesFound(): readonly SpanType[] {
    return sorted(this.byType).map(([type, { labelled, exact, overlapping }]) => ({
      type,
      labelled,
      exact,
      overlapping,
    }));
  }
}

function countsIn(map: Map<string, Counts>, key: string): Counts {
  const known = map.get(key);
  if (known) return known;
  if (map.size >= limits.evalGroupsMax && key !== restKey) return countsIn(map, restKey);
  const counts = { labelled: 0, found: 0, exact: 0, overlapping: 0 };
  map.set(key, counts);
  return counts;
}

function sorted(map: ReadonlyMap<string, Counts>): readonly (readonly [string, Counts])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Place of the span that shares most with a finding and is not taken; −1 where none shares anything. */
function closestOf(spans: readonly LabelledSpan[], finding: Finding, taken: ReadonlySet<number>): number {
  let closest = -1;
  let most = 0;
  spans.forEach((span, place) => {
    const shared = overlap(span, finding);
    if (shared <= most || taken.has(place)) return;
    closest = place;
    most = shared;
  });
  return closest;
}

/** Intersection over union; 0 where they do not touch. */
function overlap(a: { start: number; end: number }, b: { start: number; end: number }): number {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared <= 0 ? 0 : shared / (Math.max(a.end, b.end) - Math.min(a.start, b.start));
}

function agreement(hits: number, labelled: number, found: number): Agreement {
  const precision = found > 0 ? hits / found : 0;
  const recall = labelled > 0 ? hits / labelled : 0;
  return { precision, recall, f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0 };
}
