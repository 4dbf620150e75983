import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SpanTally, shapedTypes } from '../../src/eval/spans.js';
import { finding, judgedOf, sampleOf } from './fixture.js';

const text = 'x'.repeat(100);
const spans = [
  { start: 0, end: 10, type: 'EMAIL' },
  { start: 20, end: 30, type: 'PHONE' },
  { start: 40, end: 50, type: 'PERSON' },
];
const sample = sampleOf({ text, label: 'attack', policies: ['LLM02'], source: 's', spans });
const tallied = (...places: readonly (readonly [number, number])[]) => {
  const tally = new SpanTally(shapedTypes);
  const findings = places.map(([start, end]) => finding('LLM02', start, end));
  tally.add(judgedOf(sample, findings));
  return tally;
};

describe('SpanTally', () => {
  // Labelled and counted: the e-mail and the phone. A name has no shape, so it counts neither way.
  it.each([
    [
      'both, exactly',
      [
        [0, 10],
        [20, 30],
      ],
      { found: 2, exact: 1, overlapping: 1 },
    ],
    [
      'one exactly, one roughly',
      [
        [0, 10],
        [18, 30],
      ],
      { found: 2, exact: 0.5, overlapping: 1 },
    ],
    ['upon a name only', [[40, 50]], { found: 0, exact: 0, overlapping: 0 }],
    ['nowhere near', [[60, 70]], { found: 1, exact: 0, overlapping: 0 }],
    [
      'twice upon one',
      [
        [0, 4],
        [5, 10],
      ],
      { found: 1, exact: 0, overlapping: 0.5 },
    ],
    ['nothing', [], { found: 0, exact: 0, overlapping: 0 }],
  ] as const)('%s', (_, places, expected) => {
    const [group] = tallied(...places).sources();
    expect(group).toMatchObject({ key: 's', labelled: 2, found: expected.found });
    expect([group.exact.recall, group.overlapping.recall]).toEqual([expected.exact, expected.overlapping]);
  });

  it('reckons precision and F1, and what was found of each type', () => {
    const tally = tallied([0, 10], [60, 70]);
    expect(tally.total()?.exact).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 });
    expect(tally.uncountedTypes()).toEqual(['PERSON']);
    expect(tally.typesFound()).toEqual([
      { type: 'EMAIL', labelled: 1, exact: 1, overlapping: 1 },
      { type: 'PHONE', labelled: 1, exact: 0, overlapping: 0 },
    ]);
  });

  it('passes over samples without spans and findings of other policies', () => {
    const tally = new SpanTally(shapedTypes);
    tally.add(judgedOf(sampleOf({ text }), [finding('LLM02', 0, 10)]));
    expect(tally.total()).toBeUndefined();
    tally.add(judgedOf(sample, [finding('LLM01', 0, 10)]));
    expect(tally.total()).toMatchObject({ labelled: 2, found: 0 });
  });

  it('counts the types that the README names', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [said] = /those of types with a shape count: ([^;]+);/.exec(readme)?.slice(1) ?? [];
    expect(said?.match(/\w+/g)).toEqual(shapedTypes);
  });
});
