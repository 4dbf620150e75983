/**
 * The place in a text, or the one before it where it is between the two halves of a character beyond the 65,536 first ones: no span may
 * begin or end there.
 */
export function wholeAt(text: string, at: number): number {
  const isWithinPair = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isWithinPair ? at - 1 : at;
}
