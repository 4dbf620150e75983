import { createRequire } from 'node:module';

/** The library, loaded where the first thread is started: it takes 20 ms, for which nobody who waits for a start has to wait. */
export function loadPiscina(): typeof import('piscina') {
  return createRequire(import.meta.url)('piscina');
}
