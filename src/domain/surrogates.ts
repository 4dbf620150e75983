/** Whether a place in a text is between the two halves of a character beyond the 65,536 first ones: no span may begin or end there. */
export function isWithinPair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
