import RE2 from 're2';
import { createSearcher } from '../../dist/engine/automaton/searcher.js';
import { allRoles } from '../../dist/engine/program.js';
import { decodeProgram, encodeProgram } from '../../dist/engine/program-layout.js';

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {import('./reference.mjs').Claim} claims
 * @property {(needles: readonly string[]) => (text: string) => number} prepare builds, and gives what counts in a text
 * @property {readonly string[]} [corpora] the only ones that it is measured on; all when left out
 */

/** Merlon's literal search, and what comes with Node or is a dependency of ours anyway. @type {readonly Engine[]} */
export const literalEngines = [
  { name: 'merlon', claims: 'every', prepare: (needles) => countWith(needles, 'auto') },
  { name: 'merlon-js', claims: 'every', prepare: (needles) => countWith(needles, 'js') },
  { name: 'regexp-loop', claims: 'every', prepare: regexpLoop },
  { name: 'regexp-alternation', claims: 'leftmost', prepare: regexpAlternation },
  { name: 're2-set', claims: 'distinct', prepare: re2Set },
];

/** A program that holds needles and nothing else. */
export function programOf(needles) {
  return decodeProgram(encodeProgram({ hash: '', rules: [], patterns: [], needles }));
}

function countWith(needles, engine) {
  const searcher = createSearcher(programOf(needles), engine);
  if (engine === 'auto' && searcher.kind !== 'wasm') throw new Error('no WebAssembly threads here');
  return counterOf(searcher);
}

/** Counts the hits of a searcher in a text. */
export function counterOf(searcher) {
  let count = 0;
  const sink = () => {
    count++;
  };
  return (text) => {
    count = 0;
    searcher.search(text, allRoles, sink);
    return count;
  };
}

/** One regex a phrase, one after the other: what guards written in JavaScript do. */
function regexpLoop(needles) {
  const regexes = needles.map((needle) => new RegExp(escapeRegex(needle), 'gi'));
  return (text) => {
    let count = 0;
    for (const regex of regexes) {
      regex.lastIndex = 0;
      for (let match = regex.exec(text); match; match = regex.exec(text)) {
        count++;
        regex.lastIndex = match.index + 1;
      }
    }
    return count;
  };
}

function regexpAlternation(needles) {
  const regex = new RegExp(needles.map(escapeRegex).join('|'), 'gi');
  return (text) => {
    let count = 0;
    regex.lastIndex = 0;
    while (regex.test(text)) count++;
    return count;
  };
}

function re2Set(needles) {
  const set = new RE2.Set(
    needles.map((needle) => `(?i:${escapeRegex(needle)})`),
    'u',
  );
  return (text) => set.match(text).length;
}

export function escapeRegex(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
