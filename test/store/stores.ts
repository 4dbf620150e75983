import { onTestFinished } from 'vitest';
import { openLmdbStore } from '../../src/store/lmdb/lmdb-store.js';
import { openMemoryStore } from '../../src/store/memory/memory-store.js';
import type { Store } from '../../src/store/store.js';
import { temporaryFolder } from './samples.js';

/** Every kind of store; each call opens a new, empty one that is closed with the test. */
export const stores: readonly [string, () => Store][] = [
  ['memory', () => closing(openMemoryStore())],
  // Records are committed one by one where they come one by one: what spaces commits apart has tests of its own.
  ['lmdb', () => closing(openLmdbStore(temporaryFolder(), { spacingMs: 0 }))],
];

function closing(store: Store): Store {
  onTestFinished(() => store.close());
  return store;
}
