import { isUtf8 } from 'node:buffer';

/** A place in a text; lines and columns count from 1, columns in UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * The text of UTF-8 bytes, its byte order mark with it, or the place of the first ones that are none: for files in which a
 * replacement character would be taken for what somebody wrote.
 */
export function decodeUtf8(bytes: Buffer): string | TextPlace {
  return utf8Fault(bytes) ?? bytes.toString();
}

/** The place of the first bytes that are no UTF-8; undefined where all are. */
export function utf8Fault(bytes: Buffer): TextPlace | undefined {
  if (isUtf8(bytes)) return undefined;
  const replaced = Buffer.from(bytes.toString());
  let end = 0;
  while (end < bytes.length && bytes[end] === replaced[end]) end++;
  // `stream` leaves out the beginning of a character whose bytes are those of the replacement's by chance.
  const sound = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end), { stream: true });
  return { line: sound.split('\n').length, column: sound.length - sound.lastIndexOf('\n') };
}
