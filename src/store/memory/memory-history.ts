import { countKept } from '../history.js';

/** The states that a document was in, as many as are kept. */
export interface MemoryHistory<T> {
  add(state: T): void;
  /** Copies, the caller's own. */
  newestFirst(most?: number): readonly T[];
}

/** An empty history. States are copied in and out. */
export function openMemoryHistory<T>(): MemoryHistory<T> {
  let states: readonly T[] = [];
  return {
    add(state) {
      const all = [structuredClone(state), ...states];
      states = all.slice(0, countKept(all.map((each) => Buffer.byteLength(JSON.stringify(each)))));
    },
    newestFirst: (most = states.length) => structuredClone(states.slice(0, most)),
  };
}
