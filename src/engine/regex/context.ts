import type { Shape } from './shape.js';

/**
 * Texts of which every match of a pattern contains at least one, each with what is known of the place where it
 * stands. Texts are folded (`foldText`) and neither begin nor end with white space; the empty one is the
 * start of the text (`text-start.ts`).
 */
export type RequiredLiterals = ReadonlyMap<string, Surroundings>;

export interface Surroundings {
  /** `leftBorder`, `rightBorder`. */
  readonly borders: number;
  /** What the pattern goes on with on both sides of the literal; in a match one of these holds. */
  readonly contexts: readonly Context[];
}

export interface Context {
  /** Ends where the literal begins. */
  readonly before: readonly Shape[];
  /** Begins where the literal ends. */
  readonly after: readonly Shape[];
}

/** Which side of the literal. */
export type Side = keyof Context;
