import { describe, expect, it } from 'vitest';
import { gatheredPerRuleMax } from '../../../src/engine/collector.js';
import { eachHit, HitRecorder } from '../../../src/engine/shard/recorder.js';
import { programOf } from '../program-of.js';

const { patterns } = programOf([{ regex: 'a[0-9]' }, { regex: 'b[0-9]' }]);

function recorded(work: (recorder: HitRecorder) => void): readonly number[] {
  const recorder = new HitRecorder(patterns);
  recorder.begin('x'.repeat(100));
  work(recorder);
  return recorder.end();
}

describe('HitRecorder', () => {
  it('makes void what later windows of a pattern say that was asked of the whole text', () => {
    const items = [
      recorded((recorder) => {
        recorder.takeHit(0, 1, 2);
        recorder.takeHit(1, 3, 4);
      }),
      recorded((recorder) => {
        recorder.takeHit(0, 5, 6);
        recorder.takeHit(0, 7, 8);
        recorder.markWhole(0);
        recorder.takeHit(1, 9, 10);
      }),
      recorded((recorder) => {
        recorder.takeHit(0, 11, 12);
        recorder.takeHit(1, 13, 14);
      }),
    ];
    const hits: string[] = [];
    const voided = new Set<number>();
    for (const words of items) {
      eachHit(words, voided, (pattern, start, end) => hits.push(`${pattern}:${start}-${end}`));
    }
    expect(hits).toEqual(['0:1-2', '1:3-4', '0:5-6', '0:7-8', '1:9-10', '1:13-14']);
  });

  it('takes one hit more of a pattern than a rule gathers', () => {
    const outcomes: boolean[] = [];
    const words = recorded((recorder) => {
      for (let i = 0; i < gatheredPerRuleMax + 5; i++) outcomes.push(recorder.takeHit(0, i, i + 1));
      outcomes.push(recorder.takeHit(1, 0, 1));
    });
    expect(words).toHaveLength(3 * (gatheredPerRuleMax + 2));
    expect(outcomes.filter((taken) => !taken)).toHaveLength(4);
    expect(outcomes.at(-1)).toBe(true);
  });
});
