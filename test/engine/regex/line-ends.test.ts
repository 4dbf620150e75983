import { describe, expect, it } from 'vitest';
import { withLineEnds } from '../../../src/engine/regex/line-ends.js';

describe('ends of lines in a regex', () => {
  it.each([
    [String.raw`a\nb`, String.raw`a(?:\r?\n)b`],
    [String.raw`(?:^|\n)b\n{2,3}`, String.raw`(?:^|(?:\r?\n))b(?:\r?\n){2,3}`],
    [String.raw`[^\n]{0,9}\\n[\]\n]`, String.raw`[^\r\n]{0,9}\\n[\]\n]`],
    [String.raw`x[^a\]\n]`, String.raw`x[^a\]\r\n]`],
    [String.raw`[^\r\n]b[^\n\r]`, String.raw`[^\r\n]b[^\n\r]`],
    [String.raw`\r?\n|\r\n|x`, String.raw`\r?\n|\r\n|x`],
    [String.raw`\p{L}\n`, String.raw`\p{L}(?:\r?\n)`],
  ])('%s is read as %s', (source, read) => {
    expect(withLineEnds(source)).toBe(read);
    for (const text of ['a\nb', 'xb\n\nb\n\n', 'é\n', '\nb\n\n\n']) {
      const found = new RegExp(source, 'u').exec(text)?.[0];
      expect(new RegExp(read, 'u').exec(text)?.[0]).toBe(found);
      const ofWindows = text.replaceAll('\n', '\r\n');
      if (found?.includes('\n')) expect(new RegExp(read, 'u').test(ofWindows)).toBe(true);
    }
  });
});
