import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../src/domain/utf8.js';

describe('decodeUtf8', () => {
  it.each(['', 'plain', '\ufeffwith its mark', 'a replacement \ufffd that is meant', '😀 é 中\n'])(
    'gives %j',
    (text) => {
      expect(decodeUtf8(Buffer.from(text))).toBe(text);
    },
  );

  it.each<[what: string, bytes: readonly number[], after: string]>([
    ['Latin-1', [0xe9, 0x20], 'caf'],
    ['what begins as the replacement does', [0xef, 0xbf], 'é\n'],
    ['a lead byte of the replacement', [0xef, 0x20], ''],
    ['a character that is cut off', [0xf0, 0x9f, 0x98], 'one\ntwo 😀'],
    ['half a pair', [0xed, 0xa0, 0x80], '\ufeff'],
    ['a byte of no character', [0xff], 'a\r\n\n\ufffd'],
  ])('names the place of %s', (_, bytes, after) => {
    const lines = after.split('\n');
    const place = { line: lines.length, column: lines[lines.length - 1].length + 1 };
    for (const behind of ['', '\nmore é\ufffd']) {
      expect(decodeUtf8(Buffer.concat([Buffer.from(after), Buffer.from(bytes), Buffer.from(behind)]))).toEqual(place);
    }
  });
});
