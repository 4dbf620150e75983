import { type Store, StoreError } from '../store/store.js';

/** The generation of a table of the store, for who remembers what was read of it. */
export interface GenerationWatch {
  /**
   * As it is now; what was known last while the store cannot be read, which keeps verdicts going. −1 before anything was
   * known. Asks the table only where anything in the store has changed.
   */
  now(): number;
  /** Asks the table whether or not anything has changed. */
  again(): number;
}

export function watchGeneration(store: Pick<Store, 'version'>, ask: () => number): GenerationWatch {
  let generation = -1;
  /** Of the store, when the generation was asked for. */
  let askedAt = -1;
  const now = (): number => {
    try {
      const version = store.version();
      if (version === askedAt) return generation;
      generation = ask();
      askedAt = version;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    return generation;
  };
  return {
    now,
    again: () => {
      askedAt = -1;
      return now();
    },
  };
}
