import { allRoles } from '../program.js';
import type { Scanner } from '../scanner.js';
import { matchViews } from './match-views.js';

/**
 * Scans the program's warm-up texts, one each call, and says whether there are more. Regexes are compiled when a text first asks for
 * them; after this those are that ordinary texts ask for most, RE2 has states for them and V8 has code. A text takes some milliseconds.
 */
export function createWarmUp(scanner: Scanner): () => boolean {
  const { warmUp, rules } = scanner.program;
  const everyRule = new Uint8Array(rules.length).fill(1);
  const texts = warmUp[Symbol.iterator]();
  return () => {
    const { value: text } = texts.next();
    if (text === undefined) return false;
    matchViews(scanner, text, allRoles, everyRule);
    return true;
  };
}
