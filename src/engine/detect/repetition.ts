import type { Span } from '../../domain/span.js';

/** Units of a stretch at the least. */
const unitsMin = 200;
/** Units that are repeated, at the most. */
const periodMax = 32;
const repeatsMin = 8;
/** Units that must come again for a closer look. */
const keyUnits = 12;
/** Looks so far apart that none of them but one in every long enough stretch is missed. */
const step = unitsMin - periodMax - keyUnits;

/**
 * Stretches in which the same few words or signs come again and again: floods that cost tokens and shake models loose from
 * their task. Rulers, tables of numbers, empty lines and cells, and what encodings make of zeros are none. Ascending, disjoint.
 * Cost: two short looks for 500 units.
 */
export function findRepetition(text: string): readonly Span[] {
  const found: Span[] = [];
  const last = text.length - unitsMin + step;
  for (let at = step; at <= last; at += step) {
    const period = periodAt(text, at);
    if (period === 0) continue;
    const stretch = stretchAround(text, at, period);
    if (isFlood(text, stretch, period)) found.push(stretch);
    at = Math.max(at, stretch.end - step);
  }
  return found;
}

/** After how many units what stands at a place stands there again; 0 where it does not soon. */
function periodAt(text: string, at: number): number {
  return text.slice(at + 1, at + periodMax + keyUnits).indexOf(text.slice(at, at + keyUnits)) + 1;
}

/** As far as each unit on either side of a place equals the one a period further in. */
function stretchAround(text: string, at: number, period: number): Span {
  let start = at;
  let end = at + period;
  while (start > 0 && text.charCodeAt(start - 1) === text.charCodeAt(start - 1 + period)) start--;
  while (end < text.length && text.charCodeAt(end) === text.charCodeAt(end - period)) end++;
  return { start, end };
}

function isFlood(text: string, { start, end }: Span, period: number): boolean {
  if (end - start < Math.max(unitsMin, repeatsMin * period)) return false;
  const repeated = text.slice(start, start + period);
  if (!speaking.test(repeated) || markup.test(repeated) || numbers.test(repeated) || values.test(repeated))
    return false;
  return !(oneWord.test(repeated) && encoded.test(text.charAt(start - 1)) && encodedOrPadding.test(text.charAt(end)));
}

/** Letters, pictures, and signs of which one is enough. */
const speaking = /[\p{L}!?\p{Extended_Pictographic}]/u;
/** Cells and spaces of a page. */
const markup = /[<&]/;
/** Numbers in any notation: 0x00, 1e5, ff:00. */
const numbers = /^(?=.*\d)[\da-fx\P{L}]*$/isu;
/** What fills arrays. */
const values = /^\P{L}*(?:null|nil|nan|none|true|false|undefined)\P{L}*$/iu;
const oneWord = /^[\p{L}\p{N}+/]*$/u;
/** What stands beside a run of equal letters in base64. */
const encoded = /[a-z0-9+/]/i;
const encodedOrPadding = /[a-z0-9+/=]/i;
