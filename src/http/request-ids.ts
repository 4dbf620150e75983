import { randomFillSync } from 'node:crypto';

const idBytes = 16;
const idLength = 36;
const idsAtOnce = 256;
/** Bytes before which a dash stands. */
const dashes: ReadonlySet<number> = new Set([4, 6, 8, 10]);
const hexDigits = Buffer.from('0123456789abcdef', 'latin1');

/**
 * Gives a maker of random UUIDs (version 4, RFC 9562 section 5.4). Many are written at once and cut out of one text, because
 * `randomUUID` puts each together from twenty pieces, which the collector has to clear away.
 */
export function createRequestIds(): () => string {
  const bytes = new Uint8Array(idsAtOnce * idBytes);
  const text = Buffer.alloc(idsAtOnce * idLength);
  let ids = '';
  let used = 0;
  const refill = () => {
    randomFillSync(bytes);
    let at = 0;
    for (let i = 0; i < bytes.length; i++) {
      const place = i % idBytes;
      if (dashes.has(place)) text[at++] = 0x2d;
      const byte = place === 6 ? 0x40 | (bytes[i] & 0x0f) : place === 8 ? 0x80 | (bytes[i] & 0x3f) : bytes[i];
      text[at++] = hexDigits[byte >> 4];
      text[at++] = hexDigits[byte & 15];
    }
    ids = text.toString('latin1');
    used = 0;
  };
  return () => {
    if (used === ids.length) refill();
    used += idLength;
    return ids.slice(used - idLength, used);
  };
}
