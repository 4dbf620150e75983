/** How often a sign occurs in a text. Searched for by the platform, so next to nothing where it is rare. */
export function occurrences(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++;
  return count;
}
