import type { Rate } from '../interval.js';
import { escapeHtml, percent, rateText } from './html.js';

export interface DotRow {
  readonly key: string;
  readonly rate: Rate;
}

/**
 * One row a group: its share as a dot, Wilson's interval as a bar. `max` is the right end of the scale. Every row is an
 * image of its own in coordinates of per cent, so that names stay readable and bars stretch on any width.
 */
export function dotPlot(rows: readonly DotRow[], kind: 'recall' | 'false-positives', max = 1): string {
  const scale = ticksOf(max);
  const head = `<div class="row head"><span></span><svg height="16" role="presentation">${scale
    .map((tick) => `<text class="s" x="${place(tick, max)}%" y="12" text-anchor="middle">${percent(tick)}</text>`)
    .join('')}</svg><span></span></div>`;
  return `<div class="dots ${kind}">${head}${rows.map((row) => rowOf(row, max, scale)).join('\n')}</div>`;
}

/** A round number not below the largest share, for scales of rare events. */
export function scaleFor(rows: readonly DotRow[]): number {
  const largest = Math.max(0.001, ...rows.map(({ rate }) => rate.rate));
  return [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((end) => end >= largest) ?? 1;
}

function rowOf({ key, rate }: DotRow, max: number, scale: readonly number[]): string {
  const grid = scale.map(
    (tick) => `<line class="g" x1="${place(tick, max)}%" x2="${place(tick, max)}%" y1="0" y2="20"/>`,
  );
  const marks = [
    `<line class="i" x1="${place(rate.low, max)}%" x2="${place(rate.high, max)}%" y1="10" y2="10"/>`,
    `<circle class="p" cx="${place(rate.rate, max)}%" cy="10" r="4.5"/>`,
  ];
  const name = escapeHtml(key);
  const text = escapeHtml(rateText(rate));
  return `<div class="row" title="${name}: ${text}"><span class="k">${name}</span><svg height="20" role="img" aria-label="${name}: ${text}">${[...grid, ...marks].join('')}</svg><span class="v">${percent(rate.rate)} <small>of ${rate.n}</small></span></div>`;
}

/** Per cent of the width; a margin each side keeps dots and labels whole. */
function place(share: number, max: number): number {
  return Math.round((5 + (Math.min(share, max) / max) * 90) * 100) / 100;
}

function ticksOf(max: number): readonly number[] {
  return [0, 0.25, 0.5, 0.75, 1].map((part) => part * max).filter((_, i) => max === 1 || i % 2 === 0);
}
