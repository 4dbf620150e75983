import { describe, expect, it } from 'vitest';
import { compileFlank, passesFlank } from '../../../src/engine/regex/flank.js';
import { anyNeighbour, neighbourAt, neighboursOf } from '../../../src/engine/regex/neighbours.js';
import { readRegex } from '../../../src/engine/regex/read-regex.js';

/** The flank behind a needle that ends with `edge` where a regex goes on. */
function flankBehind(source: string, edge: string): Uint8Array {
  const flank = compileFlank([{ before: [], after: [readRegex(source, false)] }], 'after', edge.charCodeAt(0), false);
  if (!flank) throw new Error(`${source} asks nothing`);
  return flank;
}

describe('what stands beside a needle', () => {
  it('is no letter or digit where a word must end', () => {
    const bits = neighboursOf(flankBehind('\\b', 'n'), 0);
    for (const text of ['a', 'q', 'F', 'X', '7']) expect(bits & neighbourAt(text, 0), text).toBe(0);
    for (const text of [' ', '.', '!', 'é', '字', '']) expect(bits & neighbourAt(text, 0), text).not.toBe(0);
  });

  it('is what the pattern goes on with', () => {
    const bits = neighboursOf(flankBehind('[0-9a-f]{5}', '-'), 0);
    for (const text of ['0', 'a']) expect(bits & neighbourAt(text, 0), text).not.toBe(0);
    for (const text of [' ', 'w', 'W', '-', '"', 'é', '']) expect(bits & neighbourAt(text, 0), text).toBe(0);
  });

  it('is never refused where a flank lets anything pass that begins so', () => {
    let refused = 0;
    for (const source of ['\\b', '[0-9a-f]+', '\\s?x', '["\'`]', '[^\\w\\s]', '(?:é|ok)', '[A-Z]{2}\\d', '$', '_|-']) {
      const flank = flankBehind(source, 'n');
      const bits = neighboursOf(flank, 0);
      for (let unit = 0; unit < 0x300; unit++) {
        const text = String.fromCharCode(unit);
        const isAllowed = (bits & neighbourAt(text, 0)) !== 0;
        if (!isAllowed) refused++;
        for (const more of ['', 'x', '0', ' ', 'kk']) {
          if (passesFlank(flank, 0, text + more, 0, 1)) expect(isAllowed, `${source}: ${text}`).toBe(true);
        }
      }
    }
    expect(refused).toBeGreaterThan(1_000);
  });

  it('is a kind of its own at either end of the text', () => {
    expect(neighbourAt('ab', -1)).toBe(neighbourAt('ab', 2));
    expect(neighbourAt('ab', 2) & anyNeighbour).not.toBe(0);
    expect(neighbourAt('ab', 2)).not.toBe(neighbourAt('é', 0));
  });
});
