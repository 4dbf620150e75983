import type { RuleCost } from '../../rules/cost.js';
import type { RuleYield } from '../rule-tally.js';
import { escapeHtml } from './html.js';

/** What a rule costs and what it brings. */
export interface RuleRow {
  readonly rule: RuleYield;
  readonly cost: RuleCost;
}

const height = 400;
/** Rules at each extreme that are named in the plot; the others are named when pointed at. */
const namedMax = 7;
/** Cheapest time that the axis tells apart, in µs/KB: about a nanosecond. */
const costMin = 0.001;

/**
 * A dot for each rule that cost or found something: to the right what it costs, up what it finds, colour and form for how
 * much of that is wrong. Coordinates are per cent of the width, so that dots and letters keep their size on any page.
 */
export function costPlot(rows: readonly RuleRow[]): string {
  const shown = rows.filter(({ rule, cost }) => cost.us_per_kb > 0 || rule.recall.k + rule.false_positives.k > 0);
  if (shown.length === 0) return '';
  const costMax = Math.max(costMin * 10, ...shown.map(({ cost }) => cost.us_per_kb));
  const hitsMax = Math.max(10, ...shown.map(({ rule }) => rule.recall.k));
  const xOf = (us: number) => 6 + (Math.log(Math.max(us, costMin) / costMin) / Math.log(costMax / costMin)) * 88;
  const yOf = (hits: number) => height - 44 - (Math.log1p(hits) / Math.log1p(hitsMax)) * (height - 74);
  const places = shown.map((row) => ({ row, x: xOf(row.cost.us_per_kb), y: yOf(row.rule.recall.k) }));
  return [
    legend,
    `<svg class="cost" height="${height}" role="img" aria-label="Cost of each rule against what it finds">`,
    ...decades(costMin, costMax).map((us) => {
      const x = round(xOf(us));
      return `<line class="g" x1="${x}%" x2="${x}%" y1="20" y2="${height - 40}"/><text class="s" x="${x}%" y="${height - 26}" text-anchor="middle">${us}</text>`;
    }),
    ...[0, ...decades(1, hitsMax)].map((hits) => {
      const y = round(yOf(hits));
      return `<line class="g" x1="5%" x2="97%" y1="${y}" y2="${y}"/><text class="s" x="4%" y="${y + 3}" text-anchor="end">${hits}</text>`;
    }),
    `<text class="s" x="50%" y="${height - 8}" text-anchor="middle">µs per KB (times of this run's machine)</text>`,
    '<text class="s" x="1%" y="12">attacks of its policy that it hits</text>',
    ...places.map(({ row, x, y }) => dot(row, x, y)),
    ...namesOf(places),
    '</svg>',
  ].join('\n');
}

const legend =
  '<p class="legend"><b class="good">●</b> nothing benign hit <b class="some">▲</b> some benign hit <b class="bad">◆</b> more benign than attacks hit</p>';

/** How good a rule's hits are. */
function qualityOf({ recall, false_positives }: RuleYield): 'good' | 'some' | 'bad' {
  if (false_positives.k === 0) return 'good';
  return false_positives.k > recall.k ? 'bad' : 'some';
}

function dot({ rule, cost }: RuleRow, x: number, y: number): string {
  const quality = qualityOf(rule);
  const price =
    cost.patterns_of === undefined
      ? `${cost.us_per_kb.toFixed(3)} µs/KB, ${cost.runs} regex runs`
      : `its cost is told with ${cost.patterns_of}`;
  const title = `${rule.id} ${rule.label}: ${price}; hits ${rule.recall.k} attacks, ${rule.false_positives.k} benign`;
  const mark = { good: '●', some: '▲', bad: '◆' }[quality];
  return `<text class="m ${quality}" x="${round(x)}%" y="${round(y + 4)}" text-anchor="middle">${mark}<title>${escapeHtml(title)}</title></text>`;
}

interface Placed {
  readonly row: RuleRow;
  readonly x: number;
  readonly y: number;
}

/** Names for the dearest rules and for those that hit most benign samples, where there is room. */
function namesOf(places: readonly Placed[]): readonly string[] {
  const dearest = [...places].sort((a, b) => b.row.cost.us_per_kb - a.row.cost.us_per_kb).slice(0, namedMax);
  const worst = places
    .filter(({ row }) => row.rule.false_positives.k > 0)
    .sort((a, b) => b.row.rule.false_positives.k - a.row.rule.false_positives.k)
    .slice(0, namedMax);
  const kept: Placed[] = [];
  for (const place of new Set([...dearest, ...worst])) {
    if (kept.every(({ x, y }) => Math.abs(x - place.x) > 11 || Math.abs(y - place.y) > 13)) kept.push(place);
  }
  return kept.map(({ row, x, y }) => {
    const isRight = x > 80;
    return `<text class="s roomy" x="${round(x)}%" dx="${isRight ? -8 : 8}" y="${round(y + 3)}" text-anchor="${isRight ? 'end' : 'start'}">${row.rule.id}</text>`;
  });
}

function decades(from: number, to: number): readonly number[] {
  const ticks: number[] = [];
  for (let tick = from; tick <= to; tick *= 10) ticks.push(Number(tick.toPrecision(1)));
  return ticks;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
