import { describe, expect, it } from 'vitest';
import type { Shape } from '../../../src/engine/regex/shape.js';
import { ShapeNumbers } from '../../../src/engine/regex/shape-numbers.js';
import { symbolsOf } from '../../../src/engine/regex/symbol.js';

const letter = (unit: string): Shape => ({
  kind: 'set',
  symbols: symbolsOf(unit.charCodeAt(0), false).slice(),
  astral: false,
});
const text = (content: string): Shape => ({ kind: 'text', text: content });

/** Each unlike all others. */
const shapes: readonly (() => Shape)[] = [
  () => text('a'),
  () => text('a '),
  () => text('true a'),
  () => ({ kind: 'text', text: 'a', folded: true }),
  () => ({ kind: 'space', optional: true }),
  () => ({ kind: 'space', optional: false }),
  () => letter('a'),
  () => letter('b'),
  () => ({ ...letter('a'), astral: true }) as Shape,
  () => ({ kind: 'unknown', unitsMax: 3 }),
  () => ({ kind: 'unknown', unitsMax: Number.POSITIVE_INFINITY }),
  () => ({ kind: 'sequence', parts: [] }),
  () => ({ kind: 'sequence', parts: [text('a'), text('b')] }),
  () => ({ kind: 'sequence', parts: [text('b'), text('a')] }),
  () => ({ kind: 'sequence', parts: [text('a,b')] }),
  () => ({ kind: 'choice', options: [text('a'), text('b')] }),
  () => ({ kind: 'repeat', part: text('a'), min: 1, max: 2 }),
  () => ({ kind: 'repeat', part: text('a'), min: 1, max: 12 }),
  () => ({ kind: 'repeat', part: text('b'), min: 1, max: 2 }),
  () => ({ kind: 'anchor', at: 'start' }),
  () => ({ kind: 'anchor', at: 'end' }),
  () => ({ kind: 'border' }),
];

describe('ShapeNumbers', () => {
  it('gives equal shapes one number, and unlike ones different numbers', () => {
    const numbers = new ShapeNumbers();
    const first = shapes.map((make) => numbers.of(make()));
    expect(new Set(first).size).toBe(shapes.length);
    expect(shapes.map((make) => numbers.of(make()))).toEqual(first);
  });

  it('tells rows of shapes apart', () => {
    const numbers = new ShapeNumbers();
    for (let i = 0; i < 12; i++) numbers.of(text(`filler ${i}`));
    const rows = [['a'], ['a', 'b'], ['b', 'a'], ['ab'], []].map((parts) => numbers.ofAll(parts.map(text)));
    expect(new Set(rows).size).toBe(rows.length);
  });
});
