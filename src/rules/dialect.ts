import { PatternError } from '../engine/regex/read-regex.js';

/**
 * Refuses what a regex of another dialect says otherwise, and says what to write instead: the parser's words for it are
 * "Invalid group". Throws `PatternError`.
 */
export function checkDialect(source: string): void {
  check(source, (opening) => {
    if (opening === '(?P<') return 'a group is named as in (?<hit>…), without the P';
    return isFlags(opening) ? 'inline flags are not supported: ignore_case: true stands for (?i)' : undefined;
  });
}

/** The same for a name or a value of a named pattern, which is a part of the regexes that are made of it. */
export function checkPieceDialect(source: string): void {
  check(source, (opening) => {
    if (opening.endsWith('<')) return 'has a named group, and the value is the group hit already: write (?:…)';
    return isFlags(opening) ? 'inline flags are not supported: names and values are read in any case' : undefined;
  });
}

/** Escapes and classes, which are passed over, and the openings of groups. */
const parts = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:P?<(?![=!])|[a-z]*-?[a-z]*[:)])/gis;

function check(source: string, problemOf: (opening: string) => string | undefined): void {
  for (const { 0: part, index } of source.matchAll(parts)) {
    const problem = part.startsWith('(') ? problemOf(part) : undefined;
    if (problem !== undefined) throw new PatternError(problem, index);
  }
}

function isFlags(opening: string): boolean {
  return /^\(\?[a-z-]/i.test(opening);
}
