import { createHash } from 'node:crypto';
import { withoutParts } from '../../../src/engine/view/view.js';

/** Bytes without order, the same in every run. */
export function noise(bytes: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, i) => createHash('sha512').update(`${i}`).digest());
  return Buffer.concat(blocks).subarray(0, bytes);
}

/** What is left of a text without some parts of it, and a bar in place of each. */
export function shownWithout(text: string, parts: readonly number[]): string {
  return withoutParts(text, parts).text.replaceAll('\uffff', '|');
}
