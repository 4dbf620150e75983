/** One character, as a stylesheet would escape it, and where that ends. */
export interface CssEscape {
  readonly point: number;
  readonly end: number;
}

const backslash = 0x5c;
const digitsMax = 6;

/**
 * `\69 `, `\000069`: a backslash, up to six hex digits that write printable ASCII, and a space that belongs to them. The
 * first is a digit below 8, as it is for all that is ASCII.
 */
export function readCssEscape(text: string, at: number): CssEscape | undefined {
  const first = text.charCodeAt(at + 1);
  if (text.charCodeAt(at) !== backslash || !(first >= 0x30 && first <= 0x37)) return undefined;
  let point = 0;
  let end = at + 1;
  for (; end <= at + digitsMax; end++) {
    const digit = Number.parseInt(text[end], 16);
    if (Number.isNaN(digit)) break;
    point = point * 16 + digit;
  }
  if (point < 0x20 || point > 0x7e) return undefined;
  return { point, end: text.charCodeAt(end) === 0x20 ? end + 1 : end };
}

/** True if two escapes begin at `at`, at most a space between them: one alone is a back reference or part of a path. */
export function startsCssRow(text: string, at: number): boolean {
  const first = readCssEscape(text, at);
  if (first === undefined) return false;
  return readCssEscape(text, text.charCodeAt(first.end) === 0x20 ? first.end + 1 : first.end) !== undefined;
}
