/** What a text may hold, as bits; each is a reason to try the views that are about it. */
export const reason = {
  /** A unit that is folded: not plain ASCII. */
  fold: 1,
  /** An escape that can be undone. */
  escape: 2,
  /** A letter beside a digit or symbol that stands for a letter. */
  leet: 4,
  /** Four letters or digits with one other unit between each two. */
  spaced: 8,
  /** Letters that follow each other as in disguised English, not as in English. */
  unnatural: 16,
  /** A run of base64, base32 or numbers that begins like text. */
  run: 32,
  morse: 64,
  /** Several letters that have no other use than to be read upside down. */
  turned: 128,
  /** Many words that nothing, or underscores, set apart. */
  joined: 512,
  /** Lines, and what sets the cells of a table apart. */
  table: 1024,
  /** Underscores before a word, and behind one; colours of a terminal. */
  emphasis: 2048,
  /** A typographic space between words, or that or a quote before what may be a value. */
  typography: 4096,
  /** The end of a tag that stands within a line. */
  tags: 8192,
} as const;

/** A mark of a place alone, not a reason by itself: units beyond ASCII. */
export const foreignPlace = 256;

/** Units of one place. */
export const placeUnits = 32;

/** Why a text may read otherwise, and where. */
export interface Survey {
  /** Bit set of `reason`. */
  readonly reasons: number;
  /**
   * Flat and ascending: the offset of a place of `placeUnits` units, and the bits that hold there. `run`, `morse`,
   * `joined` and `turned` are marked where they were noticed first, if at all: their views read the whole text.
   */
  readonly places: readonly number[];
}

export const noReason: Survey = { reasons: 0, places: [] };

/**
 * Parts of a text of `length` units with a mark of `bits`, `margin` units on either side included: start and end of
 * each, flat, ascending and disjoint.
 */
export function partsOf({ places }: Survey, bits: number, margin: number, length: number): readonly number[] {
  const parts: number[] = [];
  for (let i = 0; i < places.length; i += 2) {
    if ((places[i + 1] & bits) === 0) continue;
    const start = Math.max(0, places[i] - margin);
    const end = Math.min(length, places[i] + placeUnits + margin);
    if (parts.length > 0 && start <= parts[parts.length - 1]) parts[parts.length - 1] = end;
    else parts.push(start, end);
  }
  return parts;
}
