import type { Rate } from '../interval.js';
import type { PolicyResult } from '../policy-tally.js';
import { escapeHtml, percent, rateText } from './html.js';

/** A panel's size and margins in units of its own; it is scaled to the page. */
const width = 300;
const height = 210;
const left = 34;
const right = 10;
const top = 24;
const bottom = 30;
/** Least false-positive rate that the axis shows; smaller ones, and none at all, stand at its left end. */
const rateMin = 1e-4;

const xOf = (rate: number) => {
  const decades = Math.log10(1 / rateMin);
  const place = Math.log10(Math.max(rate, rateMin) / rateMin) / decades;
  return left + place * (width - left - right);
};
const yOf = (recall: number) => top + (1 - recall) * (height - top - bottom);
const round = (value: number) => Math.round(value * 10) / 10;

/** Recall against false positives of one policy over all thresholds; the profile's threshold is marked. */
export function curvePlot(result: PolicyResult): string {
  const { policy, recall, false_positives, threshold, mode } = result;
  const name = `${policy}: recall ${rateText(recall)}; false positives ${rateText(false_positives)}`;
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(name)}">`,
    `<text class="t" x="${left}" y="14">${policy}</text>`,
    `<text class="s" x="${width - right}" y="14" text-anchor="end">${recall.n} attacks, ${sourcesText(result)}</text>`,
    ...axes(),
    stepLine(result),
    ...thresholdDots(result),
    ...operatingPoint(recall, false_positives, `threshold ${threshold}${mode === 'enforce' ? '' : `, ${mode}`}`),
    '</svg>',
  ].join('\n');
}

function sourcesText({ sources }: PolicyResult): string {
  return sources.length === 1 ? '1 source' : `${sources.length} sources`;
}

function axes(): readonly string[] {
  const lines = [0, 0.25, 0.5, 0.75, 1].map((recall) => {
    const y = round(yOf(recall));
    const label =
      recall === 0.25 || recall === 0.75
        ? ''
        : `<text class="s" x="${left - 4}" y="${y + 3}" text-anchor="end">${recall * 100}</text>`;
    return `<line class="g" x1="${left}" x2="${width - right}" y1="${y}" y2="${y}"/>${label}`;
  });
  const columns = [1e-4, 1e-3, 1e-2, 1e-1, 1].map((rate) => {
    const x = round(xOf(rate));
    const label = rate === rateMin ? '≤ 0.01' : String(rate * 100);
    return `<line class="g" x1="${x}" x2="${x}" y1="${top}" y2="${height - bottom}"/><text class="s" x="${x}" y="${height - bottom + 12}" text-anchor="${rate === 1 ? 'end' : 'middle'}">${label}</text>`;
  });
  const names = `<text class="s" x="${(left + width - right) / 2}" y="${height - 4}" text-anchor="middle">benign flagged, %</text>`;
  return [...lines, ...columns, names];
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly threshold: number;
}

function placesOf({ curve, recall, false_positives }: PolicyResult): readonly Place[] {
  return curve.map(({ threshold, found, flagged }) => ({
    x: round(xOf(flagged / Math.max(1, false_positives.n))),
    y: round(yOf(found / Math.max(1, recall.n))),
    threshold,
  }));
}

function stepLine(result: PolicyResult): string {
  const start = `M${left} ${round(yOf(0))}`;
  const steps = placesOf(result).map(({ x, y }) => `H${x}V${y}`);
  return `<path class="c" d="${start}${steps.join('')}"/>`;
}

/** Thresholds to hover over, one a place. */
function thresholdDots(result: PolicyResult): readonly string[] {
  const distinct = new Map(
    placesOf(result).map((place) => [`${Math.round(place.x / 3)} ${Math.round(place.y / 3)}`, place]),
  );
  return [...distinct.values()].map(
    ({ x, y, threshold }) =>
      `<circle class="d" cx="${x}" cy="${y}" r="1.8"><title>threshold ${threshold}</title></circle>`,
  );
}

function operatingPoint(recall: Rate, falsePositives: Rate, title: string): readonly string[] {
  if (recall.n === 0)
    return [`<text class="s" x="${width / 2}" y="${height / 2}" text-anchor="middle">no attacks in the data</text>`];
  const x = round(xOf(falsePositives.rate));
  const y = round(yOf(recall.rate));
  // Beside the point, where there is more room.
  const isRight = x > width / 2;
  const label = `${percent(recall.rate)} at ${percent(falsePositives.rate)}`;
  const labelY = y < top + 30 ? y + 22 : y - 9;
  return [
    `<line class="o" x1="${round(xOf(falsePositives.low))}" x2="${round(xOf(falsePositives.high))}" y1="${y}" y2="${y}"/>`,
    `<line class="o" x1="${x}" x2="${x}" y1="${round(yOf(recall.low))}" y2="${round(yOf(recall.high))}"/>`,
    `<circle class="o" cx="${x}" cy="${y}" r="4"><title>${escapeHtml(title)}</title></circle>`,
    `<text class="l" x="${isRight ? x - 8 : x + 8}" y="${round(labelY)}" text-anchor="${isRight ? 'end' : 'start'}">${label}</text>`,
  ];
}
