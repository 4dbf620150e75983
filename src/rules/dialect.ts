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

/** Escapes, of which some go on, and the beginning of a class that has another one by its name in it. */
const forms = /\\(?:[pP][A-Z]|x\{|.)|\[(?:\\.|[^\]\\])*?\[:\^?[a-z]+:\]/gs;

/** What RE2 takes and ECMAScript does not, or takes for something else, and what both take instead. */
function checkForms(source: string): void {
  for (const { 0: form, index } of source.matchAll(forms)) {
    const at = Math.max(0, form.lastIndexOf('[:'));
    const own = form.slice(at);
    const instead = at > 0 ? 'its characters, as in [a-zA-Z], or \\p{…}' : ofBoth(own);
    if (instead !== undefined) throw new PatternError(`${own} is RE2's alone: write ${instead}`, index + at);
  }
}

function ofBoth(form: string): string | undefined {
  switch (form) {
    case '\\A':
      return '^';
    case '\\z':
      return '$';
    case '\\x{':
      return '\\u{';
    case '\\Q':
      return 'a backslash before each of ^ $ \\ . * + ? ( ) [ ] { } |';
    default:
      return form.length === 3 ? `${form.slice(0, 2)}{${form[2]}}` : undefined;
  }
}

/** Escapes and classes, which are passed over, and the openings of groups. */
const parts = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:P?<(?![=!])|[a-z]*-?[a-z]*[:)])/gis;

function check(source: string, problemOf: (opening: string) => string | undefined): void {
  checkForms(source);
  for (const { 0: part, index } of source.matchAll(parts)) {
    const problem = part.startsWith('(') ? problemOf(part) : undefined;
    if (problem !== undefined) throw new PatternError(problem, index);
  }
}

function isFlags(opening: string): boolean {
  return /^\(\?[a-z-]/i.test(opening);
}
