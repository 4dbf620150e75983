import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOpenPrograms } from '../../src/pool/open-programs.js';

describe('programs that a thread opens one after the other', () => {
  it('are collected, though nothing else needs memory', async () => {
    const programs = createOpenPrograms();
    const opened: WeakRef<WebAssembly.Memory>[] = [];
    for (let i = 0; i < 12; i++) {
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      programs.open(memory);
      opened.push(new WeakRef(memory));
      // What was counted out is told between two tasks.
      await delay(5);
    }
    const there = opened.filter((each) => each.deref() !== undefined).length;
    expect(there).toBeGreaterThan(0);
    expect(there).toBeLessThanOrEqual(3);
  });

  it('stay where they are in use', async () => {
    const programs = createOpenPrograms();
    const memories = Array.from({ length: 6 }, () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }));
    const opened = memories.map((memory) => {
      programs.open(memory);
      return new WeakRef(memory);
    });
    await delay(5);
    expect(opened.every((each) => memories.includes(each.deref() as WebAssembly.Memory))).toBe(true);
  });
});
