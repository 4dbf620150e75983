import { endOfEscape } from './relaxed.js';

/**
 * The source read for texts whose lines end as those of Windows do, too: mail, forms and files have either, and rules are written with
 * one. A line feed may have a carriage return before it (`\n` becomes `(?:\r?\n)`), and what may be all but a line feed is no carriage
 * return either (`[^\n]` becomes `[^\r\n]`). Left alone where `\r` stands there.
 * @param source as both RE2 and ECMAScript's Unicode mode read it
 */
export function withLineEnds(source: string): string {
  let whole = '';
  let taken = 0;
  let isInClass = false;
  let isNegated = false;
  for (let at = 0; at < source.length; at++) {
    const sign = source[at];
    if (sign === '[' && !isInClass) {
      isInClass = true;
      isNegated = source[at + 1] === '^' && !source.slice(at, source.indexOf(']', at)).includes('\\r');
    } else if (sign === ']') isInClass = false;
    if (sign !== '\\') continue;
    const ends = isInClass ? isNegated : !/\\r\??$/.test(source.slice(0, at));
    if (source[at + 1] === 'n' && ends) {
      whole += `${source.slice(taken, at)}${isInClass ? '\\r\\n' : '(?:\\r?\\n)'}`;
      taken = at + 2;
    }
    at = endOfEscape(source, at);
  }
  return whole + source.slice(taken);
}
