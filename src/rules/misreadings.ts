/** Something in a pattern that is read otherwise than its author is likely to have meant it. */
export interface Misreading {
  readonly message: string;
  /** Where it stands in the pattern. */
  readonly index: number;
}

/**
 * What borders in a regex may say otherwise. As long as other patterns of the rule hit its examples, nothing else would tell: what YAML
 * makes of `\b` between double quotes waits for a control character that hardly a text has; and RE2's `\b` knows words of ASCII
 * alone, so that beside another letter it waits for one of ASCII on its other side.
 */
export function misreadBorders(source: string): readonly Misreading[] {
  return [...backspaces(source), ...misread(source, foreignBorder, noBorder)];
}

function backspaces(source: string): readonly Misreading[] {
  const message = 'has a backspace in it, as "\\b" is between double quotes: write the pattern between single ones';
  const index = source.indexOf('\b');
  return index < 0 ? [] : [{ message, index }];
}

/**
 * The same of a phrase, whose word classes are written out. `spaced` where white space sets its words apart; in other scripts a group
 * directly behind a word is what it looks like.
 */
export function misreadPhrase(source: string, spaced: boolean): readonly Misreading[] {
  const joined = spaced ? misread(source, wordBeforeBracket, twoWords) : [];
  return [...backspaces(source), ...misread(source, escaped, noClass), ...misread(source, braces, noName), ...joined];
}

/** `\b` beside a letter beyond ASCII; other escapes, which are passed over. */
const foreignBorder = /(?<=([^\P{L}a-zA-Z]))\\b|\\b(?=([^\P{L}a-zA-Z]))|\\./gsu;
/** A word as the parser of phrases reads it, and what opens directly behind it. */
const wordBeforeBracket = /((?:\\.|[^\s()[\]<>|*\\])+)([([<])/gsu;
const escaped = /\\(.)/gsu;
/** The text of what may be escapes, and of braces about what may be a name. */
const braces = /\\.|\{ *[\p{L}_][\p{L}\p{N}_ -]*\}/gsu;
const className = /^\{[a-z][a-z0-9-]*\}$/;

function noBorder([, before, behind = before]: readonly (string | undefined)[]): string | undefined {
  return (
    behind &&
    `\\b beside ${behind} is no border of a word, because it knows letters of ASCII only: leave it out, or name what may stand there`
  );
}

function twoWords([, word, bracket]: readonly string[]): string {
  return `${word} and what ${bracket} opens are two words, set apart in every text: where one is meant write its spellings out`;
}

function noClass([written, character]: readonly string[]): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(character)) return undefined;
  return `${written} is the character ${character} in a phrase: for what a regex says by it write a regex`;
}

function noName([written]: readonly string[]): string | undefined {
  if (written.startsWith('\\') || className.test(written)) return undefined;
  return `${written} is text: word classes are named in lowercase letters, digits and -; where braces are meant write \\{`;
}

function misread(
  source: string,
  part: RegExp,
  messageOf: (found: readonly string[]) => string | undefined,
): readonly Misreading[] {
  return [...source.matchAll(part)].flatMap((found) => {
    const message = messageOf(found);
    return message === undefined ? [] : [{ message, index: found.index }];
  });
}
