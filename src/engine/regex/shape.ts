import type { SymbolSet } from './symbol.js';

/**
 * What a pattern can match, reduced to what prefilters need. Both phrases and regexes are read into shapes;
 * literals and windows are derived from them. A shape may be looser than its pattern, never tighter.
 *
 * Lengths are *collapsed* units: UTF-16 units where a run of white space counts as one.
 */
export type Shape =
  /** `folded` where case is lost, in whatever pattern it stands. */
  | { readonly kind: 'text'; readonly text: string; readonly folded?: boolean }
  /** One run of white space, possibly empty. */
  | { readonly kind: 'space'; readonly optional: boolean }
  /** One character whose units' symbols are in the set; `astral` where it may be a surrogate pair. */
  | { readonly kind: 'set'; readonly symbols: SymbolSet; readonly astral: boolean }
  /** Unknown characters, at most this many collapsed units. */
  | { readonly kind: 'unknown'; readonly unitsMax: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Shape[] }
  | { readonly kind: 'choice'; readonly options: readonly Shape[] }
  | { readonly kind: 'repeat'; readonly part: Shape; readonly min: number; readonly max: number }
  /** Matches no character; word and non-word meet here (`\b`, a phrase's edge). */
  | { readonly kind: 'border' }
  /** Matches no character, and only at an end of the text: `start` is `^`, `end` is `$`. */
  | { readonly kind: 'anchor'; readonly at: 'start' | 'end' };

export const emptyShape: Shape = { kind: 'sequence', parts: [] };

/** Most collapsed units that a match can span; Infinity where there is no bound. */
export function unitsMax(shape: Shape): number {
  switch (shape.kind) {
    case 'text':
      return shape.text.length;
    case 'space':
      return 1;
    case 'set':
      return shape.astral ? 2 : 1;
    case 'unknown':
      return shape.unitsMax;
    case 'sequence':
      return shape.parts.reduce((sum, part) => sum + unitsMax(part), 0);
    case 'choice':
      return shape.options.reduce((most, option) => Math.max(most, unitsMax(option)), 0);
    case 'repeat': {
      const once = unitsMax(shape.part);
      return once === 0 ? 0 : once * shape.max;
    }
    case 'border':
    case 'anchor':
      return 0;
  }
}
