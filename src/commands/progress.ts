import { createRequire } from 'node:module';
import type { SingleBar } from 'cli-progress';

/** Loaded where a bar is drawn, and no other start waits for it. */
const loadBars = (): typeof import('cli-progress') => createRequire(import.meta.url)('cli-progress');

export interface Progress {
  advance(done: number): void;
  stop(): void;
}

/** Time between two drawings. */
const drawMs = 100;

/**
 * A bar on standard error for long work, or where nobody knows the total, the megabytes done; nothing where that is no
 * terminal. Cursor and line wrap stay as they are: whoever ends the work with Ctrl-C has a terminal in order, also where
 * no handler of a signal could run because the work never waits.
 */
export function startProgress(label: string, total: number | undefined): Progress {
  if (process.stderr.isTTY !== true) return { advance: () => {}, stop: () => {} };
  const format = total === undefined ? `${label} {megabytes} MB` : `${label} {bar} {percentage}%{left}`;
  const { MultiBar, Presets } = loadBars();
  const bars = new MultiBar(
    { clearOnComplete: true, hideCursor: false, linewrap: true, barsize: 30, format },
    Presets.shades_classic,
  );
  const bar: SingleBar = bars.create(total ?? 1, 0, { megabytes: '0.0', left: '' });
  const began = performance.now();
  let drawn = began;
  return {
    advance: (done) => {
      const now = performance.now();
      if (now - drawn < drawMs) return;
      drawn = now;
      const megabytes = (done / 1e6).toFixed(1);
      bar.update(Math.min(done, total ?? 1), { megabytes, left: left(now - began, done, total ?? 0) });
      // Its own timer waits for the work to wait.
      bars.update();
    },
    stop: () => bars.stop(),
  };
}

/** Told how much of some work is done, of how much in all. */
type Step = (done: number, all: number) => void;

/** Does work that may have been done before with a bar, which shows with the first step: that tells of how much it is one. */
export function withProgress<Result>(label: string, work: (step: Step) => Result): Result {
  const { step, stop } = startWithFirstStep(label);
  try {
    return work(step);
  } finally {
    stop();
  }
}

/** The same of work that waits between its steps, so that a signal can end it. */
export async function awaitWithProgress<Result>(label: string, work: (step: Step) => Promise<Result>): Promise<Result> {
  const { step, stop } = startWithFirstStep(label);
  try {
    return await work(step);
  } finally {
    stop();
  }
}

function startWithFirstStep(label: string): { readonly step: Step; readonly stop: () => void } {
  let progress: Progress | undefined;
  return {
    step: (done, all) => {
      progress ??= startProgress(label, all);
      progress.advance(done);
    },
    stop: () => progress?.stop(),
  };
}

/** By the pace so far. The library's own estimate looks at the last few steps, which here take no time. */
function left(spentMs: number, done: number, total: number): string {
  if (done <= 0) return '';
  const seconds = Math.ceil((spentMs * Math.max(0, total - done)) / done / 1_000);
  return ` | ${seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`;
}
