/** Patterns as fields of one line can hold them, which drop breaks without a word. Both mean what they meant. */

/** To a phrase all white space is one. */
export function phraseInOneLine(phrase: string): string {
  return phrase.replace(/\s*[\r\n]\s*/g, ' ');
}

export function regexInOneLine(regex: string): string {
  return regex.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}
