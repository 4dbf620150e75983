import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreOf } from '../../src/engine/learned/model.js';
import { calibrate, macroRecall, type Reckoned } from '../../src/train/calibrate.js';

const reckoned = fc.array(
  fc.record({
    isAttack: fc.boolean(),
    isOrdinary: fc.boolean(),
    source: fc.constantFrom('a', 'b', 'c'),
    sum: fc.double({ min: -12, max: 12, noNaN: true }),
    alone: fc.double({ min: -3, max: 3, noNaN: true }),
    evidence: fc.constantFrom(0, 0, 0, 0.2, 0.5, Math.LN2, 2),
  }),
  { minLength: 1, maxLength: 200 },
);

function isFlagged({ sum, evidence }: Reckoned, head: { readonly offset: number; readonly slope: number }): boolean {
  const score = scoreOf(head, sum);
  return evidence >= Math.LN2 || evidence - Math.log(1 - score) >= Math.LN2 - 1e-9;
}

describe('calibrate', () => {
  it('flags no more benign samples than it may, but for those that rules flag alone', () => {
    fc.assert(
      fc.property(reckoned, fc.double({ min: 0, max: 0.3, noNaN: true }), (samples, share) => {
        const head = calibrate(samples, { falsePositivesMax: share, addedMax: 1 });
        const benign = samples.filter(({ isAttack }) => !isAttack);
        const byRules = benign.filter(({ evidence }) => evidence >= Math.LN2).length;
        const flagged = benign.filter((sample) => isFlagged(sample, head)).length;
        expect(flagged).toBeLessThanOrEqual(Math.max(byRules, Math.floor(share * benign.length)));
        expect(head.recall).toBeCloseTo(
          macroRecall(samples, (sample) => isFlagged(sample, head)),
          9,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('adds no more flagged ordinary samples to those of the rules than it may', () => {
    fc.assert(
      fc.property(reckoned, fc.double({ min: 0, max: 0.3, noNaN: true }), (samples, share) => {
        const head = calibrate(samples, { falsePositivesMax: 0.9, addedMax: share });
        const unflagged = samples.filter((each) => !each.isAttack && each.isOrdinary && each.evidence < Math.LN2);
        const added = unflagged.filter((sample) => isFlagged(sample, head)).length;
        expect(added).toBeLessThanOrEqual(Math.floor(share * unflagged.length));
      }),
      { numRuns: 500 },
    );
  });

  it('lets more of either never make a verdict milder', () => {
    fc.assert(
      fc.property(
        reckoned,
        fc.double({ min: 0, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (samples, more, evidence) => {
          const head = calibrate(samples, { falsePositivesMax: 0.05, addedMax: 0.05 });
          for (const sample of samples) {
            if (!isFlagged(sample, head)) continue;
            expect(isFlagged({ ...sample, sum: sample.sum + more }, head)).toBe(true);
            expect(isFlagged({ ...sample, evidence: sample.evidence + evidence }, head)).toBe(true);
          }
        },
      ),
    );
  });

  it('passes over windows by their words where next to nothing of what the model finds is lost', () => {
    fc.assert(
      fc.property(reckoned, (samples) => {
        const head = calibrate(samples, { falsePositivesMax: 0.1, addedMax: 1 });
        const looksAt = (sample: Reckoned) => sample.evidence >= Math.LN2 || sample.alone >= head.cut;
        const found = macroRecall(samples, (sample) => isFlagged(sample, head));
        const left = macroRecall(samples, (sample) => isFlagged(sample, head) && looksAt(sample));
        expect(found - left).toBeLessThanOrEqual(0.001);
      }),
    );
    const cutBeside = (aloneOfBenign: number, embedded?: { sum: number; alone: number }) => {
      const attacks = Array.from({ length: 4_000 }, (_, alone) => ({ isAttack: true, sum: 3, alone, embedded }));
      const benign = Array.from({ length: 100 }, () => ({ isAttack: false, sum: -3, alone: aloneOfBenign }));
      const samples = [...attacks, ...benign].map((each) => ({ ...each, isOrdinary: false, source: 'a', evidence: 0 }));
      return calibrate(samples, { falsePositivesMax: 0, addedMax: 1 }).cut;
    };
    expect(cutBeside(9)).toBe(4);
    expect(cutBeside(9, { sum: 3, alone: 1 }), 'words around it').toBe(1);
    expect(cutBeside(9, { sum: -9, alone: 1 }), 'not found between others').toBe(4);
    expect(cutBeside(0.5), 'a tenth of what is benign').toBe(0.5);
  });

  it('lets no single attack of a source with few decide how much of all texts is read on', () => {
    const cutWith = (lowest: number, low: number) => {
      const attacks = Array.from({ length: 360 }, (_, place) => ({
        ...{ isAttack: true, sum: 3, alone: place < low ? lowest : 5, source: `source ${place % 30}` },
      }));
      const benign = Array.from({ length: 100 }, () => ({ isAttack: false, sum: -3, alone: 9, source: 'benign' }));
      const samples = [...attacks, ...benign].map((each) => ({ ...each, isOrdinary: false, evidence: 0 }));
      return calibrate(samples, { falsePositivesMax: 0, addedMax: 1 }).cut;
    };
    expect(cutWith(1, 1)).toBe(5);
    expect(cutWith(1, 30), 'one of each source').toBe(1);
  });

  it('counts every source the same', () => {
    const samples = [
      ...Array.from({ length: 9 }, () => ({ isAttack: true, source: 'large', found: false })),
      { isAttack: true, source: 'small', found: true },
      { isAttack: false, source: 'benign', found: true },
    ];
    expect(macroRecall(samples, ({ found }) => found)).toBe(0.5);
  });
});
