import { countKept } from '../history.js';

/** States that a document was in, newest first, with one more; those that are too many are dropped. */
export function addState<T>(states: readonly T[], state: T): readonly T[] {
  const all = [state, ...states];
  return all.slice(0, countKept(all.map((each) => Buffer.byteLength(JSON.stringify(each)))));
}
