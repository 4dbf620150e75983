import { MultiBar, Presets, type SingleBar } from 'cli-progress';

export interface Progress {
  advance(done: number): void;
  stop(): void;
}

/** A bar on standard error for long work; nothing where that is no terminal. `total` may be an estimate. */
export function startProgress(label: string, total: number): Progress {
  if (process.stderr.isTTY !== true) return { advance: () => {}, stop: () => {} };
  const bars = new MultiBar(
    { clearOnComplete: true, hideCursor: true, format: `${label} {bar} {percentage}% | {eta_formatted} left` },
    Presets.shades_classic,
  );
  const bar: SingleBar = bars.create(total, 0);
  return { advance: (done) => bar.update(Math.min(done, total)), stop: () => bars.stop() };
}
