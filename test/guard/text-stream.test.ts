import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/domain/limits.js';
import { createTextStream, type TextStream } from '../../src/guard/text-stream.js';

const { streamStepUnits: step, streamHeldBackUnits: heldBack, streamConfirmUnits: confirm } = limits;

/** Flags what holds the word, and keeps what it was given. */
function scannerOf(word: string): { readonly scan: (text: string) => { flagged: boolean }; readonly seen: string[] } {
  const seen: string[] = [];
  const scan = (text: string) => {
    seen.push(text);
    return { flagged: text.includes(word) };
  };
  return { scan, seen };
}

/** What passes of a text in pieces, and at which piece it was flagged, -1 where that was in the end. */
function feed(stream: TextStream<unknown>, pieces: readonly string[]) {
  let passed = '';
  for (const [place, piece] of pieces.entries()) {
    const { flagged, text } = stream.add(piece);
    if (flagged) return { passed: passed + text, flaggedAt: place };
    passed += text;
  }
  const { flagged, text } = stream.end();
  return { passed: passed + text, flaggedAt: flagged ? -1 : undefined };
}

const inPieces = (text: string, length: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, place) =>
    text.slice(place * length, (place + 1) * length),
  );

const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 30 });

describe('a stream of text', () => {
  it('passes all of a clean text in the end, in its order, whatever the pieces', () => {
    fc.assert(
      fc.property(pieces, fc.nat(400), (given, held) => {
        const { scan, seen } = scannerOf('no text has this word');
        expect(feed(createTextStream(scan, held), given)).toEqual({ passed: given.join(''), flaggedAt: undefined });
        expect(seen.at(-1)).toBe(given.join(''));
        expect(given.join('').startsWith(seen[0])).toBe(true);
      }),
    );
  });

  it('finds what lies across pieces, and passes none of it', () => {
    fc.assert(
      fc.property(fc.nat(3_000), fc.nat(2_000), fc.integer({ min: 1, max: 50 }), (before, behind, length) => {
        const text = `${'a'.repeat(before)}needle${'b'.repeat(behind)}`;
        const { passed, flaggedAt } = feed(createTextStream(scannerOf('needle').scan), inPieces(text, length));
        expect(flaggedAt).toBeDefined();
        expect(passed.length).toBeLessThanOrEqual(before);
        expect(text.startsWith(passed)).toBe(true);
        if (behind > 2 * confirm + length + text.length / 8) expect(flaggedAt, 'before the end').not.toBe(-1);
      }),
    );
  });

  it('passes what is far enough behind, and holds the rest back', () => {
    const stream = createTextStream(scannerOf('needle').scan);
    expect(stream.add('a'.repeat(step - 1))).toEqual({ flagged: false, text: '', body: undefined });
    const { text, body } = stream.add('b'.repeat(heldBack + 1));
    expect(text).toBe('a'.repeat(step - 1).concat('b'));
    expect(body).toEqual({ flagged: false });
    expect(stream.add('c').text).toBe('');
    expect(stream.end().text).toBe(`${'b'.repeat(heldBack)}c`);
  });

  it('halts where the beginning looks worse than the whole, and goes on', () => {
    const scan = (text: string) => ({ flagged: text.includes('quote') && !text.includes('end of quote') });
    const stream = createTextStream(scan, 0);
    expect(stream.add(`${'a'.repeat(step)} quote`)).toMatchObject({ flagged: false, text: '' });
    expect(stream.add('b'.repeat(step))).toMatchObject({ flagged: false, text: '' });
    const { text, flagged } = stream.add(`end of quote${'c'.repeat(step)}`);
    expect([flagged, text.length]).toEqual([false, step + ' quote'.length + step + 'end of quote'.length + step]);
    expect(stream.end()).toMatchObject({ flagged: false, text: '' });
  });

  it('is flagged once and for all', () => {
    const { scan, seen } = scannerOf('needle');
    const stream = createTextStream(scan);
    stream.add(`needle${'a'.repeat(step)}`);
    for (let more = 0; more < confirm; more += step) stream.add('b'.repeat(step));
    const scans = seen.length;
    expect(stream.add('c'.repeat(10 * step))).toEqual({ flagged: true, text: '', body: { flagged: true } });
    expect(stream.end()).toEqual({ flagged: true, text: '', body: { flagged: true } });
    expect(seen).toHaveLength(scans);
    expect(() => stream.add('d')).toThrowError('/piece comes behind the end of the stream.');
  });

  it('never cuts a pair of surrogates, but ends with half of one where the text does', () => {
    const stream = createTextStream(scannerOf('needle').scan, 3);
    const smiles = '😀'.repeat(step);
    expect(stream.add(smiles).text).toBe('😀'.repeat(step - 2));
    expect(stream.add('\ud83d').text).toBe('');
    expect(stream.end().text).toBe('😀😀\ud83d');
  });

  it('scans no unit more often than it says, in the smallest pieces', () => {
    const { scan, seen } = scannerOf('needle');
    const length = 60_000;
    feed(
      createTextStream(scan),
      Array.from({ length }, () => 'a'),
    );
    const read = seen.reduce((sum, text) => sum + text.length, 0);
    expect(read).toBeLessThan(18 * length);
    expect(seen.length).toBeLessThan(100 + 16 * Math.log(length / 1_024) + 16);
  });

  it('refuses what is no text, and what comes behind its end; its end may be asked for again', () => {
    const stream = createTextStream(scannerOf('needle').scan);
    expect(() => stream.add(JSON.parse('5'))).toThrowError('/piece must be a string.');
    stream.add('all');
    expect(stream.end()).toEqual({ flagged: false, text: 'all', body: { flagged: false } });
    expect(stream.end()).toEqual({ flagged: false, text: '', body: { flagged: false } });
    expect(() => stream.add('more')).toThrowError('/piece comes behind the end of the stream.');
  });

  it('scans an empty text, too', () => {
    expect(createTextStream(scannerOf('needle').scan).end()).toEqual({
      flagged: false,
      text: '',
      body: { flagged: false },
    });
  });
});
