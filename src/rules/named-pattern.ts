import { limits } from '../domain/limits.js';
import { exactTexts } from '../engine/regex/literals.js';
import { readRegex } from '../engine/regex/read-regex.js';
import type { PatternSource } from './pack-schema.js';

export type NamedPattern = Extract<PatternSource, { named: readonly string[] }>;
type RegexPattern = Extract<PatternSource, { regex: string }>;

/**
 * The regexes of a value that stands beside its name, in any case: one for the name before the value, and one for
 * the value before the name where the pattern allows that. Between them are no ASCII digits, so it is the nearest
 * number, and no semicolon but one between two fields; a line may end directly behind the name. After a value that comes first no sentence ends, and
 * the name is not followed by a colon or an equals sign, which tell of another value; a value in quotes may have its name in a comment behind it. A name before its value may go on as in code: `nhsNumber`. Names in ASCII letters are not parts of Latin words. Long lists
 * of names make several of each, so that the names of one can all be literals that open it. Throws `PatternError` for a
 * name that cannot be read.
 */
export function namedRegexes(pattern: NamedPattern): readonly RegexPattern[] {
  const { named, value = number, within = withinDefault, either_side: eitherSide = true, ...checks } = pattern;
  const open = value.startsWith(ownBorder) ? `(?<hit>${value})` : `(?:\\b|^|[^\\w${digits}${pause}])(?<hit>${value})`;
  const sides = dealt(named).flatMap((names) => {
    const gap = `[^0-9\\n;]{0,${within}}?`;
    const after = alternatives(
      names,
      `(?:^|[^${latin}])`,
      `${suffix}(?:(?:[^${latin}\\n]|$)${gap}|${nextLine})`,
      `(?:${gap}|${nextLine})`,
    );
    const before = alternatives(names, `[^${latin}${pause}]`, `(?:[^${latin}:=]|$)`);
    const nameFirst = `${after}${open}(?:\\b|[^\\w${digits}]|$)`;
    const valueFirst = `${open}(?:(?:\\b|[^\\w${digits}${pause}]|$)[^0-9${pause}]{0,${Math.min(within, withinBefore)}}?|${comment})${before}`;
    return eitherSide ? [nameFirst, valueFirst] : [nameFirst];
  });
  return sides.map((regex) => ({ regex, ignore_case: true, ...checks }));
}

/** In as many lists as it takes for the spellings of each to be needles of one pattern (`limits.needlesPerPatternMax`). */
function dealt(names: readonly string[]): readonly (readonly string[])[] {
  const lists: string[][] = [[]];
  let room = limits.needlesPerPatternMax;
  for (const name of names) {
    const spellings = exactTexts(readRegex(name, true))?.size ?? openSpellings;
    if (spellings > room && lists[lists.length - 1].length > 0) {
      lists.push([]);
      room = limits.needlesPerPatternMax;
    }
    lists[lists.length - 1].push(name);
    room -= spellings;
  }
  return lists;
}

/** Of a name with an open ending, whose beginning is what counts. */
const openSpellings = 2;

/** A value that begins so says by itself where it may, as one that begins with a bracket must: no border stands before that. */
const ownBorder = '(?:\\B';

const withinDefault = 48;
const withinBefore = 32;

/**
 * A name that ends its line is about what begins the next one, or about the text in quotes that is set there; one before a
 * semicolon is about the field behind it.
 */
const nextLine =
  '(?:[ _.-]{0,2}n(?:o|r|um|umber))?' +
  '(?:[ \\t:*]{0,4}\\r?\\n[ \\t*]{0,4}(?:[ \\t]{0,16}(?:[a-z_.]{1,24} ?[=:(] ?){1,2}["\'])?|"?;["\' ]?)';

/** Behind a value in quotes the rest of its line, and the beginning of a comment. */
const comment = `["'][^"'\\n]{0,48}?(?:--|#|//|/\\*)[^0-9\\n.!?;]{0,12}?`;

/** What names of fields carry behind the name without a gap. */
const suffix = '(?:n(?:o|um|umber)|id)?';

/** ASCII, Arabic-Indic, Persian and Devanagari digits. RE2's `\b` knows the first only. */
const digits = '0-9٠-٩۰-۹०-९';

/**
 * A number as papers carry it: up to five letters, digits that may stand in groups, up to three letters and digits or a check in brackets;
 * or letters and digits in any order without a gap.
 */
const number =
  `(?:[a-z]{1,5}[-.]?)?[${digits}](?:[ ./-]{0,2}[${digits}]){3,22}(?:[/-]?[a-z]{1,2}[${digits}]{0,3}| [a-z]{2}[${digits}]|\\([0-9a]\\))?` +
  `|[a-z]{0,6}[${digits}][${digits}a-z/-]{3,22}`;

/** Letters and digits of Latin scripts. */
const latin = '0-9a-zÀ-ɏḀ-ỿ';
/** What ends a sentence or a line. */
const pause = '\\n.!?;';

/**
 * The names with their borders, each of which is written once: classes of letters make large regexes. `open` stands behind
 * names that have no border on the right.
 */
function alternatives(names: readonly string[], left: string, right: string, open = ''): string {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const begins = /^(?:\(\?:)?[a-z0-9]/i.test(name) ? left : '';
    const ends = /(?<!\\)[a-z0-9]\??$/i.test(name) ? right : open;
    const key = `${begins}\0${ends}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const written = [...groups].map(([key, members]) => key.split('\0').join(`(?:${members.join('|')})`));
  return `(?:${written.join('|')})`;
}
