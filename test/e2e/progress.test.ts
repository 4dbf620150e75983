import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitWithProgress, startProgress, withProgress } from '../../src/commands/progress.js';

/** Everything that was written to a standard error that says it is a terminal. */
let written = '';
const wasTTY = process.stderr.isTTY;
beforeEach(() => {
  written = '';
  vi.useFakeTimers();
  process.stderr.isTTY = true;
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  process.stderr.isTTY = wasTTY;
});

/** Many small steps over some seconds, as lines of a file are. */
function work(total: number | undefined): string {
  const progress = startProgress('scanning', total);
  for (let done = 0; done <= 5_000_000; done += 10_000) {
    progress.advance(done);
    vi.advanceTimersByTime(10);
  }
  const shown = written;
  progress.stop();
  return shown;
}

describe('startProgress', () => {
  it('tells the time that is left by the pace so far', () => {
    const shown = work(10_000_000);
    expect(shown).toContain('50% | 5 s left');
    expect(shown).toMatch(/\b1[0-9]% \| [89] s left/);
    expect(shown).not.toMatch(/\b0 ?s left|NaN|NULL|Infinity/);
  });

  it('tells how much was read where nobody knows of how much', () => {
    const shown = work(undefined);
    expect(shown).toContain('scanning 4.9 MB');
    expect(shown).not.toMatch(/%|left|█/);
  });

  it('changes nothing of the terminal that a signal would leave changed', () => {
    work(10_000_000);
    // The cursor's visibility and the line wrap.
    expect(written).not.toMatch(/\[\?(?:25|7)[hl]/);
  });

  it('draws nothing where standard error is no terminal', () => {
    process.stderr.isTTY = false;
    work(10_000_000);
    expect(written).toBe('');
  });
});

describe('withProgress', () => {
  it('shows a bar from the first step on', () => {
    withProgress('compiling', (step) => {
      expect(written).toBe('');
      for (let done = 0; done <= 400; done++) {
        step(done, 800);
        vi.advanceTimersByTime(10);
      }
    });
    expect(written).toContain('compiling');
    expect(written).toContain('50% | 4 s left');
  });

  it('shows none of work that was done before', () => {
    withProgress('compiling', () => undefined);
    expect(written).toBe('');
  });
});

describe('awaitWithProgress', () => {
  it('shows a bar as long as the work goes on', async () => {
    let drawnAtTheEnd = '';
    const result = await awaitWithProgress('measuring', async (step) => {
      for (let done = 0; done <= 400; done++) {
        step(done, 800);
        vi.advanceTimersByTime(10);
        await Promise.resolve();
      }
      drawnAtTheEnd = written;
      return 'measured';
    });
    expect(result).toBe('measured');
    expect(drawnAtTheEnd).toContain('50% | 4 s left');
  });
});
