import { describe, expect, it } from 'vitest';
import { MessageSample } from '../../src/eval/message-sample.js';

describe('MessageSample', () => {
  it('keeps all while there is room and an even share later', () => {
    const sample = new MessageSample(1_000);
    for (let i = 0; i < 10_000; i++) {
      sample.add({ role: 'user', content: String(i).padStart(10, '0') });
      if (i === 99) expect(sample.messages()).toHaveLength(100);
    }
    const kept = sample.messages().map(({ content }) => Number(content));
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(kept.length).toBeGreaterThan(50);
    const gaps = new Set(kept.slice(1).map((number, i) => number - kept[i]));
    expect(gaps.size).toBe(1);
  });
});
