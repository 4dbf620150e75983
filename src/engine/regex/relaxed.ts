/** Repetitions that may be longer are worth relaxing: RE2 writes out each of them. */
const timesMin = 8;

const bounded = /\{(\d+),(\d+)\}/y;

/**
 * The source with its long repetitions without end (`{5,256}` becomes `{5,}`): it matches wherever the source does, and in some
 * places besides. RE2 writes a bounded repetition out as so many copies, and a search through them makes a new state for nearly
 * every character; without a bound it has a state or two. Undefined where there is nothing to relax.
 * @param source as both RE2 and ECMAScript's Unicode mode read it
 */
export function relaxedSource(source: string): string | undefined {
  let relaxed = '';
  let taken = 0;
  let isInClass = false;
  for (let at = 0; at < source.length; at++) {
    const sign = source[at];
    if (sign === '\\') at = endOfEscape(source, at);
    else if (isInClass) isInClass = sign !== ']';
    else if (sign === '[') isInClass = true;
    else if (sign === '{') {
      bounded.lastIndex = at;
      const [whole, least, most] = bounded.exec(source) ?? [];
      if (whole === undefined || Number(most) < timesMin) continue;
      relaxed += `${source.slice(taken, at)}{${least},}`;
      taken = at + whole.length;
    }
  }
  return taken === 0 ? undefined : relaxed + source.slice(taken);
}

/** The last character of an escape: of `\p{…}` and its like the closing brace, else the one behind the backslash. */
export function endOfEscape(source: string, at: number): number {
  return /[pPux]/.test(source[at + 1]) && source[at + 2] === '{' ? source.indexOf('}', at) : at + 1;
}
